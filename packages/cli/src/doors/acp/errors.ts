import { RequestError } from '@agentclientprotocol/sdk';
import { errorMessage, Failure } from '@tenon/core';
import { ExitCode, ExitFailure } from '../../exit-codes.js';

const INTERNAL = -32603;
const INVALID_REQUEST = -32600;

/** What was thrown, as the answer to a request. A message that was meant for the person stays as it is. Pure. */
export function requestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const message = errorMessage(thrown);
  if (thrown instanceof ExitFailure) {
    if (thrown.exitCode === ExitCode.NO_MODEL) return new RequestError(-32000, message);
    if (thrown.exitCode === ExitCode.WORKSPACE) return RequestError.invalidParams(undefined, message);
  }
  if (thrown instanceof Failure) {
    if (thrown.code === 'session_open')
      return new RequestError(INVALID_REQUEST, `${message} In an editor: load it to read it, or fork it.`);
    if (thrown.code === 'no_workspace') return RequestError.invalidParams(undefined, message);
  }
  return new RequestError(INTERNAL, message);
}

/** The outcome of a handler; whatever it throws is an answer. */
export async function answering<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw requestError(thrown);
  }
}
