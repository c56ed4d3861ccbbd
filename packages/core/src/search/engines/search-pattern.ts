import { escapeLiteral } from './pattern-problem.js';
import { withoutLastComment } from './last-comment.js';
import { withPlainSets } from './plain-sets.js';

/** What is searched for, as the model said it. */
export interface SearchPattern {
  /** ripgrep's own syntax, unless `fixedStrings`. */
  readonly pattern: string;
  /** False by default. `(?i)` and `(?-i)` in the pattern win. */
  readonly caseSensitive: boolean;
  /** The pattern is text, not a regular expression. */
  readonly fixedStrings: boolean;
  /** Matches may span lines; `.` matches line breaks too. */
  readonly multiline: boolean;
}

/** The pattern as a regular expression that all engines read alike. */
export function expressionOf({ pattern, fixedStrings }: SearchPattern): string {
  return fixedStrings ? escapeLiteral(pattern) : withPlainSets(withoutLastComment(pattern));
}

/** Whether it is nothing but a text to be found. */
export function isPlainText({ pattern, fixedStrings }: Pick<SearchPattern, 'pattern' | 'fixedStrings'>): boolean {
  return fixedStrings || /^[\w\s-]*$/.test(pattern);
}
