import { Failure } from './failure.js';
import { codeOf, readPattern, type PatternNode } from './pattern-syntax.js';

const SYNTAX = { longest: 1000, mostRepeats: 1_000_000 };
/** Steps of looking through one pattern, some milliseconds at most: others hand patterns over by the thousand. */
const MOST_STEPS = 30_000;

/**
 * Why a regular expression might keep JavaScript's engine, which tries one way after the other, busy for longer than the
 * square of a text's length, whatever the text; undefined when it surely does not. Words that go on behind "it". Some that
 * would do no harm are found guilty, none that do harm are acquitted: repeats with numbers count as endless ones.
 */
export function patternRisk(source: string): string | undefined {
  try {
    return riskOf(readPattern(source, SYNTAX), source);
  } catch (thrown) {
    if (thrown instanceof Failure) return 'is not of a kind of which it is known how long it takes';
    throw thrown;
  }
}

function riskOf(node: PatternNode, source: string): string | undefined {
  const automaton = new Automaton(source);
  const whole = automaton.read(node);
  if (automaton.repeatsNothing) return 'repeats what may be nothing a fixed number of times';
  const loops = automaton.loops();
  if (loops.some((loop) => automaton.hasTwoWays(loop)))
    return 'can be matched in ever more ways the longer the text is';
  const slow = loops.filter((loop) => mayFailAfter(node) || !loop.every((at) => whole.last.has(at)));
  const isAnchored = beginsAtStart(node);
  return automaton.mostPairs(slow, isAnchored ? undefined : whole.first) > 1
    ? 'has several repeats that can take the same characters'
    : undefined;
}

/** How a part begins and ends, by the positions of characters, each with the number of ways (at most 2). */
interface Part {
  readonly first: Ways;
  readonly last: Ways;
  /** Ways to be nothing, at most 2. */
  readonly empty: number;
}

type Ways = ReadonlyMap<number, number>;

/** Glushkov's construction: each place of the pattern where a character is taken, and which can come after which. */
class Automaton {
  /** Not endless loops, but as many ways as there are choices of which turn is empty. */
  repeatsNothing = false;
  readonly #characters: readonly number[];
  /** For each position the characters it takes, one bit for each of `#characters`. */
  readonly #sets: bigint[] = [];
  readonly #follow: Map<number, number>[] = [];
  #steps = 0;

  constructor(source: string) {
    this.#characters = charactersOf(source);
  }

