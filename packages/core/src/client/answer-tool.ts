import type { Effect } from '../effects/effect.js';
import type { ModelPort, ModelRequest } from '../models/model.js';
import { BaseDeclarativeTool, Kind, RunInvocation, type ToolInvocation, type ToolResult } from '../tools/tools.js';
import type { AnswerSchema } from './answer-schema.js';

/** What a model calls to give its answer. There only while one is asked for. */
export const ANSWER_TOOL = 'structured_output';

class AnswerInvocation extends RunInvocation<object> {
  readonly #give: (object: object) => void;

  constructor(params: object, give: (object: object) => void) {
    super(params);
    this.#give = give;
  }

  getDescription(): string {
    return 'the answer';
  }

  /** The answer goes to who asked: nothing on the machine changes. */
  effects(): readonly Effect[] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    this.#give(this.params);
    return { llmContent: 'The answer was given. The work is done.', returnDisplay: 'The answer was given.' };
  }
}

/** Takes the final answer, checked as the arguments of every tool are: what does not fit comes back with the reason. */
export class AnswerTool extends BaseDeclarativeTool<object, ToolResult> {
  readonly #give: (object: object) => void;
  readonly #problemOf: (object: object) => string | null;

  /** `problemOf`: what is wrong with arguments beyond the schema, for the model. */
  constructor(schema: AnswerSchema, problemOf: (object: object) => string | null, give: (object: object) => void) {
    super(
      ANSWER_TOOL,
      'Answer',
      'Gives your final answer, as data. Call it once, alone, when all other work is done: only what it is given reaches whoever asked, words beside it do not.',
      Kind.Other,
      schema.parameters,
    );
    this.#give = give;
    this.#problemOf = problemOf;
  }

  protected override validateToolParamValues(params: object): string | null {
    return this.#problemOf(params);
  }

  protected createInvocation(params: object): ToolInvocation<object, ToolResult> {
    return new AnswerInvocation(params, this.#give);
  }
}

/** The same model, which has nothing more to say once its answer was taken: that request is not sent. */
export function endingWithAnswer(model: ModelPort): ModelPort {
  return {
    label: model.label,
    model: model.model,
    ...(model.heldKeys !== undefined && { heldKeys: () => model.heldKeys?.() ?? [] }),
    stream: (request, signal) => (wasAnswered(request) ? nothingMore() : model.stream(request, signal)),
  };
}

function wasAnswered({ messages, tools }: ModelRequest): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'tool' || !tools.some(({ name }) => name === ANSWER_TOOL)) return false;
  return last.content.some(({ name, isError }) => name === ANSWER_TOOL && !isError);
}

async function* nothingMore(): ReturnType<ModelPort['stream']> {
  yield { type: 'finish', reason: 'nothing-more' };
}
