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
import { readTree } from './backtracking/read-tree.js';
import { byteSearch } from './byte-search.js';
import {
  LeftToMatcher,
  LeftToPcre2,
  newReader,
  PatternProblem,
  Unsupported,
  withoutQuotations,
  type Dialect,
  type PatternGroups,
  type PatternReader,
} from './pattern-reader.js';
import { readPattern } from './read-pattern.js';
import type { Expression, JavaScriptPattern, SpanHabits } from './worker-messages.js';

/**
 * A pattern of ripgrep as JavaScript's, or for our own matcher, matching the same. What neither can do faithfully is refused.
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
  own: false,
  isDraft: false,
};

/** Where a pattern without quotations is wrong for PCRE2, in code units; undefined where that is not known. */
export function placeForPcre2(text: string): number | undefined {
  try {
    readWhole(text, false, { ...ORDINARY, own: true, engine: 'pcre2', unit: 'line' });
    return undefined;
  } catch (thrown) {
    return thrown instanceof PatternProblem && !(thrown instanceof Unsupported) ? thrown.offset : undefined;
  }
}

/** What JavaScript's expressions cannot say, our own matcher can. */
function translateFor(engine: Dialect['engine'], wanted: SearchPattern, text: string): JavaScriptPattern {
  try {
    return toExpressions(engine, wanted, text);
  } catch (thrown) {
    if (!(thrown instanceof LeftToMatcher)) throw thrown;
    return toTrees(engine, wanted, text);
  }
}

function toTrees(engine: Dialect['engine'], wanted: SearchPattern, text: string): JavaScriptPattern {
  const { caseSensitive, multiline } = wanted;
  const keepsReturn = namesReturn(wanted);
  let dialect: Dialect = {
    ...ORDINARY,
    engine,
    unit: unitOf(engine, wanted),
    fed: keepsReturn,
    spellCase: true,
    named: true,
    own: true,
  };
  let { reader, source } = readWhole(text, !caseSensitive, dialect);
  if (dialect.unit === 'text' && reader.looksAround) {
    dialect = { ...dialect, unit: 'line' };
    ({ reader, source } = readWhole(text, !caseSensitive, dialect));
  }
  const { found } = reader;
  // Across lines, and with the default engine, a search may go on within a character.
  const isOfBytes = reader.isOfBytes || multiline || engine === 'default';
  const treeOf = (written: string): Expression => ({
    root: readTree(written),
    groups: found.groups,
    engine: reader.isInterpreted ? 'pcre2-interpreted' : engine,
    isOfBytes,
  });
  const general = treeOf(source);
  const fed = (): Expression => treeOf(read(text, !caseSensitive, { ...dialect, fed: true }, found).source);
  return {
    flags: reader.starts > 0 ? 'd' : '',
    general,
    plain: general,
    unit: dialect.unit,
    ...(isOfBytes && { isOfBytes }),
    ...(multiline && { spans: { ...spanHabits(text, reader), isAtAnyStart: false, cut: general } }),
    ...(dialect.unit === 'line' && lineHabits(engine, keepsReturn, fed)),
  };
}

/** How lines are searched by themselves; `fed`: the pattern for those that end in a line feed alone. */
function lineHabits(
  engine: Dialect['engine'],
  keepsReturn: boolean,
  fed: () => Expression,
): Pick<JavaScriptPattern, 'keepsReturn' | 'keepsFeed' | 'fed' | 'seesBefore'> {
  const seesBefore = engine === 'pcre2';
  if (keepsReturn) return { keepsReturn, seesBefore };
  return seesBefore ? { fed: fed(), seesBefore } : { keepsFeed: true };
}

/** With PCRE2, ripgrep searches line by line. */
function unitOf(engine: Dialect['engine'], { multiline }: Pick<SearchPattern, 'multiline'>): Dialect['unit'] {
  if (multiline) return 'span';
  return engine === 'pcre2' ? 'line' : 'text';
}

/** Again and again: only then all of its groups are known where they are referred to, and how long they are. */
function readWhole(
  text: string,
  ignoreCase: boolean,
  dialect: Dialect,
): { readonly reader: PatternReader; readonly source: string } {
  let known: PatternGroups | undefined;
  for (let drafts = 0; drafts < 3; drafts++)
    known = read(text, ignoreCase, { ...dialect, isDraft: true }, known).reader.found;
  return read(text, ignoreCase, dialect, known);
}

function toExpressions(
  engine: Dialect['engine'],
  { pattern, caseSensitive, fixedStrings, multiline }: SearchPattern,
  text: string,
): JavaScriptPattern {
  const keepsReturn = namesReturn({ pattern, caseSensitive, fixedStrings, multiline });
  let dialect: Dialect = {
    ...ORDINARY,
    engine,
    unit: unitOf(engine, { multiline }),
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
  const fed = (): Expression => read(text, !caseSensitive, { ...dialect, fed: true }).source;
  return {
    flags,
    general: source,
    plain,
    unit,
    ...(unit === 'line' && lineHabits(engine, keepsReturn, fed)),
    ...literal,
    ...(unit === 'span' && {
      spans: { ...spanHabits(text, reader), cut: read(text, !caseSensitive, { ...dialect, cut: true }).source },
    }),
  };
}

function spanHabits(text: string, reader: PatternReader): Omit<SpanHabits, 'cut'> {
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
  };
}

function read(
  text: string,
  ignoreCase: boolean,
  dialect: Dialect,
  known?: PatternGroups,
): { readonly reader: PatternReader; readonly source: string } {
  const reader = newReader(text, ignoreCase, dialect, known);
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
