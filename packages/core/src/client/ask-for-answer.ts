import type { Agent, PromptOptions } from '../agent-types.js';
import type { AgentEvent } from '../agent/events.js';
import { errorMessage } from '../util/failure.js';
import type { AnswerSchema } from './answer-schema.js';
import { ANSWER_TOOL, AnswerTool } from './answer-tool.js';

/** How often a model that ended with words is told to give its answer as data. */
const MOST_REMINDERS = 2;

export interface AnswerRequest<T> {
  readonly text: string;
  readonly schema: AnswerSchema;
  /** Makes of the answer what the program works with; what it throws is told to the model, which tries again. */
  readonly parse?: (answer: unknown) => T;
  readonly signal?: AbortSignal;
  readonly options?: PromptOptions;
}

export type Answered<T> =
  { readonly isValid: true; readonly value: T } | { readonly isValid: false; readonly problem: string };

/**
 * One prompt whose answer is data. The model gives it through a tool that is there for as long, and repairs what the
 * schema refuses; a last message that is the answer, as JSON, counts too. The events are those of the prompt and of the reminders,
 * each with a `prompt-end` of its own. The model of the agent must be `endingWithAnswer`.
 */
export async function* askForAnswer<T>(
  agent: Agent,
  request: AnswerRequest<T>,
): AsyncGenerator<AgentEvent, Answered<T>> {
  const { schema, signal, options = {} } = request;
  const parse = request.parse ?? ((answer: unknown) => answer as T);
  const given: T[] = [];
  const problemOf = (answer: unknown): string | null => thrownBy(() => parse(answer));
  const tool = new AnswerTool(
    schema,
    (object) => problemOf(schema.answerIn(object)),
    (object) => void given.push(parse(schema.answerIn(object))),
  );
  const registry = agent.config.getToolRegistry();
  const before = registry.getTool(ANSWER_TOOL);
  registry.registerTool(tool);
  try {
    const content = [...(options.content ?? []), { text: INSTRUCTION }];
    let end = yield* untilEnd(agent.prompt(request.text, signal, { ...options, content }));
    let problem = NO_ANSWER;
    for (let reminders = 0; ; reminders++) {
      const [value] = given;
      if (given.length > 0) return { isValid: true, value: value as T };
      if (end?.stopReason !== 'completed') return { isValid: false, problem: end?.message ?? problem };
      const said = readWords(end.text);
      const isJson = said !== undefined;
      const fault = isJson ? (schema.problemOf(said.answer) ?? problemOf(said.answer)) : null;
      if (isJson && fault === null) return { isValid: true, value: parse(said.answer) };
      problem = isJson ? `${NO_ANSWER} What you said is JSON, but not the answer: ${fault}` : NO_ANSWER;
      if (reminders === MOST_REMINDERS) return { isValid: false, problem };
      const words = `${problem} ${INSTRUCTION}`;
      end = yield* untilEnd(agent.prompt(words, signal, { endsJobs: options.endsJobs === true }));
    }
  } finally {
    if (before === undefined) registry.removeTool(ANSWER_TOOL);
    else registry.registerChecked(before);
  }
}

const INSTRUCTION = `When you are done, give your final answer by calling ${ANSWER_TOOL}.`;
const NO_ANSWER = `You ended without calling ${ANSWER_TOOL}.`;

type PromptEnd = Extract<AgentEvent, { type: 'prompt-end' }>;

async function* untilEnd(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, PromptEnd | undefined> {
  let end: PromptEnd | undefined;
  for await (const event of events) {
    if (event.type === 'prompt-end') end = event;
    yield event;
  }
  return end;
}

function thrownBy(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

/** A last message that is JSON and nothing else; a Markdown fence around it has one reading only. */
function readWords(text: string): { readonly answer: unknown } | undefined {
  const trimmed = text.trim();
  const inner = /^```(?:json)?[ \t]*\r?\n([\s\S]*)\r?\n```$/i.exec(trimmed)?.[1] ?? trimmed;
  try {
    return { answer: JSON.parse(inner) as unknown };
  } catch {
    return undefined;
  }
}
