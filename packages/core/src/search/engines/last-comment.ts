import { setAt, type PlainSet } from './plain-sets.js';

/**
 * The same regular expression without a comment (`(?x) … # …`) that goes to its end: ripgrep puts a bracket behind the
 * pattern, which would be a part of the comment.
 */
export function withoutLastComment(pattern: string): string {
  if (!/\(\?[A-Za-z]*x[^]*#/.test(pattern)) return pattern;
  const flags = /\(\?([A-Za-z]*)(-[A-Za-z]*)?([:)])/y;
  const outer: boolean[] = [];
  let isInOpenSet = false;
  let isVerbose = false;
  for (let at = 0; at < pattern.length;) {
    const character = pattern.charAt(at);
    flags.lastIndex = at;
    const [whole = '', on = '', off = '', end] = flags.exec(pattern) ?? [];
    if (character === '(' && end !== ')') outer.push(isVerbose);
    if (character === ')') isVerbose = outer.pop() ?? isVerbose;
    if (whole !== '') isVerbose = (isVerbose || on.includes('x')) && !off.includes('x');
    if (character === '#' && isVerbose) {
      const feed = pattern.indexOf('\n', at);
      if (feed === -1) return pattern.slice(0, at);
      at = feed;
    } else {
      const set: PlainSet | undefined = isInOpenSet ? undefined : setAt(pattern, at);
      isInOpenSet ||= set === undefined && character === '[';
      at = set?.end ?? at + (whole.length || (character === '\\' ? 2 : 1));
    }
  }
  return pattern;
}
