import { Failure } from '../util/failure.js';
import type { ModelFailureInfo } from './model.js';

const RETRYABLE: ReadonlySet<ModelFailureInfo['kind']> = new Set([
  'network',
  'rate-limit',
  'server',
  'broken-stream',
  'empty-answer',
]);

/** A request to a model that failed, with what decides whether to try again. */
export class ModelError extends Failure {
  readonly info: ModelFailureInfo;

  constructor(message: string, info: ModelFailureInfo, options?: ErrorOptions) {
    super(`model_${info.kind.replaceAll('-', '_')}`, message, options);
    this.name = 'ModelError';
    this.info = info;
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.info.kind) && this.info.isLasting !== true;
  }
}
