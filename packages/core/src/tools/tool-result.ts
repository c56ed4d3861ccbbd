import type { TodoItem } from '../planning/todo-list.js';
import type { ToolErrorType } from './tool-error.js';

export { TodoStatus } from '../planning/todo-list.js';
export type { TodoItem } from '../planning/todo-list.js';

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

/**
 * A change to one file, for display. `fileDiff` is a unified diff with the head of `createPatch`. `originalContent` is empty for a new
 * file, and null if no single text exists: several files, or a log that omits it.
 */
export interface FileDiff {
  readonly fileDiff: string;
  readonly fileName: string;
  readonly filePath: string;
  readonly originalContent: string | null;
  readonly newContent: string;
  readonly isNewFile?: true;
}

export interface TodoListDisplay {
  readonly todos: readonly TodoItem[];
}

/** A plan that was agreed to, in Markdown. */
export interface PlanDisplay {
  readonly plan: string;
  /** What there is to say of it, one line; may be empty. */
  readonly note: string;
}

/** How far a long call has come (S43). `progress` is a share between 0 and 1. */
export interface ProgressDisplay {
  readonly status: string;
  readonly progress?: number;
}

/** Markdown or plain text, or something a door knows how to draw. */
export type ToolResultDisplay = string | FileDiff | TodoListDisplay | PlanDisplay | ProgressDisplay;

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
