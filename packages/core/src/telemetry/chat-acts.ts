import type { FinishReason, TokenUsage } from '../models/model.js';
import { finishAttributes, modelAttributes, usageAttributes, type NamedModel } from './attributes.js';
import type { ActPlace } from './call-acts.js';
import type { Attributes } from './telemetry-acts.js';

/** A request to the model that is on its way, or would be next. */
export interface Request {
  readonly since: number;
  readonly firstWord?: number;
}

/** What the model is asked for beside the conversation: a question about a page, or help for a server. */
export type AsidePurpose = 'page' | 'sampling';

/** One request beside the conversation, and what became of it. */
export interface AsideRequest extends Request {
  readonly purpose: AsidePurpose;
  /** Provider and model, as the model tells them. */
  readonly label: string;
  readonly text: string;
  readonly finish?: FinishReason;
  readonly usage?: TokenUsage;
  /** `cancelled`: nobody wants the answer any more. */
  readonly failed?: { readonly type: 'model_error' | 'cancelled'; readonly words: string };
}

interface ToldChat {
  /** The span that it is part of; absent: it is a trace of its own. */
  readonly parent?: string;
  readonly sessionId: string;
  readonly model: NamedModel;
  readonly since: number;
  readonly at: number;
  readonly attributes: Attributes;
  /** What it failed with, in words. */
  readonly error?: string;
}

const SECOND = 1000;

/** The span of one request, which has ended. */
export function tellChat(place: ActPlace, { parent, sessionId, model, since, at, attributes, error }: ToldChat): void {
  const span = place.newSpan();
  place.tell({
    type: 'span-start',
    span,
    ...(parent !== undefined && { parent }),
    name: `chat ${model.model}`,
    kind: 'client',
    // The clocks of timers and of the day do not agree to the millisecond.
    at: Math.min(since, at),
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': sessionId,
      ...modelAttributes(model),
    },
  });
  const failed = error === undefined ? {} : { error: place.content ? place.words(error) : '' };
  place.tell({ type: 'span-end', span, at, attributes, ...failed });
}

export function tellDuration(
  place: ActPlace,
  model: NamedModel,
  { operation, ms, more }: { readonly operation: string; readonly ms: number; readonly more: Attributes },
): void {
  const attributes = { 'gen_ai.operation.name': operation, ...modelAttributes(model), ...more };
  place.tell({
    type: 'record',
    metric: 'gen_ai.client.operation.duration',
    value: Math.max(0, ms) / SECOND,
    attributes,
  });
}

export function countTokens(place: ActPlace, model: NamedModel, { inputTokens, outputTokens }: TokenUsage): void {
  const common = { 'gen_ai.operation.name': 'chat', ...modelAttributes(model) };
  for (const [kind, value] of [['input', inputTokens] as const, ['output', outputTokens] as const])
    place.tell({
      type: 'record',
      metric: 'gen_ai.client.token.usage',
      value,
      attributes: { ...common, 'gen_ai.token.type': kind },
    });
}

export function answerAttributes(
  { since, firstWord }: Request,
  finish: FinishReason,
  usage: TokenUsage | undefined,
): Attributes {
  return {
    ...finishAttributes(finish),
    ...(usage !== undefined && usageAttributes(usage)),
    ...(firstWord !== undefined && { 'tenon.time_to_first_word_ms': Math.max(0, firstWord - since) }),
  };
}
