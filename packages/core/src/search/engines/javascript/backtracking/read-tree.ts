import type { Condition, Look, LookBranch, MatcherNode, Place } from './matcher-tree.js';

interface TreeReader {
  readonly source: string;
  at: number;
  /** What is looked for around a place: how wide it is is known once all groups are. */
  readonly looks: LookBranch[];
  /** By their numbers. */
  readonly groups: Map<number, MatcherNode>;
}

/** As far as PCRE2 looks behind. */
const MAX_BEHIND = 255;

/** Reads what is written in JavaScript's notation with the flag `v`, as far as the pattern's readers use it, and in `notation`. */
export function readTree(source: string): MatcherNode {
  const reader: TreeReader = { source, at: 0, looks: [], groups: new Map() };
  const root = readBranches(reader);
  if (reader.at < source.length) throw unreadable(reader);
  for (const branch of reader.looks) {
    const [least, most] = widthOf(branch.body, { groups: reader.groups, open: new Set() });
    [branch.least, branch.most] = [Math.min(least, MAX_BEHIND), Math.min(most, MAX_BEHIND)];
  }
  return root;
}

function unreadable({ source, at }: TreeReader): Error {
  return new Error(`not understood at ${at}: ${source.slice(at, at + 40)}`);
}

function take(reader: TreeReader, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = reader.at;
  const match = expression.exec(reader.source) ?? undefined;
  if (match !== undefined) reader.at += match[0].length;
  return match;
}

/** Up to the bracket that closes the group, or the end. */
function readBranches(reader: TreeReader): MatcherNode {
  const branches = listBranches(reader);
  const [first] = branches;
  return branches.length === 1 && first !== undefined ? first : { kind: 'either', branches };
}

function listBranches(reader: TreeReader): MatcherNode[] {
  const branches: MatcherNode[] = [];
  do branches.push(readSequence(reader));
  while (take(reader, /\|/y) !== undefined);
  return branches;
}

function readSequence(reader: TreeReader): MatcherNode {
  const parts: MatcherNode[] = [];
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at)))
    parts.push(readRepeated(reader));
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind: 'sequence', parts };
}

function readRepeated(reader: TreeReader): MatcherNode {
  const body = readAtom(reader);
  const quantifier = take(reader, /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y);
  if (quantifier === undefined) return body;
  const [, sign, first = '', comma, second, lazy] = quantifier;
  const isGreedy = lazy === '';
  if (sign !== undefined)
    return { kind: 'repeat', body, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity, isGreedy };
  const least = Number(first);
  const most = comma === undefined ? least : second === '' ? Infinity : Number(second);
  return { kind: 'repeat', body, least, most, isGreedy };
}

function readAtom(reader: TreeReader): MatcherNode {
  if (take(reader, /\(\*bytes\)/y) !== undefined) return { kind: 'set', source: takeSet(reader), ofByte: true };
  const special = take(reader, /\(\*(\w+)(?::([^)]*))?\)/y);
  if (special !== undefined) return specialNode(special[1] ?? '', special[2] ?? '');
  if (reader.source[reader.at] === '(') return readGroup(reader);
  return { kind: 'set', source: takeSet(reader), ofByte: false };
}

const PLACES: ReadonlySet<string> = new Set(['start', 'end', 'from', 'keep', 'byte', 'whole'] satisfies Place[]);

function specialNode(name: string, detail: string): MatcherNode {
  if (PLACES.has(name)) return { kind: 'place', place: name as Place };
  if (name === 'same' || name === 'uncased')
    return { kind: 'reference', groups: numbersOf(detail), ignoreCase: name === 'uncased' };
  if (name === 'call') return { kind: 'call', group: Number(detail) };
  return { kind: 'verb', verb: name, name: detail };
}

function numbersOf(list: string): number[] {
  return list.split(',').filter(Boolean).map(Number);
}

/** An expression for one character. */
function takeSet(reader: TreeReader): string {
  const simple = take(reader, /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|x..|u....|[^])|[^\\[\](){}*+?|^$./]/uy);
  if (simple !== undefined) return simple[0];
  if (reader.source[reader.at] !== '[') throw unreadable(reader);
  const start = reader.at;
  let depth = 0;
  do {
    const piece = take(reader, /\\[^]|[^]/y)?.[0];
    if (piece === undefined) throw unreadable(reader);
    if (piece === '[') depth++;
    if (piece === ']') depth--;
  } while (depth > 0);
  return reader.source.slice(start, reader.at);
}

