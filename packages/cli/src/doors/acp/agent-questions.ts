import type { ElicitationPropertySchema, PermissionOption } from '@agentclientprotocol/sdk';
import {
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskedAnswer,
  type AskedQuestion,
  fenced,
} from '@tenon/core';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';
import { fieldNames, readQuestionForm } from '../../ui/question-form.js';
import { textContent } from './call-content.js';
import { canAskByForm, type ClientSession } from './client.js';

const NO: ApprovalAnswer = { outcome: ToolConfirmationOutcome.Cancel };
const { ProceedOnce } = ToolConfirmationOutcome;
const NO_ANSWER = 'no-answer';

export interface AgentQuestions {
  readonly request: Pick<ApprovalRequest, 'agent'>;
  readonly questions: readonly AskedQuestion[];
  /** The call as the client knows it. */
  readonly toolCallId: string;
}

/** Puts questions of the model to the person: in a form where the client has forms, else one by one, as permissions. */
export async function askByClient(
  session: ClientSession,
  asked: AgentQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  return canAskByForm(session) ? askInForm(session, asked, signal) : askOneByOne(session, asked, signal);
}

async function askInForm(
  { context, sessionId }: ClientSession,
  { request, questions, toolCallId }: AgentQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const answer = await context.request(
    'elicitation/create',
    {
      mode: 'form',
      sessionId,
      toolCallId,
      message: formMessage(request, questions),
      requestedSchema: { type: 'object', properties: formProperties(questions) },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (answer.action !== 'accept') return NO;
  const content = 'content' in answer && typeof answer.content === 'object' ? { ...answer.content } : {};
  return { outcome: ProceedOnce, answers: readQuestionForm(questions, content) };
}

/** All that the fields have no room for. Pure. */
function formMessage({ agent }: Pick<ApprovalRequest, 'agent'>, questions: readonly AskedQuestion[]): string {
  const who = agent === undefined ? 'The agent asks' : `The subagent ${safeLine(agent)} asks`;
  const shown = questions.map((question) => `${safeBlock(question.question)}\n${optionLines(question).join('\n')}`);
  return [`${who}:`, ...shown].join('\n\n');
}

/** Nothing has to be answered: leaving a field out passes its question over. Pure. */
export function formProperties(questions: readonly AskedQuestion[]): Record<string, ElicitationPropertySchema> {
  return Object.fromEntries(
    questions.flatMap((question, index) => {
      const { header, options, multiSelect } = question;
      const facts = { title: safeLine(header), description: safeLine(question.question) };
      const choices = options.map(({ label }) => ({ const: label, title: safeLine(label) }));
      const choice: ElicitationPropertySchema = multiSelect
        ? { type: 'array', ...facts, items: { anyOf: choices } }
        : { type: 'string', ...facts, oneOf: choices };
      const words: ElicitationPropertySchema = { type: 'string', title: `${safeLine(header)}: in your own words` };
      const names = fieldNames(index);
      return [
        [names.choice, choice],
        [names.words, words],
      ] as const;
    }),
  );
}

/** Without forms one answer can be chosen of each; who closes the question answers none. */
async function askOneByOne(
  { context, sessionId }: ClientSession,
  { request, questions, toolCallId }: AgentQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const answers: AskedAnswer[] = [];
  for (const question of questions) {
    const who = request.agent === undefined ? '' : `${safeLine(request.agent)}: `;
    const several = question.multiSelect ? ['Several could be chosen; here it is one.'] : [];
    const lines = [safeBlock(question.question), ...several, ...optionLines(question)];
    const { outcome } = await context.request(
      'session/request_permission',
      {
        sessionId,
        toolCall: {
          toolCallId,
          status: 'pending',
          title: `${who}${safeLine(question.question)}`,
          content: [textContent(lines.join('\n'))],
        },
        options: permissionOptions(question),
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (outcome.outcome !== 'selected') return NO;
    const place = Number(outcome.optionId);
    const label = outcome.optionId === NO_ANSWER ? undefined : question.options[place]?.label;
    answers.push(label === undefined ? {} : { selected: [label] });
  }
  return { outcome: ProceedOnce, answers };
}

function permissionOptions({ options }: AskedQuestion): PermissionOption[] {
  const offered = options.map(({ label }, index): PermissionOption => ({
    optionId: String(index),
    kind: 'allow_once',
    name: safeLine(label),
  }));
  return [...offered, { optionId: NO_ANSWER, kind: 'reject_once', name: 'No answer' }];
}

function optionLines({ options }: AskedQuestion): string[] {
  return options.flatMap(({ label, description, preview }) => [
    `- ${safeLine(label)}${description === '' ? '' : `: ${safeLine(description)}`}`,
    ...(preview === undefined ? [] : [fenced(safeBlock(preview))]),
  ]);
}
