import { errorMessage } from '../../../util/failure.js';
import { namesReturn } from '../named-line-ends.js';
import {
  invalidPattern,
  isToldByPcre2,
  patternTooLarge,
  TOO_DEEP,
  TOO_LARGE_FOR_JAVASCRIPT,
} from '../pattern-problem.js';
import { hasLineStart, hasQuotation } from '../plain-sets.js';
import { expressionOf, isPlainText, type SearchPattern } from '../search-pattern.js';
import { byteSearch } from './byte-search.js';
import {
  LeftToPcre2,
  newReader,
  PatternProblem,
  Unsupported,
  withoutQuotations,
  type Dialect,
  type PatternReader,
} from './pattern-reader.js';
import { readPattern } from './read-pattern.js';
import type { JavaScriptPattern, SpanHabits } from './worker-messages.js';

/**
 * A pattern of ripgrep as JavaScript's, matching the same. What JavaScript cannot say faithfully is refused.
 * @throws Failure `invalid_pattern` that points at the character
 */
export function toJavaScriptPattern(wanted: SearchPattern): JavaScriptPattern {
  const text = expressionOf(wanted);
  try {
    const inBytes = byteSearch(wanted);
    return { ...translate(wanted, text), ...(inBytes !== undefined && { inBytes }) };
  } catch (thrown) {
    if (!(thrown instanceof PatternProblem)) throw thrown;
    const hasPlace = !wanted.fixedStrings && thrown.message !== TOO_DEEP && !hasQuotation(text);
    throw invalidPattern(text, thrown.message, hasPlace ? thrown.offset : undefined);
  }
}

/** Whether ripgrep's default engine takes the pattern, unless it is too large; undefined where that is not known. */
export function isForDefaultEngine(wanted: SearchPattern): boolean | undefined {
  try {
    translateFor('default', wanted, expressionOf(wanted));
    return true;
  } catch (thrown) {
    return thrown instanceof PatternProblem && !(thrown instanceof Unsupported) ? false : undefined;
  }
}

/** What ripgrep's default engine refuses is PCRE2's; what both refuse is told as ripgrep's engine tells it. */
function translate(wanted: SearchPattern, text: string): JavaScriptPattern {
  try {
    return translateFor('default', wanted, text);
  } catch (own) {
    if (!(own instanceof PatternProblem) || own instanceof Unsupported) throw own;
    try {
      return translateFor('pcre2', wanted, withoutQuotations(text));
    } catch (other) {
      if (!(other instanceof PatternProblem)) throw other;
      const isForPcre2 =
        other instanceof Unsupported || own instanceof LeftToPcre2 || isToldByPcre2(text, other.message);
      throw isForPcre2 ? other : own;
    }
  }
}

const ORDINARY: Omit<Dialect, 'engine' | 'unit'> = {
  plain: false,
  fed: false,
  cut: false,
  spellCase: false,
  named: false,
};

/** Where a pattern without quotations is wrong for PCRE2, in code units; undefined where that is not known. */
export function placeForPcre2(text: string): number | undefined {
  try {
    read(text, false, { ...ORDINARY, engine: 'pcre2', unit: 'line' });
    return undefined;
  } catch (thrown) {
    return thrown instanceof PatternProblem && !(thrown instanceof Unsupported) ? thrown.offset : undefined;
  }
}

function translateFor(
  engine: Dialect['engine'],
  { pattern, caseSensitive, fixedStrings, multiline }: SearchPattern,
  text: string,
): JavaScriptPattern {
  const keepsReturn = namesReturn({ pattern, caseSensitive, fixedStrings, multiline });
  let dialect: Dialect = {
    ...ORDINARY,
    engine,
    // With PCRE2, ripgrep searches line by line.
    unit: multiline ? 'span' : engine === 'pcre2' ? 'line' : 'text',
    fed: keepsReturn,
  };
  let { reader, source } = read(text, !caseSensitive, dialect);
  // What was met may ask for another reading; the second never asks for a third.
  const unit = !multiline && reader.looksAround ? 'line' : dialect.unit;
  const spellCase = reader.casedSensitively && reader.casedInsensitively;
  if (unit !== dialect.unit || spellCase || reader.needsGroups) {
    dialect = { ...dialect, unit, spellCase, named: reader.needsGroups };
    ({ reader, source } = read(text, !caseSensitive, dialect));
  }
  const ignoreCase = reader.casedInsensitively && !spellCase;
  const flags = `gmv${ignoreCase ? 'i' : ''}${reader.starts > 0 ? 'd' : ''}`;
  const plain = read(text, !caseSensitive, { ...dialect, plain: true }).source;
  check(source, flags, text);
  check(plain, flags, text);
  const literal =
    isPlainText({ pattern, fixedStrings }) && !reader.casedInsensitively && pattern !== '' ? { literal: pattern } : {};
  const ends = (): Pick<JavaScriptPattern, 'keepsReturn' | 'keepsFeed' | 'fed'> => {
    if (keepsReturn) return { keepsReturn };
    return engine === 'default'
      ? { keepsFeed: true }
      : { fed: read(text, !caseSensitive, { ...dialect, fed: true }).source };
  };
  return {
    flags,
    general: source,
    plain,
    unit,
    ...(unit === 'line' && ends()),
    ...literal,
    ...(unit === 'span' && { spans: spanHabits(text, !caseSensitive, reader) }),
  };
}

function spanHabits(text: string, ignoreCase: boolean, reader: PatternReader): SpanHabits {
  const { dialect, extent, starts } = reader;
  const isByLine = dialect.engine === 'default' && !reader.reachesFeeds;
  const isSeen = isByLine ? reader.reachesReturns : reader.hasPlaces;
  return {
    isByLine,
    isSteady: extent.least > 0 && starts === 0 && !isSeen,
    isInside: extent.inside === 0,
    isAtStart: extent.atStart === 0,
    isAtAnyStart: extent.atAnyStart === 0,
    passesFeeds: dialect.engine === 'pcre2' && (extent.isAtLine || (!reader.namesBreaks && hasLineStart(text))),
    cut: read(text, ignoreCase, { ...dialect, cut: true }).source,
  };
}

function read(text: string, ignoreCase: boolean, dialect: Dialect): { reader: PatternReader; source: string } {
  const reader = newReader(text, ignoreCase, dialect);
  return { reader, source: readPattern(reader) };
}

/** Code units: to compile more takes longer than any search. */
const MAX_SOURCE = 500_000;

function check(source: string, flags: string, text: string): void {
  if (source.length > MAX_SOURCE) throw patternTooLarge(TOO_LARGE_FOR_JAVASCRIPT);
  try {
    void new RegExp(source, flags);
  } catch (thrown) {
    if (/too large|too many|stack overflow/i.test(errorMessage(thrown)))
      throw patternTooLarge(TOO_LARGE_FOR_JAVASCRIPT);
    const reason = errorMessage(thrown).replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, '');
    throw new PatternProblem(`${reason} (without ripgrep)`, text.length);
  }
}