  read(node: PatternNode): Part {
    switch (node.kind) {
      case 'char':
        return this.#character(node.test);
      case 'assert':
        return NOTHING;
      case 'sequence':
        return node.parts.map((part) => this.read(part)).reduce((one, next) => this.#join(one, next), NOTHING);
      case 'choice': {
        const parts = node.parts.map((part) => this.read(part));
        return {
          first: sum(parts.map(({ first }) => first)),
          last: sum(parts.map(({ last }) => last)),
          empty: capped(parts.reduce((count, { empty }) => count + empty, 0)),
        };
      }
      case 'repeat':
        return this.#repeat(node.part, node.least, node.most);
      default:
        return node satisfies never;
    }
  }

  #character(test: (char: number) => boolean): Part {
    const at = this.#sets.length;
    this.#sets.push(
      this.#characters.reduce((bits, char, index) => (test(char) ? bits | (1n << BigInt(index)) : bits), 0n),
    );
    this.#follow.push(new Map());
    const here = new Map([[at, 1]]);
    return { first: here, last: here, empty: 0 };
  }

  #join(one: Part, next: Part): Part {
    this.#connect(one.last, next.first);
    return {
      first: sum([one.first, times(next.first, one.empty)]),
      last: sum([next.last, times(one.last, next.empty)]),
      empty: capped(one.empty * next.empty),
    };
  }

  #repeat(node: PatternNode, least: number, most: number): Part {
    if (most === 0) return NOTHING;
    const part = this.read(node);
    if (most > 1) {
      if (part.empty > 0 && (least > 1 || Number.isFinite(most))) this.repeatsNothing = true;
      this.#connect(part.last, part.first);
    }
    return least === 0 ? { ...part, empty: capped(part.empty + 1) } : part;
  }

  #connect(from: Ways, to: Ways): void {
    for (const [before, one] of from)
      for (const [after, other] of to) {
        const follow = this.#follow[before];
        follow?.set(after, capped((follow.get(after) ?? 0) + one * other));
        this.#step();
      }
  }

  /** Positions that can be come to again, together with those met on the way. */
  loops(): number[][] {
    const reached = this.#follow.map((_, at) => this.#reachable([at]));
    const left = new Set(reached.keys());
    const loops: number[][] = [];
    for (const [at, from] of reached.entries()) {
      if (!left.has(at) || !from.has(at)) continue;
      const loop = [...from].filter((other) => reached[other]?.has(at) === true);
      for (const each of loop) left.delete(each);
      loops.push(loop);
    }
    return loops;
  }

  /** True when some text leads from a position of the loop back to it in two ways: then twice as many ways with each turn. */
  hasTwoWays(loop: readonly number[]): boolean {
    const inside = new Set(loop);
    const next = (at: number): number[] => [...this.#followers(at).keys()].filter((each) => inside.has(each));
    if (loop.some((at) => next(at).some((each) => (this.#followers(at).get(each) ?? 0) > 1))) return true;
    const before = new Map<number, number[]>(loop.map((at) => [at, []]));
    for (const at of loop) for (const each of next(at)) before.get(each)?.push(at);
    const apart = this.#pairsFrom(loop, next);
    const together = this.#pairsFrom(loop, (at) => before.get(at) ?? []);
    return [...apart].some((pair) => together.has(pair));
  }

  /** Pairs of two different positions to which one text leads from one and the same, with steps taken by `next`. */
  #pairsFrom(loop: readonly number[], next: (at: number) => number[]): Set<number> {
    const count = this.#sets.length;
    const found = new Set<number>();
    const open = loop.map((at) => at * count + at);
    const seen = new Set(open);
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [one, other] = [Math.floor(pair / count), pair % count];
      for (const left of next(one))
        for (const right of next(other)) {
          this.#step();
          const reached = left * count + right;
          if (seen.has(reached) || !this.#share(left, right)) continue;
          seen.add(reached);
          open.push(reached);
          if (left !== right) found.add(reached);
        }
    }
    return found;
  }

  /**
   * How often, on one way through, a repeat can hand its characters over to a later one at any place: each such pair takes
   * the text's length once more. `first`: where a match can begin at every character, which is a repeat too.
   */
  mostPairs(loops: readonly (readonly number[])[], first: Ways | undefined): number {
    const all = loops.map((loop) => ({
      takes: loop.reduce((bits, at) => bits | this.#set(at), 0n),
      next: loop.flatMap((at) => [...this.#followers(at).keys()]),
      loop: new Set(loop),
    }));
    const everything = (1n << BigInt(this.#characters.length)) - 1n;
    if (first !== undefined) all.unshift({ takes: everything, next: [...first.keys()], loop: new Set() });
    const most = new Map<number, number>();
    const pairsFrom = (index: number): number => {
      const known = most.get(index);
      if (known !== undefined) return known;
      const { takes, next, loop } = all[index] ?? { takes: 0n, next: [], loop: new Set<number>() };
      let best = 0;
      for (const [other, { takes: taken, loop: later }] of all.entries()) {
        if (other === index || later.size === 0) continue;
        const outside = next.filter((at) => !loop.has(at));
        if (!intersects(later, this.#reachable(outside, undefined, true))) continue;
        const isPair = (takes & taken) !== 0n && intersects(later, this.#reachable(outside, takes & taken, true));
        best = Math.max(best, pairsFrom(other) + (isPair ? 1 : 0));
      }
      most.set(index, best);
      return best;
    };
    return Math.max(0, ...Array.from(all.keys(), pairsFrom));
  }

  /** Positions behind those given, and these as well `withStart`; only through such as take one of the characters `by`. */
  #reachable(from: readonly number[], by?: bigint, withStart = false): Set<number> {
    const isOpen = (at: number): boolean => by === undefined || (this.#set(at) & by) !== 0n;
    const open = withStart ? from.filter(isOpen) : from.flatMap((at) => [...this.#followers(at).keys()].filter(isOpen));
    const seen = new Set(open);
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const each of this.#followers(at).keys()) {
        this.#step();
        if (seen.has(each) || !isOpen(each)) continue;
        seen.add(each);
        open.push(each);
      }
    return seen;
  }

  /** @throws Failure `pattern_too_large` */
  #step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new Failure('pattern_too_large', 'The pattern is too large.');
  }

  #followers(at: number): Ways {
    return this.#follow[at] ?? new Map();
  }

  #set(at: number): bigint {
    return this.#sets[at] ?? 0n;
  }

  #share(one: number, other: number): boolean {
    return (this.#set(one) & this.#set(other)) !== 0n;
  }
}

const NOTHING: Part = { first: new Map(), last: new Map(), empty: 1 };

function capped(count: number): number {
  return Math.min(count, 2);
}

function sum(all: readonly Ways[]): Ways {
  const total = new Map<number, number>();
  for (const ways of all) for (const [at, count] of ways) total.set(at, capped((total.get(at) ?? 0) + count));
  return total;
}

function times(ways: Ways, factor: number): Ways {
  return factor === 0 ? new Map() : new Map(Array.from(ways, ([at, count]) => [at, capped(count * factor)]));
}

function intersects(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return [...one].some((each) => other.has(each));
}

/** One character for each way in which the sets of the pattern can lie to each other: what sets begin and end with, and what is beside. */
function charactersOf(source: string): readonly number[] {
  const named = Array.from(source, codeOf);
  const escaped = Array.from(source.matchAll(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi), ([, four, two]) =>
    Number.parseInt(four ?? two ?? '', 16),
  );
  const usual = [...Array.from({ length: 256 }, (_, char) => char), ...WHITE, 0xffff, 0x10_ffff];
  return [...new Set([...named, ...escaped, ...usual].flatMap((char) => [char - 1, char, char + 1]))].filter(
    (char) => char >= 0 && char <= 0x10_ffff,
  );
}

/** White space beyond the first 256 characters: where it begins and ends. */
const WHITE = [0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff];

function beginsAtStart(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.what === 'start';
    case 'sequence': {
      const [first] = node.parts;
      return first !== undefined && beginsAtStart(first);
    }
    case 'choice':
      return node.parts.every(beginsAtStart);
    case 'repeat':
      return node.least > 0 && beginsAtStart(node.part);
    case 'char':
      return false;
    default:
      return node satisfies never;
  }
}

/** False when what was taken last is never given back: nothing is asked of what comes after it. */
function mayFailAfter(node: PatternNode): boolean {
  if (node.kind === 'assert') return node.what !== 'start';
  if (node.kind === 'char') return false;
  return node.kind === 'repeat' ? mayFailAfter(node.part) : node.parts.some(mayFailAfter);
}
