import { inQuotes } from '../report/search-text.js';
import { skipOpaque } from './expand-braces.js';

/** The first bracket or brace of a glob that opens and never closes, so that it stands for itself. */
function unclosedIn(glob: string): '[' | '{' | undefined {
  let open = 0;
  let isSetOpen = false;
  for (let at = 0; at < glob.length;) {
    const next = skipOpaque(glob, at);
    if (glob[at] === '[' && next === at + 1) isSetOpen = true;
    if (glob[at] === '{') open += 1;
    if (glob[at] === '}') open = Math.max(0, open - 1);
    at = next;
  }
  return isSetOpen ? '[' : open > 0 ? '{' : undefined;
}

/** A sentence, with a blank before it, where one of the globs was read otherwise than it looks; empty where none was. */
export function unclosedHint(globs: readonly string[]): string {
  for (const glob of globs) {
    const open = unclosedIn(glob);
    if (open !== undefined)
      return ` The ${inQuotes(open)} in ${inQuotes(glob)} is never closed, so it was taken literally.`;
  }
  return '';
}
