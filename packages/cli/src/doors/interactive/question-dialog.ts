import {
  createPainter,
  joinSafe,
  makeSafe,
  safeText,
  splitLines,
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskedAnswer,
  type AskedQuestion,
  type Safe,
} from '@tenon/core';
import type { Output } from '../../output.js';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';
import type { Terminal } from '../../ui/terminal.js';

export interface QuestionDialogOptions {
  readonly terminal: Pick<Terminal, 'ask'>;
  readonly screen: Output;
}

/** Questions of the agent in lines, one after the other. Undefined: the person left, or the question was taken back. */
export async function askQuestions(
  request: Pick<ApprovalRequest, 'agent'>,
  questions: readonly AskedQuestion[],
  signal: AbortSignal,
  { terminal, screen }: QuestionDialogOptions,
): Promise<ApprovalAnswer | undefined> {
  const answers: AskedAnswer[] = [];
  for (const [index, question] of questions.entries()) {
    const place = questions.length === 1 ? safeText`` : safeText` (${index + 1} of ${questions.length})`;
    const who =
      request.agent === undefined
        ? safeText`A question for you${place}`
        : safeText`The subagent ${safeLine(request.agent)} has a question for you${place}`;
    await screen.write(safeText`\n${askedView(question, who, screen.colors)}`);
    const hint = question.multiSelect ? 'Numbers with commas' : 'A number';
    const line = await terminal.ask(`${hint}, your own words, or Enter for no answer › `, signal);
    if (line === undefined) return undefined;
    answers.push(readLine(question, line));
  }
  return { outcome: ToolConfirmationOutcome.ProceedOnce, answers };
}

/** Words of the model stand behind a bar, so that none of them looks like Tenon's own. */
export function askedView({ question, options, multiSelect }: AskedQuestion, head: Safe, colour: boolean): Safe {
  const paint = createPainter(colour);
  const several = multiSelect ? safeText`, several may be chosen` : safeText``;
  const lines = options.flatMap(({ label, description, preview }, index) => [
    safeText`  ${index + 1}  │ ${makeSafe(label, { maxLength: 500 })}\n`,
    ...(description === '' ? [] : [safeText`     │ ${paint('dim', makeSafe(description, { maxLength: 1000 }))}\n`]),
    ...(preview === undefined ? [] : quoted(preview).map((line) => safeText`     ${line}`)),
  ]);
  const own = paint('dim', safeText`(lines with │ are the model's words${several})`);
  return joinSafe([safeText`${paint('bold', head)} ${own}\n`, ...quoted(question), ...lines], safeText``);
}

/** Numbers and names of options are those; anything else is the person's own words, as they typed them. Pure. */
export function readLine({ options, multiSelect }: AskedQuestion, line: string): AskedAnswer {
  const text = line.trim();
  if (text === '') return {};
  const labelOf = (word: string): string | undefined => {
    if (/^\d+$/.test(word)) return options[Number(word) - 1]?.label;
    return options.find(({ label }) => label.trim().toLowerCase() === word.toLowerCase())?.label;
  };
  const whole = labelOf(text);
  if (whole !== undefined) return { selected: [whole] };
  const labels = multiSelect ? text.split(/[\s,;]+/).map(labelOf) : [];
  const chosen = labels.filter((label) => label !== undefined);
  if (chosen.length === 0 || chosen.length < labels.length) return { words: text };
  return { selected: options.flatMap(({ label }) => (chosen.includes(label) ? [label] : [])) };
}

function quoted(text: string): Safe[] {
  return splitLines(safeBlock(text.trimEnd())).map((line) => safeText`│ ${line}\n`);
}
