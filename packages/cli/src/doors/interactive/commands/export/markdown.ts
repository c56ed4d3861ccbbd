import { fenced } from '@tenon/core';
import { secondsText } from '../../../../ui/amounts.js';
import type { ExportedCall, SessionEntry } from './session-entries.js';

/** The session as Markdown. What stands in it cannot end a block of code early. Pure. */
export function markdownOf(entries: readonly SessionEntry[]): string {
  return `${['# Session', ...entries.map(entryText)].join('\n\n')}\n`;
}

function entryText(entry: SessionEntry): string {
  switch (entry.kind) {
    case 'start':
      return [...entry.lines, entry.time].map((line) => `- ${oneLine(line)}`).join('\n');
    case 'user':
      return `## User\n\n${quoted(entry.text)}`;
    case 'model':
      return [
        '## Model',
        ...(entry.thinking === ''
          ? []
          : [`<details><summary>Thinking</summary>\n\n${fenced(entry.thinking)}\n\n</details>`]),
        ...(entry.text === '' ? [] : [entry.text]),
      ].join('\n\n');
    case 'call':
      return callText(entry.call);
    case 'note':
      return `*${oneLine(entry.text).replaceAll('*', '\\*')}*`;
    default:
      return entry satisfies never;
  }
}

function callText({ tool, title, args, answers, status, durationMs, output, diff }: ExportedCall): string {
  const facts = [status ?? 'never ended', ...(durationMs >= 1000 ? [secondsText(durationMs)] : [])];
  return [
    `### ${oneLine(tool)} ${codeSpan(oneLine(title))} (${facts.join(', ')})`,
    ...answers.map((answer) => `- asked, and answered: ${oneLine(answer)}`),
    fenced(typeof args === 'string' ? args : JSON.stringify(args, undefined, 2), 'json'),
    ...(diff === '' ? [] : [fenced(diff.trimEnd(), 'diff')]),
    ...(output === '' ? [] : [fenced(output)]),
  ].join('\n\n');
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  return /^`|`$/.test(text) ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
