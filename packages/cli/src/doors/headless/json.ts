import { replyOf, type AgentEvent, type Denial, type JobEvent, type StopReason, type TokenUsage } from '@tenon/core';
import type { Output } from '../../output.js';
import type { EventReader } from './event-reader.js';
import { jsonLine } from '../../ui/json-line.js';
import { createSubagentTally, type SubagentSummary } from '../../ui/subagent-tally.js';
import type { PromptEnd } from '../../ui/end-lines.js';

/** What `--output-format json` prints, once, at the end. */
export interface JsonResult {
  readonly type: 'result';
  /** The model's last words. */
  readonly result: string;
  /** What `--json-schema` asked for; absent without it, and where there is none. */
  readonly answer?: unknown;
  /** Why there is none. */
  readonly answerProblem?: string;
  readonly stopReason: StopReason;
  /** More about the reason, when there is more to say. */
  readonly message?: string;
  /** The answer reached the limit of output tokens: more was to come. */
  readonly isCut?: true;
  readonly exitCode: number;
  readonly sessionId: string;
  readonly model: string;
  readonly turns: number;
  readonly toolCalls: number;
  /** Those of subagents too. */
  readonly denials: readonly Denial[];
  /** Without that of subagents. */
  readonly usage: TokenUsage;
  /** Those that ended, with what each of them used; `parentId` where another subagent handed the work on. */
  readonly subagents: readonly SubagentSummary[];
  /** Background jobs whose end no call told, those among them that were ended because the run is over. */
  readonly jobs: readonly JobEnd[];
}

type JobEnd = Extract<JobEvent, { type: 'job-end' }>;

/** One JSON object at the end, nothing before. */
export function jsonReader(out: Output): EventReader {
  let start: Extract<AgentEvent, { type: 'session-start' }> | undefined;
  // More than one when the model had to be reminded of its answer.
  const ends: PromptEnd[] = [];
  const jobs: JobEnd[] = [];
  const tally = createSubagentTally();
  return {
    async onEvent(event) {
      if (event.type === 'session-start') start = event;
      tally.onEvent(event);
      if (event.type === 'job-end') jobs.push(event);
      if (event.type === 'prompt-end') ends.push(event);
    },
    async onDone(exitCode, answer) {
      if (ends.length === 0) return;
      const end = replyOf(ends);
      const result: JsonResult = {
        type: 'result',
        result: end.text,
        ...(answer?.isValid === true && { answer: answer.value }),
        ...(answer?.isValid === false && { answerProblem: answer.problem }),
        stopReason: end.stopReason,
        ...(end.message === undefined ? {} : { message: end.message }),
        ...(end.isCut === true && { isCut: true as const }),
        exitCode,
        sessionId: start?.sessionId ?? '',
        model: start?.model ?? '',
        turns: end.turns,
        toolCalls: end.toolCalls,
        denials: end.denials,
        usage: end.usage,
        subagents: tally.ended,
        jobs,
      };
      await out.writeData(jsonLine(result));
    },
  };
}
