import type {
  CallEvent,
  CallStatus,
  InlineDataPart,
  LoggedEvent,
  Safe,
  SubagentEvent,
  TodoItem,
  ToolResultDisplay,
} from '@tenon/core';
import type { GrowingMarkdown } from './split-markdown.js';

/** What the stream and the log of a session tell. */
export type SessionEvent = LoggedEvent['event'];
export type CallStart = Extract<CallEvent, { type: 'tool-call-start' }>;
export type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;
export type SubagentEnd = Extract<SubagentEvent, { type: 'subagent-end' }>;
export type ApprovalGiven = Extract<CallEvent, { type: 'approval-answer' }>;

/** What the transcript is made of, in order. All strings are untrusted; times are milliseconds of the epoch. */
export type Item = UserItem | AnswerItem | ThinkingItem | CallItem | NoticeItem | ShownItem | ImagesItem;

export interface UserItem {
  readonly kind: 'user';
  readonly key: string;
  /** For `rewind`. */
  readonly id?: string;
  readonly text: string;
  readonly isSteering: boolean;
}

export interface AnswerItem {
  readonly kind: 'answer';
  readonly key: string;
  readonly markdown: GrowingMarkdown;
  readonly isDone: boolean;
}

export interface ThinkingItem {
  readonly kind: 'thinking';
  readonly key: string;
  readonly text: string;
  readonly startedAt: number;
  /** Undefined while it goes on. */
  readonly endedAt?: number;
}

export interface CallItem {
  readonly kind: 'call';
  readonly key: string;
  readonly start: CallStart;
  readonly phase: 'running' | 'asking' | 'done';
  /** Since when it runs or is asked about. */
  readonly since: number;
  /** The latest of its updates. */
  readonly display?: ToolResultDisplay;
  readonly answer?: ApprovalGiven;
  readonly end?: CallResult;
  /** True: a call stands right above it. */
  readonly isNext: boolean;
  /** The subagent that works for it. */
  readonly agent?: CallAgent;
  /** The latest calls of that agent. */
  readonly children: readonly CallItem[];
}

/** A subagent, as far as it is shown while it works and after. */
export interface CallAgent {
  readonly agentId: string;
  /** Of its definition. */
  readonly name: string;
  readonly description: string;
  readonly isBackground: boolean;
  readonly startedAt: number;
  /** The log of all that it says and does. */
  readonly logFile: string;
  /** What it does between calls. */
  readonly doing: 'waiting' | 'thinking' | 'answering' | 'retrying';
  /** Calls that it began, those of its own subagents not among them. */
  readonly calls: number;
  /** Of its requests that were answered. */
  readonly tokens: { readonly input: number; readonly output: number };
  readonly end?: Pick<SubagentEnd, 'stopReason' | 'durationMs'>;
}

/** What is shown of how a call ended; what the model was told is not kept. */
export interface CallResult {
  readonly status: CallStatus;
  readonly durationMs: number;
  readonly display: ToolResultDisplay;
  readonly isMarkdown?: true;
  readonly images: readonly InlineDataPart['inlineData'][];
  /** How a command that ran came to a bad end: `exit 2`. */
  readonly failure?: string;
  /** Why it was denied, for the person. */
  readonly denial?: string;
}

export interface NoticeItem {
  readonly kind: 'notice';
  readonly key: string;
  /** `end`: how a prompt came to its end, when not by itself. */
  readonly level: 'info' | 'warning' | 'error' | 'news' | 'end';
  readonly text: string;
}

/** What a command of the person showed. */
export interface ShownItem {
  readonly kind: 'shown';
  readonly key: string;
  readonly text: Safe;
}

/** What went with a message. */
export interface ImagesItem {
  readonly kind: 'images';
  readonly key: string;
  readonly images: readonly InlineDataPart['inlineData'][];
}

/** What the model does between calls. */
export type Activity =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting' | 'thinking' | 'answering'; readonly since: number }
  | { readonly kind: 'retrying'; readonly until: number; readonly attempt: number; readonly reason: string };

export interface SessionState {
  /** Not yet forgotten. */
  readonly items: readonly Item[];
  /** For the next key. */
  readonly serial: number;
  /** What came last, also when it is forgotten. */
  readonly lastKind?: Item['kind'];
  readonly activity: Activity;
  /** When the prompt began; undefined between prompts. */
  readonly promptSince?: number;
  /** True: parts of this turn's answer came as it was written. */
  readonly hasDeltas: boolean;
  /** Keys of what this turn's model said so far. */
  readonly turnKeys: readonly string[];
  /** True: some of what this turn said is in the scrollback. */
  readonly isTurnPrinted: boolean;
  /** Of the prompt that runs or ran last. */
  readonly tokens: { readonly input: number; readonly output: number; readonly streamedCharacters: number };
  /** Of the prompt that runs. */
  readonly answers: readonly ApprovalGiven[];
  readonly todos: readonly TodoItem[];
  /** Subagents that work on while the agent above does other things. */
  readonly background: readonly CallAgent[];
  readonly model?: string;
}

export const EMPTY_STATE: SessionState = {
  items: [],
  serial: 0,
  activity: { kind: 'idle' },
  hasDeltas: false,
  turnKeys: [],
  isTurnPrinted: false,
  tokens: { input: 0, output: 0, streamedCharacters: 0 },
  answers: [],
  todos: [],
  background: [],
};
