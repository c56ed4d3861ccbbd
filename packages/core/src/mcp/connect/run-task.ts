import { abortable, sleep, timeLimit } from '../../util/abort.js';
import { Failure } from '../../util/failure.js';
import type { ServerProgress } from '../mcp-types.js';
import type { Connection, RequestParts } from './connection.js';
import { RequestLate } from './trouble.js';
import type { WireObject } from './wire-message.js';
import { isObject } from '../../util/is-object.js';

export interface TaskParts extends RequestParts {
  readonly pollMs: number;
  readonly longestMs: number;
}

const LONGEST_POLL_MS = 30_000;
const SHORTEST_POLL_MS = 20;
/** For the server to hear that its task is not wanted any more. */
const CANCEL_MS = 2000;
const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

interface Task {
  readonly id: string;
  readonly about: WireObject;
  /** The task is asked for in the words of 2025-11-25, or of the extension that came after it. */
  readonly isLegacy: boolean;
}

/** The task that a call was answered with; undefined when it was answered with its result. */
export function taskIn(result: unknown, era: 'legacy' | 'modern'): Task | undefined {
  if (!isObject(result)) return undefined;
  const about = era === 'legacy' ? result['task'] : result['resultType'] === 'task' ? result : undefined;
  if (!isObject(about) || typeof about['taskId'] !== 'string') return undefined;
  return { id: about['taskId'], about, isLegacy: era === 'legacy' };
}

/** Looks after a task until it has ended. Cancels it when the signal aborts. The result is that of the call. */
export async function awaitTask(task: Task, connection: Connection, parts: TaskParts): Promise<unknown> {
  const limit = timeLimit(parts.longestMs);
  const signal = AbortSignal.any([parts.signal, limit]);
  try {
    return await follow(task, connection, { ...parts, signal });
  } catch (error) {
    if (signal.aborted) cancel(task.id, connection);
    parts.signal.throwIfAborted();
    throw limit.aborted
      ? new RequestLate(`the task was not done after ${Math.round(parts.longestMs / 1000)} s`)
      : error;
  }
}

async function follow(task: Task, connection: Connection, parts: TaskParts): Promise<unknown> {
  const { signal, onProgress } = parts;
  const request = (method: string, params: WireObject): Promise<unknown> =>
    connection.request(method, params, { signal });
  let about = task.about;
  for (let looks = 1; !ENDED.has(about['status']); looks++) {
    if (about['status'] === 'input_required') {
      // In 2025-11-25 the server asks while it is waited for the result.
      if (task.isLegacy) return request('tasks/result', { taskId: task.id });
      await answerTask(task, about, connection, signal);
    }
    await abortable(sleep(pollTime(about, parts.pollMs), signal), signal);
    const seen = await request('tasks/get', { taskId: task.id });
    if (!isObject(seen)) throw new Failure('mcp_error', 'it says nothing of its task');
    about = seen;
    onProgress?.(taskProgress(about, looks));
  }
  if (task.isLegacy) return request('tasks/result', { taskId: task.id });
  if (isObject(about['result'])) return about['result'];
  const { error, statusMessage } = about;
  const said = isObject(error) ? error['message'] : statusMessage;
  const why = typeof said === 'string' && said !== '' ? `: ${said}` : '';
  throw new Failure('mcp_error', `the task ${String(about['status'])}${why}`);
}

async function answerTask(task: Task, about: WireObject, connection: Connection, signal: AbortSignal): Promise<void> {
  const asked = isObject(about['inputRequests']) ? about['inputRequests'] : {};
  const responses: Record<string, unknown> = {};
  for (const [key, request] of Object.entries(asked)) {
    const answer = isObject(request) ? connection.answers.get(String(request['method'])) : undefined;
    if (!isObject(request) || answer === undefined)
      throw new Failure('mcp_error', 'the task asks for what this client does not do');
    responses[key] = await answer(isObject(request['params']) ? request['params'] : {}, signal);
  }
  await connection.request('tasks/update', { taskId: task.id, inputResponses: responses }, { signal });
}

function pollTime(about: WireObject, otherwise: number): number {
  const asked = about['pollIntervalMs'] ?? about['pollInterval'];
  const ms = typeof asked === 'number' && Number.isFinite(asked) ? asked : otherwise;
  return Math.min(Math.max(ms, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}

function taskProgress(about: WireObject, looks: number): ServerProgress {
  const message = about['statusMessage'] ?? about['status'];
  return { progress: looks, ...(typeof message === 'string' ? { message: message.slice(0, 1000) } : {}) };
}

function cancel(taskId: string, connection: Connection): void {
  void connection.request('tasks/cancel', { taskId }, { signal: timeLimit(CANCEL_MS) }).catch(() => undefined);
}
