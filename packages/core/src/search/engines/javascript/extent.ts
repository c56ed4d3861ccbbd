/** How much a part of a pattern matches, and in which order it tries to. */
export interface Extent {
  /** Characters. */
  readonly least: number;
  readonly most: number;
  /** As `least`, where places such as the ends of words are none: 0 for what matches nothing between the bytes of a character. */
  readonly inside: number;
  /** The same at the start of a text. */
  readonly atStart: number;
  /** The same whatever is behind that start. */
  readonly atAnyStart: number;
  /** Whatever stands there, nothing at all is what it tries first. */
  readonly isNothingFirst: boolean;
  /** Once it has tried nothing at all, it tries nothing that is longer. */
  readonly isNothingLast: boolean;
  /** PCRE2 looks for it where lines begin, and nowhere else. */
  readonly isAtLine: boolean;
}

/** Of what is not there. */
export const NOTHING: Extent = {
  least: 0,
  most: 0,
  inside: 0,
  atStart: 0,
  atAnyStart: 0,
  isNothingFirst: true,
  isNothingLast: true,
  isAtLine: false,
};

export function characters(least: number, most: number): Extent {
  // Not made of another one: a pattern may have very many.
  return {
    least,
    most,
    inside: least,
    atStart: least,
    atAnyStart: least,
    isNothingFirst: false,
    isNothingLast: true,
    isAtLine: false,
  };
}

/** Of what matches places, and no text. */
export function places(kind: 'start' | 'line' | 'other'): Extent {
  const atStart = kind === 'other' ? 1 : 0;
  return { ...NOTHING, inside: 1, atStart, atAnyStart: atStart, isNothingFirst: false, isAtLine: kind === 'line' };
}

/** Of what looks around for a part. */
export function lookAround(part: Extent, kind: 'ahead' | 'behind', isWanted: boolean): Extent {
  const whether = (least: number): number => ((least === 0) === isWanted ? 0 : 1);
  return {
    ...NOTHING,
    inside: whether(part.inside),
    atStart: whether(part.atStart),
    atAnyStart: isWanted ? part.atAnyStart : 1,
    isNothingFirst: false,
    isAtLine: kind === 'ahead' && isWanted && part.isAtLine,
  };
}

export function inSequence(one: Extent, next: Extent): Extent {
  if (one === NOTHING) return next;
  if (next === NOTHING) return one;
  return {
    least: one.least + next.least,
    most: one.most + next.most,
    inside: one.inside + next.inside,
    atStart: one.atStart + next.atStart,
    atAnyStart: one.atAnyStart + next.atAnyStart,
    isNothingFirst: one.isNothingFirst && next.isNothingFirst,
    isNothingLast: one.isNothingLast && next.isNothingLast,
    isAtLine: one.isAtLine,
  };
}

export function either(one: Extent, next: Extent): Extent {
  return {
    least: Math.min(one.least, next.least),
    most: Math.max(one.most, next.most),
    inside: Math.min(one.inside, next.inside),
    atStart: Math.min(one.atStart, next.atStart),
    atAnyStart: Math.min(one.atAnyStart, next.atAnyStart),
    isNothingFirst: one.isNothingFirst,
    isNothingLast: (one.least > 0 || next.most === 0) && one.isNothingLast && next.isNothingLast,
    isAtLine: one.isAtLine && next.isAtLine,
  };
}

export interface Times {
  readonly least: number;
  readonly most: number;
  readonly isGreedy: boolean;
}

export function repeated(part: Extent, { least, most, isGreedy }: Times): Extent {
  if (most === 0) return NOTHING;
  const isLeft = !isGreedy && least === 0;
  return {
    least: product(part.least, least),
    most: product(part.most, most),
    inside: product(part.inside, least),
    atStart: product(part.atStart, least),
    atAnyStart: product(part.atAnyStart, least),
    isNothingFirst: isLeft || part.isNothingFirst,
    isNothingLast: isLeft ? part.most === 0 : part.isNothingLast,
    isAtLine: least > 0 && part.isAtLine,
  };
}

function product(size: number, times: number): number {
  return size === 0 || times === 0 ? 0 : size * times;
}
