import { certificateAdvice } from '../network/certificate-advice.js';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { responseText } from '../util/response-text.js';
import type { HttpHook } from './hook-types.js';
import { hookAddressProblem } from './http-address.js';
import { readTextAnswer, type Reply } from './read-answer.js';
import { MOST_BYTES } from './run-command-hook.js';

interface HttpPlace {
  readonly fetch: typeof fetch;
  /** What `$NAME` in headers may stand for, where the hook names it: that of commands, so no keys of models. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Posts the input. Redirects are not followed. `signal` ends it at its time as well. Never rejects but with the signal's reason. */
export async function runHttpHook(
  hook: HttpHook,
  { fetch, environment, input }: HttpPlace & { readonly input: string },
  signal: AbortSignal,
): Promise<Reply> {
  const problem = hookAddressProblem(hook.url);
  if (problem !== undefined) return failed(`has an address that is not used: ${problem}`);
  const headers = headersOf(hook, environment);
  const odd = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  // The error of the library would say the value, which may be a secret.
  if (odd !== undefined) return failed(`cannot be sent: no header ${JSON.stringify(odd[0])} can hold its value`);
  try {
    const response = await fetch(hook.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: input,
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return failed(`was answered with status ${response.status}`);
    }
    const text = await responseText(response, MOST_BYTES);
    return text === undefined
      ? failed(`was answered with more than ${MOST_BYTES / 1024 / 1024} MB`)
      : readTextAnswer(hook.event, text);
  } catch (thrown) {
    signal.throwIfAborted();
    return failed(`could not be reached: ${causeOf(thrown)}`);
  }
}

function headersOf(
  { headers, allowedEnvVars }: HttpHook,
  environment: HttpPlace['environment'],
): Record<string, string> {
  const valueOf = (name: string): string => (allowedEnvVars.includes(name) ? (environment[name] ?? '') : '');
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced: string | undefined, plain: string | undefined) =>
        valueOf(braced ?? plain ?? ''),
      ),
    ]),
  );
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}

function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const advice = certificateAdvice(systemErrorCode(cause));
  return advice === undefined ? errorMessage(cause) : `${errorMessage(cause)}. ${advice.replace(/\.$/u, '')}`;
}

function failed(problem: string): Reply {
  return { answer: {}, problem };
}
