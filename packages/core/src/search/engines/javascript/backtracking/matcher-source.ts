/**
 * The part of a worker's program that matches what JavaScript's expressions cannot (JavaScript as text; see `worker-source.ts`): a
 * backtracking matcher over a `MatcherTree`, used like an expression with the flag `g`.
 *
 * Each node becomes a function that is given a place and tells whether the node and all that follows it match from there; what follows is
 * known when the function is made. What a way through the pattern has set (`slots`) is set back by whoever set it when the way fails, so
 * that a function which fails has changed nothing.
 */
export const MATCHER_SOURCE = String.raw`
/** What a function of a matcher gives. A verb fails in its own way; beyond these: see 'thenOf' and 'acceptedBy'. */
const [FAILED, MATCHED, COMMITTED, PRUNED, SKIPPED] = [0, 1, 2, 3, 4];
/** The next branch of that 'either' is to be tried. */
const thenOf = (id) => 10 + id;
/** All that encloses it up to that node has matched. */
const acceptedBy = (id) => -1 - id;
const hasMatched = (result) => result === MATCHED || result < 0;
/** Functions: what needs more is too large. */
const MAX_NODES = 500_000;
/** Sets with which a match may begin: more rule out too little. */
const MAX_FIRST = 64;

const UTF16 = {
  codeAt: (text, at, end) => (at < end ? text.codePointAt(at) : -1),
  codeBefore: (text, at) => {
    if (at === 0) return -1;
    const code = text.charCodeAt(at - 1);
    return (code & 0xfc00) === 0xdc00 && at > 1 ? text.codePointAt(at - 2) : code;
  },
  sizeOf: (code) => (code > 0xffff ? 2 : 1),
};
/** Of UTF-8, each of whose bytes is a code unit. There is no character at a place within one. */
const UTF8 = {
  codeAt: (text, at, end) => {
    if (at >= end) return -1;
    const first = text.charCodeAt(at);
    if (first < 0x80) return first;
    if (first < 0xc2) return -1;
    const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (at + size > end) return -1;
    let code = first & (0x7f >> size);
    for (let next = 1; next < size; next++) {
      const byte = text.charCodeAt(at + next);
      if ((byte & 0xc0) !== 0x80) return -1;
      code = code * 64 + (byte & 0x3f);
    }
    return code;
  },
  codeBefore: (text, at) => {
    for (let size = 1; size <= Math.min(4, at); size++) {
      if ((text.charCodeAt(at - size) & 0xc0) === 0x80) continue;
      const code = UTF8.codeAt(text, at - size, at);
      return UTF8.sizeOf(code) === size ? code : -1;
    }
    return -1;
  },
  sizeOf: (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4),
};
const BYTES = {
  codeAt: (text, at, end) => (at < end ? text.charCodeAt(at) : -1),
  codeBefore: (text, at) => (at > 0 ? text.charCodeAt(at - 1) : -1),
  sizeOf: () => 1,
};

/** Whether a character is one of those that the expression matches; what was asked once is known. */
function testerOf(source) {
  const expression = new RegExp('^(?:' + source + ')$', 'v');
  const known = new Uint8Array(0x3000);
  return (code) => {
    if (code >= known.length) return expression.test(String.fromCodePoint(code));
    if (known[code] === 0) known[code] = expression.test(String.fromCodePoint(code)) ? 1 : 2;
    return known[code] === 1;
  };
}

const sameLetter = (one, other) =>
  one === other || new RegExp('^\\u{' + one.toString(16) + '}$', 'iv').test(String.fromCodePoint(other));

function newMatcher({ root, groups, isMerged, isOfBytes, begins, endsBehind }) {
  const units = isOfBytes ? UTF8 : UTF16;
  const { codeAt, codeBefore, sizeOf } = units;
  let text = '';
  /** What stands from there on is not seen; see 'MatcherTree.endsBehind'. */
  let end = 0;
  /** Where the search began. */
  let from = 0;
  /** Where the match is told from if not from its start, then of each group its start, its end and where it was opened last, then of loops where they began. */
  let slots = [];
  /** Places to which a way has come; see 'MatcherTree.isMerged'. */
  let visited = new Set();
  /** Calls that have not come to their end: the group, where it was called, and what follows. */
  let calls;
  /** Named places that were passed. */
  let marks;
  let skipTo = 0;
  /** Where a part ended that gives nothing back. */
  let ended = 0;
  /** Where what is looked for behind has to end. */
  let target = 0;
  let size = 3 * groups + 1;
  let nodes = 0;
  let verbs = 0;
  const groupNodes = new Map();
  /** What is known of sets that were met, by their sources. */
  const [sets, byteSets] = [new Map(), new Map()];
  const calledGroups = new Map();

  const once = (next) => {
    if (!isMerged) return next;
    const id = nodes++;
    return (at) => {
      const key = id * (text.length + 1) + at;
      if (visited.has(key)) return FAILED;
      visited.add(key);
      return next(at);
    };
  };
  const wayBack = (saved, result) => {
    if (!hasMatched(result)) slots = saved;
    return result;
  };

  /** 'scope': the groups around, the 'either' around, and what accepting comes to. */
  function compile(node, next, scope) {
    if (++nodes > MAX_NODES) throw new SyntaxError('Regular expression too large');
    return MAKERS[node.kind](node, next, scope);
  }

  function compileOne({ source, ofByte }) {
    const known = ofByte ? byteSets : sets;
    if (!known.has(source)) known.set(source, { ...(ofByte ? BYTES : units), isIn: testerOf(source) });
    return known.get(source);
  }

  /** A character, as often as it may be there. */
  function repeatOne(one, { least, most, isGreedy }, next) {
    const greedily = (at) => {
      let [place, times] = [at, 0];
      for (; times < most; times++) {
        const code = one.codeAt(text, place, end);
        if (code === -1 || !one.isIn(code)) break;
        place += one.sizeOf(code);
      }
      for (; times >= least; times--) {
        const result = next(place);
        if (result !== FAILED || times === least) return result;
        place -= one.sizeOf(one.codeBefore(text, place));
      }
      return FAILED;
    };
    const lazily = (at) => {
      for (let [place, times] = [at, 0]; ; times++) {
        if (times >= least) {
          const result = next(place);
          if (result !== FAILED) return result;
        }
        const code = times < most ? one.codeAt(text, place, end) : -1;
        if (code === -1 || !one.isIn(code)) return FAILED;
        place += one.sizeOf(code);
      }
    };
    return isGreedy ? greedily : lazily;
  }

  function inTurn(isGreedy, first, second) {
    const [one, other] = isGreedy ? [first, second] : [second, first];
    return once((at) => {
      const result = one(at);
      return result === FAILED ? other(at) : result;
    });
  }

  function repeatOften({ body, least, isGreedy }, next, scope) {
    const slot = size++;
    // What is used in it is made only now.
    let again;
    const inner = once(compile(body, (at) => (!isMerged && at === slots[slot] ? next(at) : again(at)), scope));
    const enter = (at) => {
      const before = slots[slot];
      slots[slot] = at;
      const result = inner(at);
      if (!hasMatched(result)) slots[slot] = before;
      return result;
    };
    again = inTurn(isGreedy, enter, next);
    if (least === 0) return isMerged ? inTurn(isGreedy, enter, next) : again;
    let whole = enter;
    for (let left = least - 1; left > 0; left--) whole = compile(body, whole, scope);
    return whole;
  }

  /** A look around, as a question; a verb in what is looked for fails all. What groups in it matched stays. */
  function compileLook({ isBehind, isWanted, branches }, scope) {
    const id = nodes++;
    const either = branches.length > 1 ? id : undefined;
    const inner = { groups: [], either, accept: () => MATCHED, owner: id };
    const last = isBehind ? (at) => (at === target ? MATCHED : FAILED) : () => MATCHED;
    const ways = branches.map(({ body, least, most }) => ({ least, most, way: compile(body, last, inner) }));
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
      const code = count < most ? codeBefore(text, place) : 0;
      // PCRE2 does not go back at all where there is no whole character.
      if (code === -1 && place > 0) return [];
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

  /** What follows a called group; what was matched within is forgotten, but for where the match is told from. */
  const comeBack = (at) => {
    const call = calls;
    const inner = slots;
    slots = call.slots.slice();
    slots[0] = inner[0];
    calls = call.outer;
    const result = call.next(at);
    if (hasMatched(result)) return result;
    [slots, calls] = [inner, call];
    // A verb behind the call is no longer one within it.
    if (result !== FAILED) call.isLeft = true;
    return result;
  };

  function calledGroup(group) {
    let way = calledGroups.get(group);
    if (way === undefined) {
      // It may call itself.
      calledGroups.set(group, { body: undefined });
      way = calledGroups.get(group);
      const id = nodes++;
      way.id = id;
      const scope = { groups: [], either: undefined, accept: comeBack, owner: id };
      way.body = compile(group === 0 ? root : groupNodes.get(group), comeBack, scope);
    }
    return way;
  }

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
    const last = (at) => (isBehind && at !== slots[place] ? FAILED : goOn());
    const inner = { ...scope, groups: [], accept: goOn, owner };
    const ways = branches.map(({ body, least, most }) => ({ least, most, way: compile(body, last, inner) }));
    return (at) => {
      const before = [slots[place], slots[seen]];
      [slots[place], slots[seen]] = [at, end];
      let result = FAILED;
      for (const { way, least, most } of ways) {
        if (isBehind && endsBehind && least < most) end = at;
        for (const start of isBehind ? startsBefore(at, least, most) : [at])
          if (result === FAILED) result = way(start);
        end = slots[seen];
      }
      if (hasMatched(result)) return result === acceptedBy(owner) ? MATCHED : result;
      [slots[place], slots[seen]] = before;
      return result;
    };
  }

  function skip(at, name) {
    let mark = marks;
    while (name !== '' && mark !== undefined && mark.name !== name) mark = mark.outer;
    if (name !== '' && mark === undefined) return FAILED;
    skipTo = name === '' ? at : mark.at;
    return SKIPPED;
  }

  function isWhole(at) {
    return (at === 0 || codeBefore(text, at) !== -1) && (at === end || codeAt(text, at, end) !== -1);
  }

  /** From there on. */
  function nextStart(at) {
    const isWithin = isOfBytes ? (code) => (code & 0xc0) === 0x80 : (code) => (code & 0xfc00) === 0xdc00;
    while (at < text.length && isWithin(text.charCodeAt(at))) at++;
    return at;
  }

  (function collect(node) {
    if (node.kind === 'group' && !groupNodes.has(node.number)) groupNodes.set(node.number, node);
    for (const part of [node.body, node.test, node.yes, node.no]) if (part !== undefined) collect(part);
    for (const part of [...(node.parts ?? []), ...(node.branches ?? [])]) collect(part);
  })(root);

  const owner = nodes++;
  let last = 0;
  const finish = (at) => ((last = at), MATCHED);
  const start = compile(root, finish, { groups: [], either: undefined, accept: finish, owner });
  // With verbs it counts where a match was tried.
  const mayStart = verbs > 0 ? undefined : tableOf(firstOf(root, []));

  /** What every match begins with; undefined where it may be nothing, or anything. */
  function firstOf(node, rest) {
    switch (node.kind) {
      case 'set':
        return [node];
      case 'sequence':
        return firstOfAll([...node.parts, ...rest]);
      case 'either':
        return firstOfAny(node.branches, rest);
      case 'condition':
        return firstOfAny([node.yes, node.no], rest);
      case 'group':
      case 'atomic':
        return firstOfAll([node.body, ...rest]);
      case 'repeat': {
        const first = node.most === 0 ? [] : firstOfAll([node.body, ...rest]);
        const other = node.least > 0 ? [] : firstOfAll(rest);
        return first === undefined || other === undefined ? undefined : [...first, ...other];
      }
      case 'look':
        return firstOfAll(rest);
      case 'place':
        return node.place === 'byte' ? undefined : firstOfAll(rest);
      default:
        return undefined;
    }
  }

  function firstOfAll([node, ...rest]) {
    return node === undefined ? undefined : firstOf(node, rest);
  }

  function firstOfAny(branches, rest) {
    const all = branches.map((branch) => firstOf(branch, rest));
    return all.includes(undefined) || all.length > MAX_FIRST ? undefined : all.flat();
  }

  /** Of the first 256 code units, those that may begin a match. */
  function tableOf(sets) {
    if (sets === undefined || sets.length > MAX_FIRST) return undefined;
    const ones = sets.map((node) => ({ ...compileOne(node), ofByte: node.ofByte }));
    const isIn = (unit) => ones.some((one) => one.isIn(unit) || (isOfBytes && unit > 0x7f && !one.ofByte));
    return Uint8Array.from({ length: 0x100 }, (_, unit) => (isIn(unit) ? 1 : 0));
  }

  function nextPossible(at) {
    if (mayStart === undefined) return at;
    while (at < text.length && mayStart[text.charCodeAt(at)] === 0) at++;
    return at;
  }

  const matcher = {
    lastIndex: 0,
    test: (whole) => matcher.exec(whole) !== null,
    /** As an expression's, but for 'kept': where the match is told from, where that is not its beginning. */
    exec: (whole) => {
      text = whole;
      end = text.length;
      from = matcher.lastIndex;
      if (visited.size > 0) visited = new Set();
      [slots, calls, marks] = [new Array(size).fill(undefined), undefined, undefined];
      for (let at = begins === 'with-characters' ? nextStart(from) : from; at <= text.length; ) {
        at = nextPossible(at);
        const result = start(at);
        if (hasMatched(result)) {
          matcher.lastIndex = last;
          return { 0: text.slice(at, last), index: at, indices: undefined, kept: slots[0] };
        }
        if (result === COMMITTED) break;
        if (result === SKIPPED && skipTo > at) at = skipTo;
        else at = begins === 'with-bytes' ? at + 1 : nextStart(at + 1);
      }
      matcher.lastIndex = 0;
      return null;
    },
  };
  return matcher;
}
`;