function readGroup(reader: TreeReader): MatcherNode {
  const number = take(reader, /\(\?<g(\d+)>/y)?.[1];
  if (number !== undefined) {
    const body = readRest(reader);
    if (!reader.groups.has(Number(number))) reader.groups.set(Number(number), body);
    return { kind: 'group', number: Number(number), body };
  }
  if (take(reader, /\(\?>/y) !== undefined) return { kind: 'atomic', body: readRest(reader) };
  if (take(reader, /\(\?:/y) !== undefined) return readRest(reader);
  if (take(reader, /\(\?(?=\()/y) !== undefined) return readCondition(reader);
  return readLook(reader);
}

function readRest(reader: TreeReader): MatcherNode {
  const body = readBranches(reader);
  close(reader);
  return body;
}

function close(reader: TreeReader): void {
  if (take(reader, /\)/y) === undefined) throw unreadable(reader);
}

function readLook(reader: TreeReader): Look {
  const [, star, behind, sign] = take(reader, /\(\?(\*?)(<?)([=!])/y) ?? [];
  if (sign === undefined) throw unreadable(reader);
  const branches = listBranches(reader).map((body): LookBranch => ({ body, least: 0, most: MAX_BEHIND }));
  reader.looks.push(...branches);
  close(reader);
  return { kind: 'look', isBehind: behind === '<', isWanted: sign === '=', givesBack: star === '*', branches };
}

function readCondition(reader: TreeReader): MatcherNode {
  const known = take(reader, /\((?:groups:([\d,]*)|within:(\d*)|(yes|no))\)/y);
  const test: Condition =
    known === undefined
      ? readLook(reader)
      : known[1] !== undefined
        ? { kind: 'groups', groups: numbersOf(known[1]) }
        : known[2] !== undefined
          ? { kind: 'within', group: known[2] === '' ? undefined : Number(known[2]) }
          : { kind: 'known', holds: known[3] === 'yes' };
  const [yes = NOTHING, no] = listBranches(reader);
  close(reader);
  return { kind: 'condition', test, yes, no: no ?? NOTHING, isWhole: no !== undefined };
}

const NOTHING: MatcherNode = { kind: 'sequence', parts: [] };

/** What is known of groups where their widths are asked for. */
interface Widths {
  readonly groups: ReadonlyMap<number, MatcherNode>;
  /** Those that are asked for just now. */
  readonly open: ReadonlySet<number>;
}

/** Characters that it matches. */
function widthOf(node: MatcherNode, known: Widths): [least: number, most: number] {
  if (node.kind === 'sequence') return ofSequence(node.parts, known);
  if (node.kind === 'either') return ofBranches(node.branches, known);
  // PCRE2 takes what need not be there for as long as what may be there.
  if (node.kind === 'condition') return ofBranches(node.isWhole ? [node.yes, node.no] : [node.yes], known);
  if (node.kind === 'group' || node.kind === 'atomic') return widthOf(node.body, known);
  if (node.kind === 'reference') return ofGroup(node.groups[0] ?? 0, known);
  if (node.kind === 'call') return ofGroup(node.group, known);
  if (node.kind === 'repeat') {
    const [least, most] = widthOf(node.body, known);
    return [least * node.least, most === 0 || node.most === 0 ? 0 : most * node.most];
  }
  const isCharacter = node.kind === 'set' || (node.kind === 'place' && node.place === 'byte');
  return isCharacter ? [1, 1] : [0, 0];
}

function ofGroup(number: number, { groups, open }: Widths): [number, number] {
  const body = open.has(number) ? undefined : groups.get(number);
  return body === undefined ? [0, MAX_BEHIND] : widthOf(body, { groups, open: new Set([...open, number]) });
}

/** Nothing that follows some verbs is ever matched. */
function ofSequence(parts: readonly MatcherNode[], known: Widths): [number, number] {
  const end = parts.findIndex((part) => part.kind === 'verb' && /^(?:ACCEPT|FAIL)$/.test(part.verb));
  const widths = parts.slice(0, end === -1 ? parts.length : end).map((part) => widthOf(part, known));
  return widths.reduce(([least, most], [low, high]) => [least + low, most + high], [0, 0]);
}

function ofBranches(branches: readonly MatcherNode[], known: Widths): [number, number] {
  const widths = branches.map((branch) => widthOf(branch, known));
  return [Math.min(...widths.map(([least]) => least)), Math.max(...widths.map(([, most]) => most))];
}
