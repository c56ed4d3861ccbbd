import { ToolErrorType } from '../../tools/tool-error.js';
import { ToolNames } from '../../tools/tool-names.js';
import { Kind } from '../../tools/tools.js';
import { isObject } from '../../util/is-object.js';
import { Spread } from './spread.js';
import { Named, Tally } from './tallies.js';

type Fields = Readonly<Record<string, unknown>>;

/** Sums of one model. */
class ModelSums {
  requests = 0;
  uncounted = 0;
  inputTokens = 0;
  cachedInputTokens = 0;
  cacheWriteTokens = 0;
  outputTokens = 0;

  addAll(other: ModelSums): void {
    this.requests += other.requests;
    this.uncounted += other.uncounted;
    this.inputTokens += other.inputTokens;
    this.cachedInputTokens += other.cachedInputTokens;
    this.cacheWriteTokens += other.cacheWriteTokens;
    this.outputTokens += other.outputTokens;
  }
}

/** Sums of one tool. */
class ToolSums {
  calls = 0;
  readonly statuses = new Tally();
  readonly errors = new Tally();
  readonly durations = new Spread();

  addAll(other: ToolSums): void {
    this.calls += other.calls;
    this.statuses.addAll(other.statuses);
    this.errors.addAll(other.errors);
    this.durations.addAll(other.durations);
  }
}

/** What is added up, of one log or of all. */
export class Sums {
  sessions = 0;
  subagents = 0;
  prompts = 0;
  turns = 0;
  compactions = 0;
  asked = 0;
  unanswered = 0;
  workedMs = 0;
  waitedMs = 0;
  inToolsMs = 0;
  readonly stops = new Tally();
  readonly answers = new Tally();
  readonly answerTimes = new Spread();
  readonly edits = new Tally();
  readonly editErrors = new Tally();
  readonly models = new Named(() => new ModelSums());
  readonly tools = new Named(() => new ToolSums());

  addAll(other: Sums): void {
    this.sessions += other.sessions;
    this.subagents += other.subagents;
    this.prompts += other.prompts;
    this.turns += other.turns;
    this.compactions += other.compactions;
    this.asked += other.asked;
    this.unanswered += other.unanswered;
    this.workedMs += other.workedMs;
    this.waitedMs += other.waitedMs;
    this.inToolsMs += other.inToolsMs;
    this.stops.addAll(other.stops);
    this.answers.addAll(other.answers);
    this.answerTimes.addAll(other.answerTimes);
    this.edits.addAll(other.edits);
    this.editErrors.addAll(other.editErrors);
    for (const [name, sums] of other.models.entries()) this.models.get(name).addAll(sums);
    for (const [name, sums] of other.tools.entries()) this.tools.get(name).addAll(sums);
  }
}

/** What a tool is called that is not there: a model may ask for any. */
const UNKNOWN_TOOL = '(no such tool)';
const UNKNOWN_MODEL = '(unknown)';
/** Calls of a log that have begun and not ended; a log in which more are open was not written by Tenon. */
const MOST_OPEN = 10_000;

/**
 * Adds up the events of one log, in order. The log may be damaged, or written by anybody: what is not as it should be counts
 * as nothing.
 */
export class StatsMeter {
  readonly #since: string;
  readonly #isSubagent: boolean;
  #sums = new Sums();
  #isUsed = false;
  #model = UNKNOWN_MODEL;
  #promptAt: number | undefined;
  #waitedInPrompt = 0;
  /** Questions that wait, and since when any does. */
  readonly #questions = new Map<string, number>();
  #waitingSince = 0;
  readonly #kinds = new Map<string, unknown>();
  readonly #editTools = new Set<string>([ToolNames.EDIT, ToolNames.WRITE_FILE, ToolNames.APPLY_PATCH]);

  /** `since`: ISO 8601; what was before does not count. Empty: all counts. */
  constructor({ since, isSubagent }: { readonly since: string; readonly isSubagent: boolean }) {
    this.#since = since;
    this.#isSubagent = isSubagent;
  }

