import { errorMessage } from '../util/failure.js';
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
  try {
    const response = await fetch(hook.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headersOf(hook, environment), 'content-type': 'application/json', accept: 'application/json' },
      body: input,
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return failed(`was answered with status ${response.status}`);
    }
    const text = await readText(response);
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

/** Undefined when it is too much. */
async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let [text, bytes] = ['', 0];
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return text + decoder.decode();
    bytes += part.value.byteLength;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

function causeOf(thrown: unknown): string {
  return errorMessage(thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown);
}

function failed(problem: string): Reply {
  return { answer: {}, problem };
}
