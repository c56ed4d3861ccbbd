import {
  approvalView,
  errorMessage,
  safeText,
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
} from '@tenon/core';
import type { Output } from '../../output.js';
import { proposalOf } from '../../proposal.js';
import { safeLine } from '../../ui/safe-lines.js';
import type { Terminal } from '../../ui/terminal.js';
import type { Turnstile } from '../../ui/turnstile.js';
import type { EditText } from './edit-text.js';
import { choicesFor, NO } from './panels/approval-choices.js';
import { askQuestions } from './question-dialog.js';

export interface ApproverOptions {
  readonly terminal: Terminal;
  /** Where the question is shown. */
  readonly screen: Output;
  readonly turnstile: Turnstile;
  /** Opens the person's editor; rejects with the reason when it cannot. */
  readonly editText: EditText;
  /** Ctrl-C at the question: the run is cancelled as well. */
  readonly interrupt: () => void;
}

/** Asks about one call after the other, however many come at once. Anything but a clear yes is a no. */
export function createApprover(options: ApproverOptions): Approver {
  return (request, signal) => options.turnstile.run(() => askAbout(request, signal, options));
}

async function askAbout(
  request: ApprovalRequest,
  signal: AbortSignal,
  options: ApproverOptions,
): Promise<ApprovalAnswer> {
  if (signal.aborted) return { outcome: ToolConfirmationOutcome.Cancel };
  const { details } = request;
  if (details.type === 'question')
    return (await askQuestions(request, details.questions, signal, options)) ?? interrupted(signal, options);
  return details.type === 'plan'
    ? askAboutPlan(request, details.plan, signal, options)
    : askOnce(request, signal, options);
}

/** Until it is agreed to or not: the person may change it as often as they like. */
async function askAboutPlan(
  request: ApprovalRequest,
  plan: string,
  signal: AbortSignal,
  options: ApproverOptions,
): Promise<ApprovalAnswer> {
  let version = plan;
  for (;;) {
    const { details } = request;
    const shown = details.type === 'plan' ? { ...request, details: { ...details, plan: version } } : request;
    const answer = await askOnce(shown, signal, options);
    if (answer.outcome !== ToolConfirmationOutcome.ModifyWithEditor || answer.newContent === undefined)
      return version === plan || answer.outcome === ToolConfirmationOutcome.Cancel
        ? answer
        : { ...answer, newContent: version };
    if (answer.newContent.trim() === '')
      await options.screen.write(safeText`An empty plan is none: it stays as it was.\n`);
    else version = answer.newContent;
  }
}

async function askOnce(
  request: ApprovalRequest,
  signal: AbortSignal,
  options: ApproverOptions,
): Promise<ApprovalAnswer> {
  const { screen, terminal } = options;
  const colour = screen.colors;
  const view = approvalView(request, { colour });
  await screen.write(safeText`\n${view}\n`);
  const whole = approvalView(request, { colour, whole: true });
  const choices = choicesFor(request, whole !== view);
  const question = `${choices.map((choice) => `[${choice.key}] ${choice.label}`).join('  ')} › `;
  for (;;) {
    const line = await terminal.ask(question, signal);
    if (line === undefined) return interrupted(signal, options);
    const word = line.trim().toLowerCase();
    const choice =
      choices.find(({ key, names }) => word === key || names.includes(word)) ?? (word === '' ? NO : undefined);
    if (choice === undefined) {
      const keys = safeLine(choices.map(({ key }) => key).join(', '));
      await screen.write(safeText`Please answer ${keys}. Enter alone means no.\n`);
    } else if (choice.outcome === undefined) {
      await screen.write(safeText`\n${whole}\n`);
    } else if (choice.outcome === ToolConfirmationOutcome.ModifyWithEditor) {
      const answer = await editedAnswer(request, signal, options);
      if (answer !== undefined) return answer;
    } else if (choice.outcome === ToolConfirmationOutcome.Cancel) {
      const said = await terminal.ask('What should it do instead? (Enter for nothing) › ', signal);
      if (said === undefined) return interrupted(signal, options);
      const feedback = said.trim();
      return { outcome: choice.outcome, ...(feedback === '' ? {} : { feedback }) };
    } else {
      return { outcome: choice.outcome, ...(choice.isGeneral === true && { isGeneral: true }) };
    }
  }
}

/** Ctrl-C and Ctrl-D: no, and the run is cancelled unless it was already. */
function interrupted(signal: AbortSignal, { interrupt }: ApproverOptions): ApprovalAnswer {
  if (!signal.aborted) interrupt();
  return { outcome: ToolConfirmationOutcome.Cancel };
}

/** The person's version, or undefined when they changed nothing: then they are asked again. */
async function editedAnswer(
  request: ApprovalRequest,
  signal: AbortSignal,
  { editText, screen }: ApproverOptions,
): Promise<ApprovalAnswer | undefined> {
  const proposal = proposalOf(request);
  if (proposal === undefined) return undefined;
  const { text, fileName } = proposal;
  try {
    const edited = await editText(text, fileName, signal);
    if (edited !== text) return { outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent: edited };
    await screen.write(safeText`Nothing was changed.\n`);
  } catch (thrown) {
    await screen.write(safeText`${safeLine(errorMessage(thrown))}\n`);
  }
  return undefined;
}
