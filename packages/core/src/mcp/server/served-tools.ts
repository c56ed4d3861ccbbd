/**
 * What is served over MCP, as the server half sees it. The one who serves makes it of whatever runs calls; nothing here
 * knows tools, policy or settings.
 */
export interface ServedTools {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** For the client's model, a few sentences. */
  readonly instructions: string;
  /** Always the same, in the same order: clients keep it. */
  list(): Promise<readonly ServedTool[]>;
  /** Resources worth naming in the folders of a client; others are reached by their `file:` address. */
  resources(workspace: ServedWorkspace): Promise<readonly ServedResource[]>;
  /**
   * The workspace for a client with these folders (`undefined`: it says nothing of folders). Never more than what was
   * agreed to at the start. The same owner and folders get the same one.
   * @throws Failure whose message tells the client's model why there is none
   */
  open(client: ServedClient): Promise<ServedWorkspace>;
  /** The client is gone: what runs for it is ended. */
  release(owner: string): Promise<void>;
}

export interface ServedClient {
  /** Grants "for this session" hold for one owner. */
  readonly owner: string;
  /** Addresses as the client sent them. */
  readonly roots?: readonly string[];
}

export interface ServedWorkspace {
  /** Absolute. */
  readonly folders: readonly string[];
  call(call: ServedCall): Promise<ServedResult>;
  /** The file at an absolute path, by the same rules as a call that reads it. */
  read(path: string, call: CallSurroundings): Promise<ServedResult>;
}

export interface ServedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly hints: ToolHints;
}

/** `annotations` of a tool. Undefined: nothing is known. */
export interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ServedResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
}

export interface CallSurroundings {
  readonly signal: AbortSignal;
  /** What it is doing, one line. */
  readonly onProgress: (message: string) => void;
  /** Puts a question to the person behind the client. */
  readonly ask: (question: ApprovalQuestion) => ApprovalReply;
}

export interface ServedCall extends CallSurroundings {
  readonly name: string;
  readonly args: unknown;
}

export interface ApprovalQuestion {
  /** Everything the person must see, made safe to show. */
  readonly text: string;
  /** Changes with anything that the answer is about. */
  readonly digest: string;
  /** True: "for this session" can be kept. */
  readonly canLast: boolean;
  /** What to tell the model where nobody can be asked. */
  readonly unasked: string;
  /** What is filled in, none of it needed, where it is no yes or no that is wanted. */
  readonly fields?: Readonly<Record<string, QuestionField>>;
}

/** Of a form. Plain words as values: every client of every revision shows them as they are. */
export type QuestionField =
  | { type: 'string'; title: string; description?: string; enum: string[] }
  | { type: 'string'; title: string; description?: string }
  | { type: 'array'; title: string; description?: string; items: { type: 'string'; enum: string[] } };

/**
 * `parked`: the question goes to the client, and the call is made anew with the answer; until then it must end without
 * having done anything. `nobody`: the client cannot ask.
 */
export type ApprovalReply =
  | 'once'
  | 'session'
  | 'no'
  | 'dismissed'
  | 'parked'
  | 'nobody'
  /** The fields of the question, unchecked. */
  | { readonly content: Readonly<Record<string, unknown>> };

export interface ServedResult {
  readonly parts: readonly ServedPart[];
  /** As the tool's `outputSchema` says. */
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export type ServedPart =
  { readonly text: string } | { readonly inlineData: { readonly data: string; readonly mimeType: string } };

/** What went wrong beside the calls, for the one who runs the server; a line each. */
export type Report = (message: string) => void;
