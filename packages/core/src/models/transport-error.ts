import { certificateAdvice } from '../network/certificate-advice.js';
import { PROXY_UNUSABLE } from '../network/choose-proxy.js';
import { ProxyFailure } from '../network/proxy-failure.js';
import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';
import { ModelError } from './model-error.js';
import { providerMessage, redact } from './provider-error.js';
import { shownUrl } from './provider-url.js';

/** What a transport threw, in words, for a request to be answered. Loaded when it is needed. */
export function transportError(
  thrown: unknown,
  connection: { readonly url: string; readonly secrets: readonly string[] },
): ModelError {
  if (thrown instanceof ModelError) return thrown;
  if (isProxyFailure(thrown)) return proxyError(thrown);
  const { code, deepest } = rootOf(thrown);
  const reason = code ?? providerMessage(redact(errorMessage(deepest), connection.secrets));
  const failed = `The connection to the model at ${shownUrl(connection.url)} failed: ${reason}.`;
  // No cause: it may hold a header with the key in its message.
  const lasting = certificateAdvice(code);
  if (lasting !== undefined) return new ModelError(`${failed} ${lasting}`, { kind: 'network', isLasting: true });
  const isAbsent = code === 'ECONNREFUSED' || code === 'ENOTFOUND';
  const advice = isAbsent ? ' Check that it runs and that the base URL is right.' : '';
  // Nothing listens there. One retry follows, in case the server is just restarting.
  const tries = code === 'ECONNREFUSED' ? { mostRetries: 1 } : {};
  return new ModelError(`${failed}${advice}`, { kind: 'network', ...tries });
}

/** The same for the list of models. `shown`: its address. */
export function listingError(thrown: unknown, shown: string): ModelError {
  if (isProxyFailure(thrown)) return proxyError(thrown);
  const failed = `${shown} cannot be asked for its models`;
  // No reason and no cause: they may hold the key.
  const { code } = rootOf(thrown);
  const lasting = certificateAdvice(code);
  if (lasting === undefined) return new ModelError(`${failed}.`, { kind: 'network' });
  return new ModelError(`${failed}: ${code}. ${lasting}`, { kind: 'network', isLasting: true });
}

/** Whether what a transport threw is a proxy's fault; its message says all there is to say. */
function isProxyFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && thrown.code === PROXY_UNUSABLE;
}

/** A proxy that cannot be reached, or does not reach the model, may the next time; one that says no will again. */
function proxyError(failure: Failure): ModelError {
  const isPassing = failure instanceof ProxyFailure && !failure.isLasting;
  const info = isPassing ? ({ kind: 'network' } as const) : ({ kind: 'network', isLasting: true } as const);
  return new ModelError(failure.message, info, { cause: failure });
}

/** The cause below all others, and the code nearest to it: it may stand in a chain of causes, as fetch hides it below "fetch failed". */
function rootOf(thrown: unknown): { readonly deepest: unknown; readonly code: string | undefined } {
  let code: string | undefined;
  let deepest = thrown;
  for (let depth = 0; depth < 5; depth += 1) {
    code = systemErrorCode(deepest) ?? code;
    const errors: unknown = deepest instanceof AggregateError ? deepest.errors[0] : undefined;
    const cause: unknown = errors ?? (deepest instanceof Error ? deepest.cause : undefined);
    if (cause === undefined) break;
    deepest = cause;
  }
  return { deepest, code };
}
