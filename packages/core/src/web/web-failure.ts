import { Failure } from '../util/failure.js';

/** The codes of what goes wrong on the way to a page. */
export type WebFailureCode =
  'web_refused' | 'web_unreachable' | 'web_status' | 'timed_out' | 'file_too_large' | 'read_content_failure';

export function webFailure(code: WebFailureCode, message: string, options?: ErrorOptions): Failure {
  return new Failure(code, message, options);
}
