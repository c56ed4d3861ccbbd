import { safeText, type ContextPart, type ContextReport, type Safe } from '@tenon/core';
import { terminalTraits } from '../../../doctor/terminal-traits.js';
import { safeLine } from '../../../ui/safe-lines.js';
import type { CommandBody } from './command-row.js';
import { block } from './lines.js';

/** `/context`: what fills the model's window, by kind, tool and file. */
export const contextCommand: CommandBody = {
  run: async (_typed, { agent, surroundings, stage }) => {
    const { unicode } = terminalTraits(surroundings.env, process.platform);
    const lines = contextLines(agent.context(), { columns: stage.size().columns, unicode });
    const [head = safeText``, ...rest] = lines;
    return { shown: block([stage.theme().paint('strong', head), ...rest]) };
  },
};

const KINDS: Readonly<Record<ContextPart['kind'], string>> = {
  system: 'system prompt',
  tools: 'tools',
  user: 'your words',
  answers: 'answers',
  results: 'results of calls',
  attachments: 'attached files',
  summary: 'summary',
};

/** Names of one kind that are listed one by one. */
const MOST_NAMES = 8;
const WIDEST_BAR = 30;
const NUMBER = 9;

interface BarLook {
  readonly columns: number;
  readonly unicode: boolean;
}

/** One line for all, one for each kind with a bar, and below it the largest of it by name. Pure. */
export function contextLines({ window, used, compactsAt, parts }: ContextReport, look: BarLook): readonly Safe[] {
  const kinds = (Object.keys(KINDS) as ContextPart['kind'][])
    .map((kind) => {
      const of = parts.filter((part) => part.kind === kind);
      return { kind, tokens: sum(of), named: of.filter(({ name }) => name !== '') };
    })
    .filter(({ tokens }) => tokens > 0)
    .toSorted((a, b) => b.tokens - a.tokens);
  const free = Math.max(0, window - used);
  const line = (name: string, tokens: number): Safe =>
    safeLine(
      `  ${name.padEnd(18)}${grouped(tokens).padStart(NUMBER)}  ${bar(tokens / window, look)} ${share(tokens, window)}`,
    );
  return [
    safeLine(`About ${grouped(used)} of ${grouped(window)} tokens are used (${share(used, window)}).`),
    ...kinds.flatMap(({ kind, tokens, named }) => [line(KINDS[kind], tokens), ...namedLines(named)]),
    line('free', free),
    safeLine(
      compactsAt === undefined
        ? 'The conversation is not made shorter by itself; /compress does it now.'
        : `From ${grouped(compactsAt)} on it is made shorter by itself; /compress does it now.`,
    ),
  ];
}

function namedLines(parts: readonly ContextPart[]): Safe[] {
  const sorted = parts.toSorted((a, b) => b.tokens - a.tokens);
  const rest = sorted.slice(MOST_NAMES);
  return [
    ...sorted
      .slice(0, MOST_NAMES)
      .map(({ name, tokens }) => safeLine(`    ${grouped(tokens).padStart(NUMBER)}  ${name}`)),
    ...(rest.length === 0 ? [] : [safeLine(`    ${grouped(sum(rest)).padStart(NUMBER)}  ${rest.length} others`)]),
  ];
}

function sum(parts: readonly ContextPart[]): number {
  return parts.reduce((all, { tokens }) => all + tokens, 0);
}

/** As long as the share, but never empty for something and never full for less than all. */
function bar(part: number, { columns, unicode }: BarLook): string {
  const width = Math.max(5, Math.min(WIDEST_BAR, columns - 42));
  const least = part > 0 ? 1 : 0;
  const filled = Math.max(least, Math.min(Math.floor(part * width), width));
  return (unicode ? '█' : '#').repeat(filled) + (unicode ? '░' : '.').repeat(width - filled);
}

function share(tokens: number, window: number): string {
  const percent = window === 0 ? 0 : (tokens / window) * 100;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

/** Digits in threes, with narrow marks that every terminal has. */
function grouped(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
