import { isObject } from '../../util/is-object.js';

export type WireId = string | number;

export interface WireObject {
  readonly [key: string]: unknown;
}

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What came from a server, sorted. Everything else in JSON is stray. */
export type WireMessage =
  | { readonly kind: 'request'; readonly id: WireId; readonly method: string; readonly whole: WireObject }
  | { readonly kind: 'notification'; readonly method: string; readonly whole: WireObject }
  | { readonly kind: 'result'; readonly id: WireId; readonly result: WireObject; readonly whole: WireObject }
  | { readonly kind: 'error'; readonly id: WireId; readonly error: WireError };

/** A server's own mistake. */
const INTERNAL_ERROR = -32_603;
const BYTE_ORDER_MARK = '\uFEFF';

/** The messages in one line or body; undefined when it is none. */
export function parseMessages(text: string): WireMessage[] | undefined {
  const json = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  // Saves the parser's exception for what programs usually print.
  const start = json.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const messages = messagesIn(value);
  return messages.length === 0 ? undefined : messages;
}

/** Batches, which some servers of older revisions send, are taken apart. */
export function messagesIn(value: unknown): WireMessage[] {
  const several: readonly unknown[] = Array.isArray(value) ? value : [value];
  return several.map(sortMessage).filter((message) => message !== undefined);
}

function sortMessage(value: unknown): WireMessage | undefined {
  if (!isObject(value)) return undefined;
  const { id, method } = value;
  if (typeof method === 'string') {
    if (id === undefined || id === null) return { kind: 'notification', method, whole: value };
    return isId(id) ? { kind: 'request', id, method, whole: value } : undefined;
  }
  if (!isId(id)) return undefined;
  if (isObject(value['result']) && (value['error'] === undefined || value['error'] === null)) {
    return { kind: 'result', id, result: value['result'], whole: value };
  }
  return { kind: 'error', id, error: soundError(value) };
}

function isId(id: unknown): id is WireId {
  return typeof id === 'string' || typeof id === 'number';
}

/** Also for an answer that has no object as result, which the caller would else wait for until its time is over. */
function soundError(answer: WireObject): WireError {
  const { error, result } = answer;
  if (!isObject(error)) {
    const said =
      typeof error === 'string' && error !== '' ? error : `its answer is unsound: the result is ${kindOf(result)}`;
    return { code: INTERNAL_ERROR, message: said };
  }
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' && Number.isFinite(code) ? code : INTERNAL_ERROR,
    message: typeof message === 'string' && message.trim() !== '' ? message : 'an error without a message',
    ...(data === undefined ? {} : { data }),
  };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

const ID_AT_START = /^[^{]*\{(?:"jsonrpc":"2\.0",)?"id":(\d+|"[^"]*")[,}]/u;
const ID_AT_END = /"id":(\d+|"[^"]*")(?:,"jsonrpc":"2\.0")?\}\s*$/u;

const MESSAGE_START = /^[^{]*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?/u;
const ASKS = /^(?:"id"\s*:\s*(?:\d+|"[^"]*")\s*,\s*)?"method"\s*:/u;

/** Returns true if a message with this start is a request or a notification, not an answer. */
export function asksSomething(start: string): boolean {
  return ASKS.test(start.replace(MESSAGE_START, ''));
}

/** Whose answer a line is that was too long to be read. */
export function answeredId(start: string, end: string): WireId | undefined {
  const written = ID_AT_START.exec(start)?.[1] ?? ID_AT_END.exec(end)?.[1];
  if (written === undefined) return undefined;
  return written.startsWith('"') ? written.slice(1, -1) : Number(written);
}