  sums(): Sums {
    if (this.#isUsed && this.#isSubagent) this.#sums.subagents = 1;
    else if (this.#isUsed) this.#sums.sessions = 1;
    return this.#sums;
  }

  note(time: string, event: Fields): void {
    const { type } = event;
    if (type === 'session-start' || type === 'model-change') this.#model = textOf(event['model'], UNKNOWN_MODEL);
    // All before it is a copy of what another log has.
    if (type === 'session-start' && event['forkedFrom'] !== undefined) this.#forget();
    // Both are ISO 8601 in UTC, whose order is that of their characters.
    if (time < this.#since) return;
    const at = Date.parse(time);
    if (Number.isNaN(at)) return;
    this.#count(textOf(type, ''), event, at);
  }

  #forget(): void {
    this.#sums = new Sums();
    this.#isUsed = false;
    this.#promptAt = undefined;
    this.#questions.clear();
    this.#kinds.clear();
  }

  #count(type: string, event: Fields, at: number): void {
    const sums = this.#sums;
    if (type === 'user-message' && event['isSteering'] !== true) this.#beginPrompt(at);
    else if (type === 'prompt-end') this.#endPrompt(textOf(event['stopReason'], 'unknown'), at);
    else if (type === 'assistant-message') {
      sums.turns += 1;
      this.#tokens(event['usage']);
    } else if (type === 'compaction') {
      sums.compactions += 1;
      if (event['usage'] !== undefined) this.#tokens(event['usage']);
    } else if (type === 'tool-call-start') this.#beginCall(event);
    else if (type === 'tool-call-end') this.#endCall(event);
    else if (type === 'approval-request') this.#ask(textOf(event['callId'], ''), at);
    else if (type === 'approval-answer') this.#answer(event, at);
  }

  #beginPrompt(at: number): void {
    this.#isUsed = true;
    if (!this.#isSubagent) this.#sums.prompts += 1;
    this.#promptAt = at;
    this.#waitedInPrompt = 0;
    this.#questions.clear();
  }

  #endPrompt(reason: string, at: number): void {
    if (this.#isSubagent || this.#promptAt === undefined) return;
    this.#sums.stops.add(reason);
    this.#sums.workedMs += Math.max(0, at - this.#promptAt - this.#waitedInPrompt);
    this.#promptAt = undefined;
  }

  #tokens(usage: unknown): void {
    this.#isUsed = true;
    const model = this.#sums.models.get(this.#model);
    model.requests += 1;
    if (!isObject(usage)) {
      model.uncounted += 1;
      return;
    }
    model.inputTokens += amountOf(usage['inputTokens']);
    model.cachedInputTokens += amountOf(usage['cachedInputTokens']);
    model.cacheWriteTokens += amountOf(usage['cacheWriteTokens']);
    model.outputTokens += amountOf(usage['outputTokens']);
  }

  #beginCall({ callId, kind, toolName }: Fields): void {
    if (this.#kinds.size < MOST_OPEN) this.#kinds.set(textOf(callId, ''), kind);
    if (kind === Kind.Edit) this.#editTools.add(textOf(toolName, ''));
  }

  #endCall(event: Fields): void {
    this.#isUsed = true;
    const callId = textOf(event['callId'], '');
    const error = isObject(event['error']) ? textOf(event['error']['type'], 'unknown') : undefined;
    const isUnknown = error === ToolErrorType.TOOL_NOT_REGISTERED;
    const name = isUnknown ? UNKNOWN_TOOL : textOf(event['toolName'], UNKNOWN_TOOL);
    const status = textOf(event['status'], 'error');
    const duration = amountOf(event['durationMs']);
    const tool = this.#sums.tools.get(name);
    tool.calls += 1;
    tool.statuses.add(status);
    if (status === 'error') tool.errors.add(error ?? 'unknown');
    if (status !== 'denied') tool.durations.add(duration);
    this.#sums.inToolsMs += duration;
    // Arguments that cannot be read are of no kind; the tool is known all the same.
    const isEdit = this.#kinds.get(callId) === Kind.Edit || this.#editTools.has(name);
    this.#kinds.delete(callId);
    if (!isEdit) return;
    this.#sums.edits.add(status);
    if (status === 'error') this.#sums.editErrors.add(error ?? 'unknown');
  }

  #ask(callId: string, at: number): void {
    this.#sums.asked += 1;
    if (this.#questions.size === 0) this.#waitingSince = at;
    if (this.#questions.size < MOST_OPEN) this.#questions.set(callId, at);
  }

  #answer(event: Fields, at: number): void {
    const callId = textOf(event['callId'], '');
    const asked = this.#questions.get(callId);
    if (event['by'] === 'nobody') this.#sums.unanswered += 1;
    else {
      this.#sums.answers.add(textOf(event['outcome'], 'unknown'));
      if (asked !== undefined) this.#sums.answerTimes.add(Math.max(0, at - asked));
    }
    if (!this.#questions.delete(callId) || this.#questions.size > 0) return;
    const waited = Math.max(0, at - this.#waitingSince);
    this.#waitedInPrompt += waited;
    this.#sums.waitedMs += waited;
  }
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function amountOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
