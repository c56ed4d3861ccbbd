import type { Finding, FindingState } from './check.js';

const MARKS: Readonly<Record<FindingState, readonly [unicode: string, ascii: string]>> = {
  good: ['✓', 'ok'],
  missing: ['–', '--'],
  problem: ['✗', '!!'],
  fact: ['·', '  '],
};

/** The findings as lines, advice below what it is about, and how many problems there are. Pure; untrusted text. */
export function doctorLines(findings: readonly Finding[], unicode: boolean): readonly string[] {
  const width = findings.reduce((most, { name }) => Math.max(most, name.length), 0);
  const mark = (state: FindingState): string => MARKS[state][unicode ? 0 : 1];
  const indent = ' '.repeat(mark('fact').length + 1 + width + 2);
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const missing = findings.filter(({ state }) => state === 'missing').length;
  return [
    ...findings.flatMap(({ name, state, text, advice }) => [
      `${mark(state)} ${name.padEnd(width)}  ${text}`,
      ...(advice === undefined ? [] : [`${indent}${advice}`]),
    ]),
    problems === 0
      ? `Nothing is wrong${missing === 0 ? '' : `; ${missing} that would be good to have ${missing === 1 ? 'is' : 'are'} not there`}.`
      : `${problems} ${problems === 1 ? 'problem' : 'problems'}.`,
  ];
}
