import type { ApprovedPlan } from '../planning/planning.js';
import { answerText } from '../planning/questions.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { ToolNames } from '../tools/tool-names.js';
import { isObject } from '../util/is-object.js';

type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** The plan that a call had approved; undefined for any other call. Its `data` may come from a log. */
export function readPlan({ toolName, data }: CallEnd): ApprovedPlan | undefined {
  if (toolName !== ToolNames.EXIT_PLAN_MODE || !isObject(data)) return undefined;
  const { plan, file } = data;
  if (typeof plan !== 'string' || plan.trim() === '') return undefined;
  return { text: plan, ...(typeof file === 'string' && { file }) };
}

/** What the person said to questions, as words of theirs; undefined for any other call. */
export function readAnswered({ toolName, data }: CallEnd): string | undefined {
  if (toolName !== ToolNames.ASK_USER || !isObject(data) || !Array.isArray(data['answers'])) return undefined;
  const lines = data['answers'].flatMap((answer: unknown) => {
    if (!isObject(answer) || typeof answer['question'] !== 'string' || !Array.isArray(answer['selected'])) return [];
    const { question, words } = answer;
    const selected = answer['selected'].filter((label) => typeof label === 'string');
    if (selected.length === 0 && typeof words !== 'string') return [];
    const said = { question, header: '', selected, ...(typeof words === 'string' && { words }) };
    return [`Asked ${JSON.stringify(question)}: ${answerText(said)}`];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}
