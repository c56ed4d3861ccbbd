import type { ToolErrorType } from './tool-error.js';

export interface TextPart {
  readonly text: string;
}

/** Binary content: `data` is base64. */
export interface InlineDataPart {
  readonly inlineData: { readonly data: string; readonly mimeType: string };
}

export type Part = TextPart | InlineDataPart;
export type PartUnion = string | Part;
/** One part or several, strings and parts mixed (S38, S41, K6). */
export type PartListUnion = PartUnion | readonly PartUnion[];

/** A change to one file, for display. `fileDiff` is a unified diff; `originalContent` is null for a new file. */
export interface FileDiff {
  readonly fileDiff: string;
  readonly fileName: string;
  readonly filePath: string;
  readonly originalContent: string | null;
  readonly newContent: string;
}

export const TodoStatus = { PENDING: 'pending', IN_PROGRESS: 'in_progress', COMPLETED: 'completed' } as const;
export type TodoStatus = (typeof TodoStatus)[keyof typeof TodoStatus];

export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: TodoStatus;
}

export interface TodoListDisplay {
  readonly todos: readonly TodoItem[];
}

/** How far a long call has come (S43). `progress` is a share between 0 and 1. */
export interface ProgressDisplay {
  readonly status: string;
  readonly progress?: number;
}

/** Markdown or plain text, or something a door knows how to draw. */
export type ToolResultDisplay = string | FileDiff | TodoListDisplay | ProgressDisplay;

export interface ToolResult {
  /** What the model is told. */
  llmContent: PartListUnion;
  /** What the person is shown; derived from `llmContent` when absent (K7). */
  returnDisplay?: ToolResultDisplay;
  /** Set exactly when the call failed. */
  error?: { message: string; type: ToolErrorType };
  /** The same result as plain data, for programs (`tenon call`, SDK users). */
  data?: unknown;
}

/** The result of a call that failed: the model and the person read the same words. */
export function failedResult(type: ToolErrorType, message: string): ToolResult {
  return { llmContent: message, returnDisplay: message, error: { message, type } };
}

/** `llmContent` as a flat list of parts. */
export function toParts(content: PartListUnion): Part[] {
  const list: readonly PartUnion[] = typeof content === 'string' || !isList(content) ? [content] : content;
  return list.map((part) => (typeof part === 'string' ? { text: part } : part));
}

function isList(content: PartListUnion): content is readonly PartUnion[] {
  return Array.isArray(content);
}
