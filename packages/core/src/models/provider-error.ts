import { kindByWords } from './failure-words.js';
import { ModelError } from './model-error.js';
import type { ModelFailureInfo } from './model.js';
import { fullWindow, RATE_LIMIT } from './full-window.js';
import { asObject, asText, at, parseJson } from './wire-json.js';

/** What a provider answered instead of an answer. */
export interface ProviderFailure {
  readonly status?: number;
  /** `Retry-After` or a provider's own wish, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Body of the response, or the JSON of an error event. */
  readonly body: string;
  /** Already without query. */
  readonly url: string;
  /** Never to be repeated in a message. */
  readonly secrets: readonly string[];
  /** A sentence on what to do where the key is refused. */
  readonly keyAdvice?: string | undefined;
  /** The proxy that may be who answered. */
  readonly through?: string | undefined;
}

/** Characters of a provider's own message that are passed on. */
const MESSAGE_LIMIT = 500;

/** The error for a failed response or an error inside a stream. The kind decides whether it is tried again. */
export function providerError(failure: ProviderFailure): ModelError {
  const said = providerMessage(failure.body);
  const code = errorCode(failure.body);
  const status = failure.status ?? statusOf(code);
  const window = fullWindow(code, said, at(parseJson(failure.body), 'error', 'n_ctx'));
  const kind = window === undefined ? failureKind(status, `${code} ${said}`) : 'context-length';
  const words = [`The model at ${failure.url} ${status === undefined ? 'reported an error' : `answered ${status}`}`];
  if (said !== '') words.push(`: ${redact(said, failure.secrets)}`);
  words.push(said === '' || /[^.!?]$/.test(said) ? '.' : '', nextStep(kind, status, failure.keyAdvice));
  if (failure.through !== undefined) words.push(` It was asked through ${failure.through}, which may be who answered.`);
  const info: ModelFailureInfo = {
    kind,
    ...(status === undefined ? {} : { status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(window?.tokens === undefined ? {} : { contextWindow: window.tokens }),
  };
  return new ModelError(words.join(''), info);
}

/**
 * `Retry-After` in milliseconds from `now` (RFC 9110 10.2.3: seconds or a date), also
 * `retry-after-ms`. Undefined when absent or unreadable; a date that has passed is 0.
 */
export function retryAfterMs(header: (name: string) => string | undefined, now: number): number | undefined {
  const precise = header('retry-after-ms');
  if (precise !== undefined && /^\d+(\.\d+)?$/.test(precise)) return Number(precise);
  const value = header('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // Date.parse also reads "-5" as a year; a date of RFC 9110 has letters.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The text with every secret, whole or as its `Bearer` part, taken out. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    for (const form of [secret, secret.replace(/^\S+\s+/, '')]) {
      if (form.trim() !== '') result = result.replaceAll(form, '***');
    }
  }
  return result;
}

/** The words of a provider for people, out of the shapes that servers use; white space folded, cut. */
export function providerMessage(body: string): string {
  const json = parseJson(body);
  const root = Array.isArray(json) ? at(json, 0) : json;
  const candidates = [
    at(root, 'error', 'message'),
    at(root, 'error'),
    at(root, 'message'),
    at(root, 'detail'),
    at(root, 'detail', 0, 'msg'),
    ...['msg', 'error_message', 'error_msg'].map((name) => at(root, name)),
    at(root, 'errors', 0, 'message'),
    at(root, 'base_resp', 'status_msg'),
    // A web page instead of an API: its title says more than its markup.
    /<title[^>]*>([^<]*)/i.exec(body)?.[1],
    json === undefined && !/^\s*</.test(body) ? body : undefined,
  ];
  const text = (candidates.map(asText).find((found) => found !== undefined) ?? '').replace(/\s+/g, ' ').trim();
  return text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Codes and types of an error, joined: providers put the telling word in different places. */
function errorCode(body: string): string {
  const json = parseJson(body);
  const root = Array.isArray(json) ? at(json, 0) : json;
  const error = asObject(at(root, 'error')) ?? root;
  return ['code', 'type', 'status']
    .map((key) => at(error, key))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ');
}

/** A status that stands only in the body, as in error events of a stream that began with 200. */
function statusOf(code: string): number | undefined {
  const found = /(?:^| )([45]\d\d)(?: |$)/.exec(code)?.[1];
  return found === undefined ? undefined : Number(found);
}

function failureKind(status: number | undefined, words: string): ModelFailureInfo['kind'] {
  // OpenAI answers 429 also when the account has no money left: waiting does not help.
  if (/insufficient_quota|billing/i.test(words)) return 'auth';
  // Gemini says so with 400.
  if (status === 401 || status === 403 || /API key (not valid|expired)|API_KEY_INVALID/i.test(words)) return 'auth';
  // Groq answers 413 to a request above its limit per minute.
  if (status === 429 || (status === 413 && RATE_LIMIT.test(words))) return 'rate-limit';
  if (status === 413) return 'context-length';
  if (status === 408 || status === 409 || status === 425) return 'server';
  if (status !== undefined) return status >= 500 ? 'server' : 'bad-request';
  return kindByWords(words);
}

function nextStep(kind: ModelFailureInfo['kind'], status: number | undefined, keyAdvice?: string): string {
  if (kind === 'auth') return ` ${keyAdvice ?? 'Check the API key and the account.'}`;
  if (kind === 'context-length') return ' The conversation is too long for this model: shorten it or start a new one.';
  if (status === 404) return ' Check the model name and the base URL.';
  return '';
}
