import {
  blanks,
  count,
  displayWidth,
  joinSafe,
  padToWidth,
  safeText,
  truncateToWidth,
  type ModelStats,
  type Painter,
  type Safe,
  type SessionStats,
  type ToolStats,
} from '@tenon/core';
import { duration } from '../ui/amounts.js';
import { safeLine } from '../ui/safe-lines.js';

/** Of a name in a table; names are other people's. */
const WIDEST_NAME = 40;
const MOST_REASONS = 6;

/** What sessions were, for people. Pure. */
export function statsLines(stats: SessionStats, paint: Painter): Safe {
  const { sessions, subagents, prompts, since } = stats;
  const from = since === undefined ? '' : ` since ${since.slice(0, 10)}`;
  if (sessions + subagents === 0) return lines([safeLine(`No session is logged here${from}.`)]);
  const helpers = subagents === 0 ? '' : `, ${count(subagents, 'subagent')}`;
  const head = `${count(sessions, 'session')}${helpers}, ${count(prompts, 'prompt')}${from}`;
  return lines([
    paint('bold', safeLine(head)),
    ...overview(stats).map(([name, text]) => safeText`  ${padToWidth(safeLine(name), 10)} ${safeLine(text)}`),
    ...section('Models', MODEL_COLUMNS, stats.models.map(modelRow), paint),
    ...section('Tools', TOOL_COLUMNS, stats.tools.map(toolRow), paint),
    ...failures(stats, paint),
  ]);
}

function overview({ stops, turns, compactions, edits, approvals, time }: SessionStats): [string, string][] {
  const rows: [string, string][] = [
    ['ended', counts(stops)],
    ['requests', `${digits(turns)}${compactions === 0 ? '' : `, ${count(compactions, 'compaction')}`}`],
    [
      'time',
      `${duration(time.worked)} of work, ${duration(time.inTools)} in tools, ${duration(time.waited)} waiting for answers`,
    ],
    [
      'edits',
      `${digits(edits.landed)} landed, ${digits(edits.failed)} failed${because(edits.reasons)}, ${digits(edits.denied)} denied`,
    ],
    ['approvals', approvalText(approvals)],
  ];
  return rows.filter(([, text]) => text !== '');
}

function approvalText({ asked, answers, unanswered, median }: SessionStats['approvals']): string {
  if (asked === 0) return 'none asked';
  const nobody = unanswered === 0 ? '' : `, ${digits(unanswered)} with nobody to ask`;
  const soon = median === undefined ? '' : `; half of them within ${duration(median)}`;
  const told = counts(answers);
  return `${digits(asked)} asked${told === '' ? '' : `: ${told}`}${nobody}${soon}`;
}

function because(reasons: Readonly<Record<string, number>>): string {
  const told = counts(reasons);
  return told === '' ? '' : ` (${told})`;
}

/** `3 completed, 1 cancelled`. */
function counts(record: Readonly<Record<string, number>>): string {
  const entries = Object.entries(record);
  const told = entries.slice(0, MOST_REASONS).map(([name, amount]) => `${digits(amount)} ${name.replaceAll('_', ' ')}`);
  const left = entries.slice(MOST_REASONS).reduce((sum, [, amount]) => sum + amount, 0);
  return [...told, ...(left === 0 ? [] : [`${digits(left)} others`])].join(', ');
}

const MODEL_COLUMNS = ['', 'requests', 'input', 'from cache', 'output', 'cost'];

function modelRow({
  model,
  requests,
  inputTokens,
  cachedInputTokens,
  outputTokens,
  cost,
  uncounted,
}: ModelStats): string[] {
  const asked = uncounted === 0 ? digits(requests) : `${digits(requests)} (${digits(uncounted)} uncounted)`;
  const money = cost === undefined ? '?' : cost.toFixed(cost < 1 ? 4 : 2);
  return [model, asked, digits(inputTokens), digits(cachedInputTokens), digits(outputTokens), money];
}

const TOOL_COLUMNS = ['', 'calls', 'success', 'error', 'denied', 'cancelled', 'median', '95 %'];

function toolRow({ tool, calls, success, error, denied, cancelled, median, p95 }: ToolStats): string[] {
  const times = [median, p95].map((ms) => (ms === undefined ? '' : shortTime(ms)));
  return [
    tool,
    ...[calls, success, error, denied, cancelled].map((amount) => (amount === 0 ? '' : digits(amount))),
    ...times,
  ];
}

/** Most calls take milliseconds. */
function shortTime(ms: number): string {
  return ms < 1000 ? `${ms} ms` : duration(ms);
}

function failures({ tools }: SessionStats, paint: Painter): Safe[] {
  const failed = tools.filter(({ error }) => error > 0);
  if (failed.length === 0) return [];
  return [
    safeText``,
    paint('bold', safeLine('Why calls failed')),
    ...failed.map(({ tool, errors }) => safeText`  ${padToWidth(nameCell(tool), 20)} ${safeLine(counts(errors))}`),
  ];
}

/** A table: names to the left, numbers to the right. */
function section(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Painter,
): Safe[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.map((text, at) => (at === 0 ? nameCell(text) : safeLine(text))));
  const heads = columns.map((text) => safeLine(text));
  const widths = heads.map((head, at) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? safeText``)), displayWidth(head)),
  );
  const line = (row: readonly Safe[]): Safe =>
    joinSafe(
      row.map((cell, at) => {
        const width = widths[at] ?? 0;
        return at === 0 ? padToWidth(cell, width) : safeText`${blanks(width - displayWidth(cell))}${cell}`;
      }),
      safeText`  `,
    );
  const titled = heads.map((head, at) => (at === 0 ? safeLine(title) : head));
  widths[0] = Math.max(widths[0] ?? 0, title.length);
  return [safeText``, paint('bold', line(titled)), ...cells.map(line)];
}

function nameCell(name: string): Safe {
  return truncateToWidth(safeLine(name), WIDEST_NAME);
}

function lines(all: readonly Safe[]): Safe {
  return joinSafe(
    all.map((line) => safeText`${line}\n`),
    safeText``,
  );
}

function digits(amount: number): string {
  return amount.toLocaleString('en-US');
}
