import { Failure } from '../../util/failure.js';
import { foldName, parseGlob, segmentEnds, type Segment } from '../../util/match-segment.js';
import { endOfGroup, isGroupStart, skipOpaque } from './expand-braces.js';

/** Groups may have to be tried at every place of a name, so a name's part of a pattern with groups must be short. */
const MAX_GROUPS = 32;
const MAX_LENGTH = 256;

interface Group {
  /** `{` is a brace within a group; it chooses one, as `@` does. */
  readonly kind: '@' | '?' | '+' | '*' | '!';
  readonly choices: readonly Sequence[];
}

type Sequence = readonly (Segment | Group)[];

/**
 * A judge of names for one segment of a glob with groups: `@(a|b)` one of them, `?(…)` none or one, `+(…)` one or
 * more, `*(…)` any number, `!(…)` anything but. Works on the set of places where a part may end, so no pattern
 * takes longer than its length times a power of the name's.
 * @throws Failure `invalid_pattern`
 */
export function groupMatcher(segment: string, ignoreCase: boolean): (name: string) => boolean {
  if (segment.length > MAX_LENGTH) throw tooMany(`is longer than ${MAX_LENGTH} characters and has groups`);
  const sequence = new GroupReader(ignoreCase).read(segment);
  return (given) => {
    const name = ignoreCase ? foldName(given) : given;
    return new Run(name).ends(sequence, new Set([0])).has(name.length);
  };
}

function tooMany(what: string): Failure {
  return new Failure('invalid_pattern', `A part of the pattern ${what}. Use a simpler one.`);
}

export function hasGroup(segment: string): boolean {
  for (let index = 0; index < segment.length; index = skipOpaque(segment, index)) {
    if (isGroupStart(segment, index) && endOfGroup(segment, index) !== undefined) return true;
  }
  return false;
}

class GroupReader {
  readonly #ignoreCase: boolean;
  #groups = 0;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  read(text: string): Sequence {
    const parts: (Segment | Group)[] = [];
    let plainFrom = 0;
    const closePlain = (end: number): void => {
      if (end > plainFrom) {
        const dialect = { ignoreCase: this.#ignoreCase, malformed: 'literal' } as const;
        parts.push(...(parseGlob(text.slice(plainFrom, end), dialect) ?? []));
      }
    };
    for (let index = 0; index < text.length;) {
      const group = this.#groupAt(text, index);
      if (group === undefined) index = skipOpaque(text, index);
      else {
        closePlain(index);
        parts.push(group.group);
        plainFrom = index = group.end;
      }
    }
    closePlain(text.length);
    return parts;
  }

  #groupAt(text: string, index: number): { group: Group; end: number } | undefined {
    const isGroup = isGroupStart(text, index);
    const end = isGroup ? endOfGroup(text, index) : text[index] === '{' ? endOfBrace(text, index) : undefined;
    if (end === undefined) return undefined;
    this.#groups += 1;
    if (this.#groups > MAX_GROUPS) throw tooMany(`has more than ${MAX_GROUPS} groups`);
    const kind = isGroup ? kindOf(text[index]) : '@';
    const inside = text.slice(index + (isGroup ? 2 : 1), end - 1);
    const choices = splitOutside(inside, isGroup ? '|' : ',').map((choice) => this.read(choice));
    return { group: { kind, choices }, end };
  }
}

function kindOf(character: string | undefined): Group['kind'] {
  return character === '?' || character === '+' || character === '*' || character === '!' ? character : '@';
}

/** The index after the `}` of a brace with a comma. */
function endOfBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let hasComma = false;
  for (let index = start; index < text.length; index = skipOpaque(text, index)) {
    if (text[index] === '{') depth += 1;
    else if (text[index] === ',') hasComma ||= depth === 1;
    else if (text[index] === '}') {
      depth -= 1;
      if (depth === 0) return hasComma ? index + 1 : undefined;
    }
  }
  return undefined;
}

/** The pieces between separators that stand in no group, set or brace of their own. */
function splitOutside(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index = skipOpaque(text, index)) {
    if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    else if (text[index] === separator && depth <= 0) {
      pieces.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return [...pieces, text.slice(from)];
}

/** One name being judged. */
class Run {
  readonly #name: string;
  /** Where each `!(…)` ends for each place it was begun at: nested ones would be worked out again and again. */
  readonly #known = new Map<Group, Map<number, ReadonlySet<number>>>();

  constructor(name: string) {
    this.#name = name;
  }

  ends(sequence: Sequence, starts: ReadonlySet<number>): ReadonlySet<number> {
    let places = starts;
    for (const part of sequence) {
      if (places.size === 0) break;
      places = 'tokens' in part ? segmentEnds(part, this.#name, places) : this.#groupEnds(part, places);
    }
    return places;
  }

  #groupEnds(group: Group, starts: ReadonlySet<number>): ReadonlySet<number> {
    if (group.kind === '!') return union(Array.from(starts, (start) => this.#endsOfOthers(group, start)));
    const ends = this.#once(group, starts);
    if (group.kind === '+' || group.kind === '*') {
      // Goes on from what is new, until nothing is.
      let fresh: ReadonlySet<number> = ends;
      while (fresh.size > 0) {
        const found = this.#once(group, fresh);
        fresh = new Set(Array.from(found).filter((end) => !ends.has(end)));
        for (const end of fresh) ends.add(end);
      }
    }
    return group.kind === '?' || group.kind === '*' ? union([starts, ends]) : ends;
  }

  #once({ choices }: Group, starts: ReadonlySet<number>): Set<number> {
    return union(choices.map((choice) => this.ends(choice, starts)));
  }

  /** Every end but those that one of the choices has. */
  #endsOfOthers(group: Group, start: number): ReadonlySet<number> {
    const known = this.#known.get(group) ?? new Map<number, ReadonlySet<number>>();
    this.#known.set(group, known);
    const remembered = known.get(start);
    if (remembered !== undefined) return remembered;
    const excluded = this.#once(group, new Set([start]));
    const all = Array.from({ length: this.#name.length - start + 1 }, (_, index) => start + index);
    const ends = new Set(all.filter((end) => !excluded.has(end)));
    known.set(start, ends);
    return ends;
  }
}

function union(sets: readonly ReadonlySet<number>[]): Set<number> {
  const all = new Set<number>();
  for (const set of sets) for (const each of set) all.add(each);
  return all;
}
