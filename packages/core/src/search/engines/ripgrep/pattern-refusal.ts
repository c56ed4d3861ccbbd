import { Failure } from '../../../util/failure.js';
import { placeForPcre2 } from '../javascript/javascript-pattern.js';
import { invalidPattern, LINE_BREAK_REFUSED, isToldByPcre2, patternTooLarge, TOO_DEEP } from '../pattern-problem.js';
import { hasQuotation } from '../plain-sets.js';

/** ripgrep puts `(?:` before a pattern; older versions do not. */
const WRAPPING = '(?:';

/** Whether ripgrep's complaint is one about the pattern. */
function isPatternRefusal(complaint: string): boolean {
  return /^(?:rg: )?(?:regex could not be compiled|regex parse error|PCRE2: error compiling|the literal |.*size limit|.*too large)/im.test(
    complaint,
  );
}

/** One that is too old, or another program, does not know what it is told. */
function isOptionRefusal(complaint: string): boolean {
  return /^(?:rg: |error: )?(?:unrecognized (?:flag|option)|found argument|unexpected argument|invalid option)/im.test(
    complaint,
  );
}

/** What ripgrep complained about when it was given the expression, as an error for the one who wrote it. */
export function complaintFailure(complaint: string, expression: string): Failure {
  if (!isPatternRefusal(complaint)) {
    const error = isOptionRefusal(complaint) ? 'engine_unavailable' : 'grep_execution_error';
    return new Failure(error, `ripgrep failed: ${complaint}`);
  }
  const size = /compiled regex exceeds size limit of (\d+)/i.exec(complaint);
  if (size !== null) return patternTooLarge(`once compiled it takes more than ${Number(size[1])} bytes`);
  const own = /^error: (.*)/m.exec(complaint)?.[1];
  const fancy = /PCRE2: error compiling pattern at offset (\d+): (.*)/.exec(complaint);
  const isPcre2Told =
    fancy !== null &&
    (own === undefined || /look-around|backreferences/.test(own) || isToldByPcre2(expression, fancy[2] ?? ''));
  if (/maximum number of nested|too deeply nested/.test((isPcre2Told ? fancy[2] : own) ?? ''))
    return invalidPattern(expression, TOO_DEEP, undefined);
  if (isPcre2Told && fancy[2] === 'regular expression is too large') return patternTooLarge('PCRE2 cannot compile it');
  // Look-around and back-references are PCRE2's business, so its complaint is the one that counts.
  if (isPcre2Told)
    return invalidPattern(expression, fancy[2] ?? '', fancyPlace(complaint, expression, Number(fancy[1])));
  if (/^(?:rg: )?the literal /m.test(complaint)) return invalidPattern(expression, LINE_BREAK_REFUSED, undefined);
  const reason = own ?? /^(?:rg: )?(.*)/.exec(complaint)?.[1] ?? 'refused by ripgrep';
  return invalidPattern(expression, reason, caretPlace(complaint, expression));
}

/** PCRE2 tells the place behind what is wrong, in bytes from the beginning of the wrapping; where that begins is better known here. */
function fancyPlace(complaint: string, expression: string, offset: number): number | undefined {
  if (hasQuotation(expression)) return undefined;
  const begin = placeForPcre2(expression);
  if (begin !== undefined) return begin;
  const wrapped = /^(?:rg: )/.test(complaint) ? WRAPPING.length : 0;
  return Buffer.from(expression, 'utf8')
    .subarray(0, Math.max(0, offset - wrapped))
    .toString('utf8').length;
}

/**
 * The default engine shows the pattern and puts a caret below the place, a column for each character; below one more where
 * something stands for the second time.
 */
function caretPlace(complaint: string, expression: string): number | undefined {
  const [, indent = '', shown = '', caret = ''] =
    /^( {4})(.*)\n {4}((?: *\^+(?= +\^)| *\^(?=\^\n.*repeated))? *)\^/m.exec(complaint) ?? [];
  const before = shown.startsWith(WRAPPING + expression) ? WRAPPING.length : shown.indexOf(expression);
  if (indent === '' || before === -1) return undefined;
  return Array.from(shown).slice(before, Math.max(before, caret.length)).join('').length;
}
