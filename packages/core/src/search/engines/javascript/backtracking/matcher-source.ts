import { CHARACTERS_SOURCE } from './characters-source.js';
import { LOOKS_SOURCE } from './looks-source.js';
import { MAKERS_SOURCE } from './makers-source.js';
import { STARTS_SOURCE } from './starts-source.js';

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
/** Nodes that are looked at for them. */
const MAX_LOOKED = 1_000;
/** Places that are kept at once, some 50 MB. */
const MAX_VISITED = 1_000_000;

${CHARACTERS_SOURCE}

function newMatcher({ root, groups, engine, isOfBytes }) {
  /**
   * Ways through a pattern are alike when they come to the same place of it at the same place of a text, and only the first is gone. PCRE2 goes
   * all, and leaves a loop where a time through matches nothing.
   */
  const isMerged = engine === 'default';
  /** Of what is behind the place where it is looked behind, a branch that may be shorter or longer sees nothing. */
  const endsBehind = engine === 'pcre2';
  const units = isOfBytes ? UTF8 : UTF16;
  const { codeAt, codeBefore, sizeOf } = units;
  let text = '';
  /** What stands from there on is not seen. */
  let end = 0;
  /** Where the search began. */
  let from = 0;
  /** What stands before is not seen: of a search that began within a character, PCRE2's interpreter sees only what follows that. */
  let seenFrom = 0;
  /** Where the match is told from if not from its start, then of each group its start, its end and where it was opened last, then of loops where they began. */
  let slots = [];
  /** Places to which a way has come; see 'isMerged'. */
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
        place -= one.sizeOf(one.codeBefore(text, place, 0));
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
    const known = calledGroups.get(group);
    if (known !== undefined) return known;
    const called = { id: nodes++, body: undefined };
    // It may call itself.
    calledGroups.set(group, called);
    const scope = { groups: [], either: undefined, accept: comeBack, owner: called.id };
    called.body = compile(group === 0 ? root : groupNodes.get(group), comeBack, scope);
    return called;
  }

${LOOKS_SOURCE}
${MAKERS_SOURCE}

  (function collect(node) {
    if (node.kind === 'group' && !groupNodes.has(node.number)) groupNodes.set(node.number, node);
    for (const part of [node.body, node.test, node.yes, node.no]) if (part !== undefined) collect(part);
    for (const part of [...(node.parts ?? []), ...(node.branches ?? [])]) collect(part);
  })(root);

  const owner = nodes++;
  let last = 0;
  const finish = (at) => ((last = at), MATCHED);
  const start = compile(root, finish, { groups: [], either: undefined, accept: finish, owner });
${STARTS_SOURCE}
  // With verbs it counts where a match was tried.
  const mayStart = verbs > 0 ? undefined : tableOf(firstOf(root, []));

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
      const first = engine === 'pcre2-interpreted' ? nextStart(from) : from;
      seenFrom = first > from ? first : 0;
      for (let at = first; at <= text.length; ) {
        at = nextPossible(at);
        const result = start(at);
        if (hasMatched(result)) {
          matcher.lastIndex = last;
          return { 0: text.slice(at, last), index: at, indices: undefined, kept: slots[0] };
        }
        if (result === COMMITTED) break;
        // What has failed would fail again, so they are only kept to save time.
        if (visited.size > MAX_VISITED) visited = new Set();
        if (result === SKIPPED && skipTo > at) at = skipTo;
        else at = engine === 'default' ? at + 1 : nextStart(at + 1);
      }
      matcher.lastIndex = 0;
      return null;
    },
  };
  return matcher;
}
`;
