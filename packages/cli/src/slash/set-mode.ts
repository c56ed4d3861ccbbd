import { errorMessage, Failure, type Agent, type ApprovalMode } from '@tenon/core';

/** From the next call on. Why the mode cannot be set, where it cannot. */
export function trySetMode({ config }: Pick<Agent, 'config'>, mode: ApprovalMode): string | undefined {
  try {
    config.setApprovalMode(mode);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return errorMessage(thrown);
  }
}
