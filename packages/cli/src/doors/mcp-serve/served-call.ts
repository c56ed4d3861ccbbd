import { createHash, randomUUID } from 'node:crypto';
import {
  approvalView,
  joinSafe,
  Kind,
  makeSafe,
  safeText,
  ToolConfirmationOutcome,
  toParts,
  type ApprovalAnswer,
  type ApprovalQuestion,
  type ApprovalReply,
  type ApprovalRequest,
  type AskedQuestion,
  type QuestionField,
  type Approver,
  type CallEvent,
  type CallSurroundings,
  type Part,
  type ServedCall,
  type ServedResult,
  type ToolResultDisplay,
  type ToolSystem,
} from '@tenon/core';
import { fieldNames, readQuestionForm } from '../../ui/question-form.js';
import { safeLine } from '../../ui/safe-lines.js';
import { structuredResult } from './output-schemas.js';

/** Lines of a diff or command that are shown; there is no second look, as there is at a terminal. */
const MOST_LINES = 200;

type Ask = CallSurroundings['ask'];
type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** Who asks for which call, while it runs. */
export type Askers = Map<string, { readonly ask: Ask; unasked?: string }>;

/** Puts each question to the client whose call it is. */
export function askingApprover(askers: Askers): Approver {
  return async (request) => {
    const asker = askers.get(request.callId);
    if (asker === undefined) return { outcome: ToolConfirmationOutcome.Cancel };
    const question = questionOf(request);
    const reply = asker.ask(question);
    if (reply === 'nobody') asker.unasked = question.unasked;
    if (typeof reply === 'string') return ANSWERS[reply];
    const { details } = request;
    const answers = details.type === 'question' ? readQuestionForm(details.questions, reply.content) : [];
    return { outcome: ToolConfirmationOutcome.ProceedOnce, answers };
  };
}

const ANSWERS: Readonly<Record<Extract<ApprovalReply, string>, ApprovalAnswer>> = {
  once: { outcome: ToolConfirmationOutcome.ProceedOnce },
  session: { outcome: ToolConfirmationOutcome.ProceedAlways },
  no: { outcome: ToolConfirmationOutcome.Cancel },
  dismissed: { outcome: ToolConfirmationOutcome.Cancel },
  parked: { outcome: ToolConfirmationOutcome.Cancel },
  nobody: { outcome: ToolConfirmationOutcome.Cancel },
};

/** The same facts as at a terminal. Pure. */
export function questionOf(request: ApprovalRequest): ApprovalQuestion {
  const { toolName, effects, details, description, reason, alwaysRules } = request;
  const { generalRules: _general, ...facts } = request;
  const view = approvalView({ ...facts, alwaysRules: [] }, { colour: false, maxLines: MOST_LINES });
  const session = alwaysRules.map((rule) => safeText`Allowed for this session would be: ${makeSafe(rule)}`);
  const text = joinSafe([view, ...session], safeText`\n`);
  // Not the id: the call that is made again with the answer has another.
  const about = JSON.stringify([toolName, description, effects, details]);
  return {
    text,
    digest: createHash('sha256').update(about).digest('hex'),
    canLast: alwaysRules.length > 0,
    unasked: details.type === 'question' ? UNASKED : unaskedText(reason, alwaysRules),
    ...(details.type === 'question' && { fields: fieldsOf(details.questions) }),
  };
}

const UNASKED =
  'This client cannot put questions to the user (it does not declare elicitation). Decide yourself what is safe to decide, and say so; else ask in your answer.';

/** Nothing has to be answered: what is left out passes its question over. Pure. */
function fieldsOf(questions: readonly AskedQuestion[]): Readonly<Record<string, QuestionField>> {
  return Object.fromEntries(
    questions.flatMap(({ question, header, options, multiSelect }, index) => {
      const names = fieldNames(index);
      const title = safeLine(header);
      const facts = { title, description: safeLine(question) };
      const labels = options.map(({ label }) => label);
      const choice: QuestionField = multiSelect
        ? { type: 'array', ...facts, items: { type: 'string', enum: labels } }
        : { type: 'string', ...facts, enum: labels };
      return [
        [names.choice, choice],
        [names.words, { type: 'string', title: `${title}: in your own words` }],
      ] as const;
    }),
  );
}

function unaskedText(reason: string, rules: readonly string[]): string {
  const quoted = rules.map((rule) => JSON.stringify(rule)).join(' and ');
  const way =
    rules.length === 0
      ? ''
      : ` It would run under the rule ${quoted}: the user can add it to "permissions.allow" in their settings of Tenon, or start the server with --allow.`;
  return `This call needs approval (${reason}), and this client cannot put questions to the user (it does not declare elicitation); it did not run.${way} Go on without it if you can.`;
}

/** One call through its whole life. */
export async function runServedCall(system: ToolSystem, askers: Askers, call: ServedCall): Promise<ServedResult> {
  const callId = randomUUID();
  const asker: { readonly ask: Ask; unasked?: string } = { ask: call.ask };
  askers.set(callId, asker);
  try {
    const request = { callId, toolName: call.name, argumentsText: JSON.stringify(call.args) };
    let end: CallEnd | undefined;
    for await (const event of system.runCalls([request], call.signal)) {
      if (event.type === 'tool-call-update') call.onProgress(progressLine(event.display));
      if (event.type === 'tool-call-end') end = event;
    }
    if (end === undefined) return { parts: [{ text: 'The call did not end.' }], isError: true };
    if (end.status === 'denied' && asker.unasked !== undefined) {
      return { parts: [{ text: asker.unasked }], isError: true };
    }
    return resultOf(end);
  } finally {
    askers.delete(callId);
  }
}

function resultOf(end: CallEnd): ServedResult {
  const parts = toParts([...end.content]);
  if (end.status !== 'success') return { parts, isError: true };
  const structured = structuredResult(end.toolName, end.data, textOf(parts));
  return { parts, isError: false, ...(structured !== undefined && { structured }) };
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** The last line of what a command printed, or what is said of how far it is. */
export function progressLine(display: ToolResultDisplay): string {
  if (typeof display !== 'string') return 'status' in display ? display.status : 'working';
  return display.trimEnd().split('\n').at(-1)?.trim() ?? '';
}

/** Edits come one after the other: each then sees the files as the one before left them. */
export class EditQueue {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(kind: Kind | undefined, work: () => Promise<T>): Promise<T> {
    if (kind !== Kind.Edit) return work();
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
