import type { McpHost } from '../mcp/mcp-types.js';
import { wordsOf, type Asker } from '../mcp/questions/asker.js';
import { readSample, sampleResult, shownAnswer, SAMPLE_LIMITS, type SampleLimits } from '../mcp/questions/sample.js';
import type { ModelPort } from '../models/model.js';
import { Failure } from '../util/failure.js';
import { askModel } from './ask-model.js';

export interface SamplerParts {
  readonly model: ModelPort;
  readonly asker: Asker;
  readonly limits?: SampleLimits;
  /** Requests of one server in a session that the person is asked about. Default: 20. */
  readonly perSession?: number;
}

/**
 * The model's help for servers (`sampling/createMessage`), for those whose settings allow it. The person sees what is asked
 * and what is answered, and agrees to both. What is refused is a `Failure`, whose message the server gets.
 */
export function createSampler(parts: SamplerParts): NonNullable<McpHost['sample']> {
  const { model, asker, limits = SAMPLE_LIMITS, perSession = 20 } = parts;
  const counts = new Map<string, number>();
  return async (alias, params, signal) => {
    const read = readSample(alias, params, limits);
    if ('problem' in read) throw refused(`The request was refused: ${read.problem}.`);
    const count = (counts.get(alias) ?? 0) + 1;
    if (count > perSession)
      throw refused(`The model's help was asked for more than ${perSession} times in this session.`);
    counts.set(alias, count);
    const question = { kind: 'sampling', server: alias, model: wordsOf(model.label) } as const;
    const before = await asker({ ...question, stage: 'request', text: read.shown }, signal);
    if (before.action !== 'accept') throw refused('The user did not allow it.');
    const { text, isCut } = await answerOf(model, { ...read.request, tools: [] }, signal);
    if (text === '') throw refused('The model gave no answer in text.');
    const after = await asker({ ...question, stage: 'answer', text: shownAnswer(text) }, signal);
    if (after.action !== 'accept') throw refused('The user did not allow the answer to be sent.');
    return sampleResult({ model: model.model, text, isCut });
  };
}

async function answerOf(
  model: ModelPort,
  request: Parameters<ModelPort['stream']>[0],
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const asking = askModel({ model, request, takenIds: new Set(), signal, onStart: () => undefined });
  for (;;) {
    const { done, value } = await asking.next();
    if (done !== true) continue;
    const texts = value.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return { text: texts.join(''), isCut: value.finish === 'length' };
  }
}

function refused(message: string): Failure {
  return new Failure('mcp_error', message);
}
