import { PROXY_UNUSABLE } from '../network/choose-proxy.js';
import { ProxyFailure } from '../network/proxy-failure.js';
import { Failure } from '../util/failure.js';
import type { ModelFailureInfo } from './model.js';

const RETRYABLE: ReadonlySet<ModelFailureInfo['kind']> = new Set(['network', 'rate-limit', 'server', 'broken-stream']);

/** A request to a model that failed, with what decides whether to try again. */
export class ModelError extends Failure {
  readonly info: ModelFailureInfo;

  constructor(message: string, info: ModelFailureInfo, options?: ErrorOptions) {
    super(`model_${info.kind.replaceAll('-', '_')}`, message, options);
    this.name = 'ModelError';
    this.info = info;
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.info.kind);
  }
}

/** Whether what a transport threw is a proxy's fault; its message says all there is to say. */
export function isProxyFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && thrown.code === PROXY_UNUSABLE;
}

/** A proxy that cannot be reached, or does not reach the model, may the next time; one that says no will again. */
export function proxyError(failure: Failure): ModelError {
  const isPassing = failure instanceof ProxyFailure && !failure.isLasting;
  return new ModelError(failure.message, { kind: isPassing ? 'network' : 'bad-request' }, { cause: failure });
}
