import { errorMessage } from '../../../util/failure.js';
import { invalidPattern } from '../pattern-problem.js';
import { expressionOf, isPlainText, type SearchPattern } from '../search-pattern.js';
import { byteSearch } from './byte-search.js';
import { newReader, PatternProblem, type Dialect, type PatternReader } from './pattern-reader.js';
import { readPattern } from './read-pattern.js';
import type { JavaScriptPattern } from './worker-messages.js';

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
    throw invalidPattern(text, thrown.message, wanted.fixedStrings ? undefined : thrown.offset);
  }
}

function translate(
  { pattern, caseSensitive, fixedStrings, multiline }: SearchPattern,
  text: string,
): JavaScriptPattern {
  let dialect: Dialect = { unit: multiline ? 'span' : 'text', plain: false, spellCase: false, numbered: false };
  let { reader, source } = read(text, !caseSensitive, dialect);
  // What was met may ask for another reading; the second never asks for a third.
  const unit = !multiline && (reader.looksAround || reader.refersBack) ? 'line' : dialect.unit;
  const spellCase = reader.casedSensitively && reader.casedInsensitively;
  if (unit !== dialect.unit || spellCase || reader.refersBack) {
    dialect = { unit, plain: false, spellCase, numbered: reader.refersBack };
    ({ reader, source } = read(text, !caseSensitive, dialect));
  }
  const ignoreCase = reader.casedInsensitively && !spellCase;
  const flags = `gmv${ignoreCase ? 'i' : ''}`;
  const plain = read(text, !caseSensitive, { ...dialect, plain: true }).source;
  check(source, flags, text);
  check(plain, flags, text);
  const literal =
    isPlainText({ pattern, fixedStrings }) && !reader.casedInsensitively && pattern !== '' ? { literal: pattern } : {};
  return { flags, general: source, plain, unit, ...literal };
}

function read(text: string, ignoreCase: boolean, dialect: Dialect): { reader: PatternReader; source: string } {
  const reader = newReader(text, ignoreCase, dialect);
  return { reader, source: readPattern(reader) };
}

function check(source: string, flags: string, text: string): void {
  try {
    void new RegExp(source, flags);
  } catch (thrown) {
    const reason = errorMessage(thrown).replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, '');
    throw new PatternProblem(`${reason} (without ripgrep)`, text.length);
  }
}
