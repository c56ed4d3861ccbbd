/**
 * The part of `newMatcher` that looks around (JavaScript as text; see `matcher-source.ts`).
 */
export const LOOKS_SOURCE = String.raw`
  /** A look around, as a question; a verb in what is looked for fails all. What groups in it matched stays. */
  function compileLook({ isBehind, isWanted, branches }, scope) {
    const id = nodes++;
    const either = branches.length > 1 ? id : undefined;
    const inner = { groups: [], either, accept: () => MATCHED, owner: id };
    const anywhere = () => MATCHED;
    const atTarget = (at) => (at === target ? MATCHED : FAILED);
    // Of what has one length PCRE2 does not ask where it ends.
    const lastOf = ({ least, most }) => (isBehind && least < most ? atTarget : anywhere);
    const ways = branches.map((branch) => ({ ...branch, way: compile(branch.body, lastOf(branch), inner) }));
    const find = isBehind ? behind : ahead;
    return (at) => {
      const saved = slots.slice();
      const result = find(ways, at, id);
      const isThere = hasMatched(result);
      if (!isThere || !isWanted) slots = saved;
      if (!isThere && isWanted && result !== thenOf(id)) return result;
      return isThere === isWanted ? MATCHED : FAILED;
    };
  }

  function ahead(ways, at, id) {
    for (const { way } of ways) {
      const result = way(at);
      if (result !== FAILED && result !== thenOf(id)) return result;
    }
    return FAILED;
  }

  /** The longest that it may be is tried first. */
  function behind(ways, at, id) {
    const outer = [target, end];
    let result = FAILED;
    for (const { way, least, most } of ways) {
      [target, end] = [at, endsBehind && least < most ? at : outer[1]];
      for (const start of startsBefore(at, least, most)) {
        result = way(start);
        if (result !== FAILED) break;
      }
      if (result !== FAILED && result !== thenOf(id)) break;
      result = FAILED;
    }
    [target, end] = outer;
    return result;
  }

  /** Places so many characters before one, the furthest first. */
  function startsBefore(at, least, most) {
    const starts = [];
    for (let [place, count] = [at, 0]; count <= most; count++) {
      if (count >= least) starts.unshift(place);
      const code = count < most ? codeBefore(text, place, seenFrom) : 0;
      // PCRE2 does not go back at all where there is no whole character.
      if (code === -1 && place > seenFrom) return [];
      if (code === -1) break;
      place -= sizeOf(code);
    }
    return starts;
  }

  function questionOf(test, scope) {
    if (test.kind === 'look') return compileLook(test, scope);
    const ask = (holds) => (holds ? MATCHED : FAILED);
    if (test.kind === 'groups') return () => ask(test.groups.some((group) => slots[3 * group - 1] !== undefined));
    if (test.kind === 'within') return () => ask(calls !== undefined && (test.group ?? calls.group) === calls.group);
    return () => ask(test.holds);
  }

  /** A look around of which another way is tried where what follows fails. */
  function lookAgain({ isBehind, branches }, next, scope) {
    const [place, seen] = [size++, size++];
    const owner = nodes++;
    const goOn = () => {
      const inner = end;
      end = slots[seen];
      const result = next(slots[place]);
      end = inner;
      return result;
    };
    const atTarget = (at) => (at === slots[place] ? goOn() : FAILED);
    const lastOf = ({ least, most }) => (isBehind && least < most ? atTarget : goOn);
    const inner = { ...scope, groups: [], accept: goOn, owner };
    const ways = branches.map((branch) => ({ ...branch, way: compile(branch.body, lastOf(branch), inner) }));
    return (at) => {
      const before = [slots[place], slots[seen]];
      const outer = end;
      [slots[place], slots[seen]] = [at, outer];
      let result = FAILED;
      for (const { way, least, most } of ways) {
        if (isBehind && endsBehind && least < most) end = at;
        for (const start of isBehind ? startsBefore(at, least, most) : [at])
          if (result === FAILED) result = way(start);
        end = outer;
      }
      if (hasMatched(result)) return result === acceptedBy(owner) ? MATCHED : result;
      [slots[place], slots[seen]] = before;
      return result;
    };
  }
`;
