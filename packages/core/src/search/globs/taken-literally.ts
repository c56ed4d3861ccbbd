import { parseGlob } from '../../util/match-segment.js';
import { inQuotes } from '../report/search-text.js';
import { skipOpaque } from './expand-braces.js';

/** The first part of a glob that stands for itself though it looks otherwise, as a sentence about it. */
function problemIn(glob: string): string | undefined {
  const where = ` in ${inQuotes(glob)} `;
  let open = 0;
  for (let at = 0; at < glob.length;) {
    const next = skipOpaque(glob, at);
    if (glob[at] === '[') {
      const part = glob.slice(at, next);
      const isClosed = next > at + 1;
      if (isClosed && isPlainText(part))
        return `The ${inQuotes(part)}${where}was taken literally, for a range in it runs backwards.`;
      if (!isClosed && isCutBySlash(glob.slice(at)))
        return `The "["${where}was taken literally, for a "/" cannot stand in brackets.`;
      if (!isClosed) return `The "["${where}is never closed, so it was taken literally.`;
    }
    if (glob[at] === '{') open += 1;
    if (glob[at] === '}') open = Math.max(0, open - 1);
    at = next;
  }
  return open > 0 ? `The "{"${where}is never closed, so it was taken literally.` : undefined;
}

function isPlainText(brackets: string): boolean {
  const [segment] = parseGlob(brackets, { malformed: 'literal' }) ?? [];
  return typeof segment?.tokens[0] === 'string';
}

function isCutBySlash(rest: string): boolean {
  const end = rest.indexOf(']', 2);
  return end !== -1 && rest.slice(0, end).includes('/');
}

/** A sentence, with a blank before it, where one of the globs was read otherwise than it looks; empty where none was. */
export function literalHint(globs: readonly string[]): string {
  const problem = globs.map(problemIn).find((found) => found !== undefined);
  return problem === undefined ? '' : ` ${problem}`;
}
