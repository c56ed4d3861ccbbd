/**
 * The part of `newMatcher` that makes a function of each kind of node (JavaScript as text; see `matcher-source.ts`).
 */
export const MAKERS_SOURCE = String.raw`
  const MAKERS = {
    set: (node, next) => {
      const one = compileOne(node);
      return (at) => {
        const code = one.codeAt(text, at, end);
        return code !== -1 && one.isIn(code) ? next(at + one.sizeOf(code)) : FAILED;
      };
    },
    sequence: ({ parts }, next, scope) => parts.reduceRight((rest, part) => compile(part, rest, scope), next),
    either: ({ branches }, next, scope) => {
      const id = nodes++;
      const ways = branches.map((branch) => compile(branch, next, { ...scope, either: id }));
      return once((at) => {
        for (const way of ways) {
          const result = way(at);
          if (result !== FAILED && result !== thenOf(id)) return result;
        }
        return FAILED;
      });
    },
    group: ({ number, body }, next, scope) => {
      const [start, end, opened] = [3 * number - 2, 3 * number - 1, 3 * number];
      const close = (at) => {
        const before = [slots[start], slots[end]];
        [slots[start], slots[end]] = [slots[opened], at];
        const result = next(at);
        if (!hasMatched(result)) [slots[start], slots[end]] = before;
        return result;
      };
      const inner = compile(body, close, { ...scope, groups: [...scope.groups, number] });
      return (at) => {
        const before = slots[opened];
        slots[opened] = at;
        const result = inner(at);
        if (!hasMatched(result)) slots[opened] = before;
        return result;
      };
    },
    atomic: ({ body }, next, scope) => {
      const inner = compile(body, (at) => ((ended = at), MATCHED), scope);
      return (at) => {
        const saved = slots.slice();
        const result = inner(at);
        return result === MATCHED ? wayBack(saved, next(ended)) : result;
      };
    },
    repeat: (node, next, scope) => {
      const { body, least, most, isGreedy } = node;
      if (body.kind === 'set') return repeatOne(compileOne(body), node, next);
      if (most === Infinity) return repeatOften(node, next, scope);
      let whole = next;
      for (let left = most - least; left > 0; left--)
        whole = inTurn(isGreedy, compile(body, whole, scope), next);
      for (let left = least; left > 0; left--) whole = compile(body, whole, scope);
      return whole;
    },
    look: (node, next, scope) => {
      if (node.givesBack) return lookAgain(node, next, scope);
      const holds = compileLook(node, scope);
      return (at) => {
        const saved = slots.slice();
        const answer = holds(at);
        return answer === MATCHED ? wayBack(saved, next(at)) : answer;
      };
    },
    reference: ({ groups: numbers, ignoreCase }, next) => (at) => {
      const number = numbers.find((one) => slots[3 * one - 1] !== undefined);
      if (number === undefined) return FAILED;
      let place = at;
      for (let seen = slots[3 * number - 2]; seen < slots[3 * number - 1]; ) {
        const wanted = codeAt(text, seen, text.length);
        const code = codeAt(text, place, end);
        if (code === -1 || !(ignoreCase ? sameLetter(wanted, code) : wanted === code)) return FAILED;
        seen += sizeOf(wanted);
        place += sizeOf(code);
      }
      return next(place);
    },
    call: ({ group }, next) => {
      const called = calledGroup(group);
      return (at) => {
        for (let outer = calls; outer !== undefined && outer.at === at; outer = outer.outer)
          if (outer.group === group) throw new Error('the pattern calls itself without end');
        const call = { group, at, next, slots: slots.slice(), outer: calls, isLeft: false };
        calls = call;
        const result = called.body(at);
        if (result === MATCHED || result === acceptedBy(called.id)) return MATCHED;
        if (hasMatched(result)) return result;
        calls = call.outer;
        return call.isLeft ? result : FAILED;
      };
    },
    condition: ({ test, yes, no }, next, scope) => {
      const holds = questionOf(test, scope);
      const [one, other] = [compile(yes, next, scope), compile(no, next, scope)];
      return (at) => {
        const saved = slots.slice();
        const answer = holds(at);
        if (answer !== MATCHED && answer !== FAILED) return answer;
        return wayBack(saved, answer === MATCHED ? one(at) : other(at));
      };
    },
    verb: ({ verb, name }, next, scope) => {
      verbs++;
      const onFail = (tell) => (at) => {
        const outer = marks;
        if (name !== '' && verb !== 'SKIP') marks = { name, at, outer };
        const result = next(at);
        if (!hasMatched(result)) marks = outer;
        return result === FAILED ? tell(at) : result;
      };
      switch (verb) {
        case 'FAIL':
          return () => FAILED;
        case 'ACCEPT':
          return (at) => {
            const saved = slots.slice();
            for (const number of scope.groups) [slots[3 * number - 2], slots[3 * number - 1]] = [slots[3 * number], at];
            const result = scope.accept(at);
            return result === MATCHED ? acceptedBy(scope.owner) : wayBack(saved, result);
          };
        case 'COMMIT':
          return onFail(() => COMMITTED);
        case 'SKIP':
          return onFail((at) => skip(at, name));
        case 'THEN':
          return onFail(() => (scope.either === undefined ? PRUNED : thenOf(scope.either)));
        case 'MARK':
          return onFail(() => FAILED);
        default:
          return onFail(() => PRUNED);
      }
    },
    place: ({ place }, next) => {
      switch (place) {
        case 'start':
          return (at) => (at === 0 ? next(at) : FAILED);
        case 'end':
          return (at) => (at === end ? next(at) : FAILED);
        case 'from':
          return (at) => (at === from ? next(at) : FAILED);
        case 'whole':
          return (at) => (isWhole(at) ? next(at) : FAILED);
        case 'byte':
          return (at) => (at < end ? next(at + 1) : FAILED);
        default:
          return (at) => {
            const [before] = slots;
            slots[0] = at;
            const result = next(at);
            if (!hasMatched(result)) slots[0] = before;
            return result;
          };
      }
    },
  };

  function skip(at, name) {
    let mark = marks;
    while (name !== '' && mark !== undefined && mark.name !== name) mark = mark.outer;
    if (name !== '' && mark === undefined) return FAILED;
    skipTo = name === '' ? at : mark.at;
    return SKIPPED;
  }
`;
