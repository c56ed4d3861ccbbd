import {
  nearestName,
  parseApprovalMode,
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalMode,
  type AskedAnswer,
  type Part,
} from '@tenon/core';
import { isObject } from '../../is-object.js';

/** One line of `--input-format stream-json`. `schemas/input.schema.json` documents them. */
export type InputMessage =
  | UserMessage
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'set-mode'; readonly mode: ApprovalMode }
  | { readonly type: 'approval'; readonly callId: string; readonly answer: ApprovalAnswer }
  | { readonly type: 'end' };

export interface UserMessage {
  readonly type: 'user';
  readonly text: string;
  /** Files, folders and globs that go along. */
  readonly attach: readonly string[];
  /** What goes along beside: images. */
  readonly content: readonly Part[];
  /** The program's own name for it. */
  readonly id?: string;
}

const TYPES: readonly InputMessage['type'][] = ['user', 'steer', 'cancel', 'set-mode', 'approval', 'end'];
const OUTCOMES: readonly ToolConfirmationOutcome[] = Object.values(ToolConfirmationOutcome);

export type ReadMessage =
  { readonly ok: true; readonly message: InputMessage } | { readonly ok: false; readonly problem: string };

/** Reads one line; properties that are not known are passed over, for later versions have more. Pure, never throws. */
export function readMessage(line: string): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return wrong('The line is not JSON. Send one JSON object a line, without line breaks in it.');
  }
  if (!isObject(value))
    return wrong('The line is JSON, but no object. Send {"type": "user", "text": "…"} and the like.');
  const { type } = value;
  switch (type) {
    case 'user':
      return readUser(value);
    case 'steer':
      return isWords(value['text'])
        ? right({ type, text: value['text'] })
        : wrong('"steer" needs a "text" that is not empty.');
    case 'set-mode':
      return readMode(value['mode']);
    case 'approval':
      return readApproval(value);
    case 'cancel':
    case 'end':
      return right({ type });
    default: {
      const meant = typeof type === 'string' ? nearestName(type, TYPES) : undefined;
      const hint = meant === undefined ? `It must be one of ${TYPES.join(', ')}.` : `Did you mean "${meant}"?`;
      return wrong(`There is no message of type ${JSON.stringify(type) ?? 'undefined'}. ${hint}`);
    }
  }
}

function readUser(value: Fields): ReadMessage {
  const { attach = [], id } = value;
  if (!Array.isArray(attach) || !attach.every((each) => typeof each === 'string'))
    return wrong('"attach" must be a list of paths.');
  if (id !== undefined && typeof id !== 'string') return wrong('"id" must be a string.');
  const said = value['text'] ?? (isObject(value['message']) ? value['message']['content'] : undefined);
  const parts = typeof said === 'string' ? [{ text: said }] : readBlocks(said);
  if (typeof parts === 'string') return wrong(parts);
  const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  if (text.trim() === '') return wrong('The prompt is empty. Give it as "text".');
  if (text.includes('\0')) return wrong('The prompt holds a NUL character. Remove it: it is not text.');
  const content = parts.filter((part) => !('text' in part));
  return right({ type: 'user', text, attach, content, ...(id !== undefined && { id }) });
}

/** Blocks as the providers of models write them; the problem when they are none. */
function readBlocks(said: unknown): Part[] | string {
  if (!Array.isArray(said)) return '"user" needs a "text", or a "message" with "content".';
  const parts: Part[] = [];
  for (const block of said as readonly unknown[]) {
    const source = isObject(block) ? block['source'] : undefined;
    if (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string')
      parts.push({ text: block['text'] });
    else if (isObject(source) && typeof source['media_type'] === 'string' && typeof source['data'] === 'string')
      parts.push({ inlineData: { mimeType: source['media_type'], data: source['data'] } });
    else return 'A block of "content" must be {"type": "text", "text": …} or an image with its base64 "source".';
  }
  return parts;
}

function readMode(given: unknown): ReadMessage {
  const mode = typeof given === 'string' ? parseApprovalMode(given) : undefined;
  if (mode === undefined) return wrong('"set-mode" needs a "mode": plan, default, auto_edit or yolo.');
  return right({ type: 'set-mode', mode });
}

function readApproval(value: Fields): ReadMessage {
  const { callId, feedback, newContent } = value;
  const outcome = OUTCOMES.find((each) => each === value['outcome']);
  if (typeof callId !== 'string') return wrong('"approval" needs the "callId" of the question.');
  if (outcome === undefined) return wrong(`"approval" needs an "outcome": ${OUTCOMES.join(', ')}.`);
  const isChange = outcome === ToolConfirmationOutcome.ModifyWithEditor;
  if (isChange && typeof newContent !== 'string') return wrong(`"${outcome}" needs the "newContent" of the file.`);
  const answers = readAnswers(value['answers']);
  if (typeof answers === 'string') return wrong(answers);
  const answer: ApprovalAnswer = {
    outcome,
    ...(typeof feedback === 'string' && { feedback }),
    ...(typeof newContent === 'string' && { newContent }),
    ...(answers !== undefined && { answers }),
    ...(value['isGeneral'] === true && { isGeneral: true }),
  };
  return right({ type: 'approval', callId, answer });
}

/** To questions of the model, by their place; the problem when they are none. */
function readAnswers(given: unknown): readonly AskedAnswer[] | string | undefined {
  if (given === undefined) return undefined;
  const problem = '"answers" must be a list with {"selected": [LABEL, …], "words": "…"} for each question, or {}.';
  if (!Array.isArray(given)) return problem;
  const answers: AskedAnswer[] = [];
  for (const each of given as readonly unknown[]) {
    if (!isObject(each)) return problem;
    const { selected, words } = each;
    const isList = Array.isArray(selected) && selected.every((label) => typeof label === 'string');
    if ((selected !== undefined && !isList) || (words !== undefined && typeof words !== 'string')) return problem;
    answers.push({ ...(isList && { selected }), ...(words !== undefined && { words }) });
  }
  return answers;
}

type Fields = Readonly<Record<string, unknown>>;

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function right(message: InputMessage): ReadMessage {
  return { ok: true, message };
}

function wrong(problem: string): ReadMessage {
  return { ok: false, problem };
}
