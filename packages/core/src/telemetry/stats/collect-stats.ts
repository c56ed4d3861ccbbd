import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { costOf, type TokenPrices } from '../../models/token-prices.js';
import { projectFolders } from '../../session/project-folders.js';
import { count } from '../../util/count.js';
import { errorMessage } from '../../util/failure.js';
import { isObject } from '../../util/is-object.js';
import { readLog } from './read-log.js';
import { StatsMeter, Sums } from './stats-meter.js';
import type { SessionStats } from './stats-types.js';

export interface StatsRequest {
  /** Tenon's own folder. */
  readonly tenonHome: string;
  /** Canonical path of the project's first folder; undefined: all projects. */
  readonly root?: string;
  /** Only what was then or later. */
  readonly since?: Date;
  /** What is known of a model's prices, by its name in the log. */
  readonly pricesOf?: (label: string) => TokenPrices | undefined;
}

interface LogFile {
  readonly file: string;
  readonly isSubagent: boolean;
}

/** The rest of a log is not looked at: answers, results and what they showed are most of it. */
const COUNTED: ReadonlySet<string> = new Set([
  'session-start',
  'model-change',
  'user-message',
  'prompt-end',
  'assistant-message',
  'compaction',
  'tool-call-start',
  'tool-call-end',
  'approval-request',
  'approval-answer',
]);
const TYPE = /^\{"sequence":\d+,"time":"[^"]{1,40}","event":\{"type":"([a-z-]+)"/;
const HEAD_BYTES = 200;
const MOST_PROBLEMS = 20;

/**
 * Adds up the logs of sessions, read line by line, so that they may be of any size. What cannot be read is left out and told.
 * Rejects with the signal's reason only.
 */
export async function collectStats(request: StatsRequest, signal: AbortSignal): Promise<SessionStats> {
  const { since, pricesOf = () => undefined } = request;
  const sums = new Sums();
  const problems: string[] = [];
  for (const log of await logsOf(request)) {
    signal.throwIfAborted();
    const { found, problem } = await sumsOf(log, since, signal);
    if (found !== undefined) sums.addAll(found);
    if (problem !== undefined) problems.push(problem);
  }
  const more = problems.length - MOST_PROBLEMS;
  const told = more > 0 ? [...problems.slice(0, MOST_PROBLEMS), `There are ${more} more such logs.`] : problems;
  return { ...(since !== undefined && { since: since.toISOString() }), ...statsOf(sums, pricesOf), problems: told };
}

async function logsOf({ tenonHome, root }: StatsRequest): Promise<LogFile[]> {
  const projects = join(tenonHome, 'projects');
  const folders =
    root === undefined
      ? (await namesIn(projects)).map((name) => join(projects, name, 'sessions'))
      : [projectFolders(tenonHome, root).sessions];
  const logs: LogFile[] = [];
  for (const folder of folders) {
    const agents = join(folder, 'agents');
    logs.push(
      ...(await namesIn(folder)).filter(isLog).map((name) => ({ file: join(folder, name), isSubagent: false })),
      ...(await namesIn(agents)).filter(isLog).map((name) => ({ file: join(agents, name), isSubagent: true })),
    );
  }
  return logs;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch((): string[] => [])).toSorted();
}

function isLog(name: string): boolean {
  return name.endsWith('.jsonl');
}

async function sumsOf(
  { file, isSubagent }: LogFile,
  since: Date | undefined,
  signal: AbortSignal,
): Promise<{ readonly found?: Sums; readonly problem?: string }> {
  try {
    // A log ends with what was last.
    if (since !== undefined && (await stat(file)).mtimeMs < since.getTime()) return {};
    const meter = new StatsMeter({ since: since?.toISOString() ?? '', isSubagent });
    let damaged = 0;
    const tooLong = await readLog(
      file,
      (line) => {
        if (!noteLine(meter, line)) damaged += 1;
      },
      signal,
    );
    damaged += tooLong;
    const problem = damaged === 0 ? {} : { problem: `${nameOf(file)}: ${count(damaged, 'line')} could not be read.` };
    return { found: meter.sums(), ...problem };
  } catch (thrown) {
    signal.throwIfAborted();
    return { problem: `${nameOf(file)} could not be read: ${errorMessage(thrown)}` };
  }
}

/** False when the line is none of a log. */
function noteLine(meter: StatsMeter, line: Buffer): boolean {
  const [, type] = TYPE.exec(line.toString('latin1', 0, HEAD_BYTES)) ?? [];
  if (type !== undefined && !COUNTED.has(type)) return true;
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (!isObject(value) || typeof value['time'] !== 'string' || !isObject(value['event'])) return false;
    meter.note(value['time'], value['event']);
    return true;
  } catch {
    return false;
  }
}

function nameOf(file: string): string {
  return `The log ${basename(file)}`;
}

function statsOf(sums: Sums, pricesOf: NonNullable<StatsRequest['pricesOf']>): Omit<SessionStats, 'problems'> {
  const edits = sums.edits.record();
  const median = sums.answerTimes.at(0.5);
  return {
    sessions: sums.sessions,
    subagents: sums.subagents,
    prompts: sums.prompts,
    stops: sums.stops.record(),
    turns: sums.turns,
    compactions: sums.compactions,
    models: sums.models
      .entries()
      .map(([model, of]) => {
        const { requests, uncounted, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens } = of;
        const prices = pricesOf(model);
        const cost = prices === undefined ? {} : { cost: costOf(of, prices) };
        return { model, requests, uncounted, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, ...cost };
      })
      .toSorted((one, other) => other.inputTokens - one.inputTokens),
    tools: toolsOf(sums),
    edits: {
      landed: edits['success'] ?? 0,
      failed: edits['error'] ?? 0,
      denied: edits['denied'] ?? 0,
      reasons: sums.editErrors.record(),
    },
    approvals: {
      asked: sums.asked,
      answers: sums.answers.record(),
      unanswered: sums.unanswered,
      ...(median !== undefined && { median: Math.round(median) }),
    },
    time: {
      worked: Math.round(sums.workedMs),
      waited: Math.round(sums.waitedMs),
      inTools: Math.round(sums.inToolsMs),
    },
  };
}

function toolsOf(sums: Sums): SessionStats['tools'] {
  return sums.tools
    .entries()
    .map(([tool, { calls, statuses, errors, durations }]) => {
      const { success = 0, error = 0, denied = 0, cancelled = 0 } = statuses.record();
      const [median, p95] = [durations.at(0.5), durations.at(0.95)];
      return {
        tool,
        calls,
        success,
        error,
        denied,
        cancelled,
        ...(median !== undefined && { median: Math.round(median) }),
        ...(p95 !== undefined && { p95: Math.round(p95) }),
        errors: errors.record(),
      };
    })
    .toSorted((one, other) => other.calls - one.calls);
}
