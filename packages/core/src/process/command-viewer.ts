import type { OutputListener } from './command-output.js';
import type { CommandOutcome } from './command-types.js';
import type { LiveCommand } from './live-command.js';

/** A command that a call waits for, for somebody who shows it while it runs. */
export interface WatchedCommand {
  readonly callId: string;
  /**
   * Tells its output from the first byte on, the bytes as they come (a chunk is valid until the listener returns), until
   * the returned function is called. The listener must not throw. Before anything else is awaited: else it is too late for all.
   */
  readonly listen: (listener: OutputListener) => () => void;
  /** Ends it, with all it started, in the person's name; the model is told. */
  readonly stop: () => void;
}

/** How watching is over. `background`: the command goes on as a job, and nobody waits for it any more. */
export interface WatchedEnd extends Pick<CommandOutcome, 'exitCode' | 'signal'> {
  readonly ending: CommandOutcome['ending'] | 'background';
}

/** Told of each command that a call of the shell tool waits for, when it has begun; what it returns, once when that is over. Neither throws. */
export type CommandViewer = (command: WatchedCommand) => (end: WatchedEnd) => void;

/** What a viewer is shown of a command that was started this moment. */
export function watchedCommand(callId: string, live: LiveCommand, stop: () => void): WatchedCommand {
  return {
    callId,
    listen: (listener) => {
      const { head, tail, rest } = live.since(0);
      const early = Buffer.concat([Buffer.from(head + tail), rest]);
      if (early.length > 0) listener(early);
      return live.listen(listener);
    },
    stop,
  };
}
