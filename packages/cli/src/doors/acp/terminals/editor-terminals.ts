import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateTerminalResponse } from '@agentclientprotocol/sdk';
import { errorMessage, type CommandViewer, type WatchedCommand, type WatchedEnd } from '@tenon/core';
import type { ClientSession } from '../client.js';
import { inTime } from '../in-time.js';
import { OutputFeed } from './output-feed.js';

/** A command that is over sooner costs no terminal. In milliseconds. */
const SHORT_MS = 300;
/** A follower that starts on this machine is there by then. */
const CONNECT_MS = 5_000;
/** For the last of the output to be shown. */
const END_MS = 2_000;
/** What the editor keeps of one terminal's output. */
const OUTPUT_BYTES = 16 * 1024 * 1024;

export interface EditorTerminalsOptions {
  readonly session: ClientSession;
  /** The words that start a follower (`followOutput`); the place to follow comes behind them. */
  readonly follower: readonly [string, ...string[]];
  readonly cwd: string;
  readonly tempFolder: string;
  /** Whether the client knows of that call. */
  readonly isTold: (callId: string) => boolean;
  /** The terminal is what the call shows from here on. False: the call is over. */
  readonly show: (callId: string, terminalId: string) => Promise<boolean>;
  /** For the person, a sentence. */
  readonly report: (text: string) => void;
}

/**
 * Commands run here, as always, and terminals of the editor show them: each runs a follower of ours that is fed with the output.
 * Once that does not work, it is done without for the rest of the session, and calls show their output themselves.
 */
export class EditorTerminals {
  readonly #options: EditorTerminalsOptions;
  readonly #open = new Set<Promise<void>>();
  #isOff = false;

  constructor(options: EditorTerminalsOptions) {
    this.#options = options;
  }

  readonly viewer: CommandViewer = (command) => {
    let tell: (end: WatchedEnd) => void = () => undefined;
    if (this.#isOff) return tell;
    const ended = new Promise<WatchedEnd>((resolve) => (tell = resolve));
    const feed = new OutputFeed();
    const stop = command.listen(feed.write);
    const shown = this.#follow(command, feed, ended).finally(() => {
      stop();
      feed.close();
      this.#open.delete(shown);
    });
    this.#open.add(shown);
    return tell;
  };

  /** Every terminal that shows an ended command has been released. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  async #follow(command: WatchedCommand, feed: OutputFeed, ended: Promise<WatchedEnd>): Promise<void> {
    if (await isFirst(ended, SHORT_MS)) return;
    if (this.#isOff || !this.#options.isTold(command.callId)) return;
    let terminalId: string | undefined;
    try {
      terminalId = await this.#create(await feed.open(this.#options.tempFolder));
      if (await this.#isFollowed(terminalId, feed, ended))
        await this.#showUntilEnd(terminalId, { command, feed, ended });
    } catch (thrown) {
      this.#giveUp(errorMessage(thrown));
    } finally {
      if (terminalId !== undefined) await this.#release(terminalId);
    }
  }

  async #create(place: string): Promise<string> {
    const { session, follower, cwd } = this.#options;
    const [command, ...args] = follower;
    const request = {
      sessionId: session.sessionId,
      command,
      args: [...args, place],
      cwd,
      outputByteLimit: OUTPUT_BYTES,
    };
    const { terminalId } = await inTime<CreateTerminalResponse>((options) =>
      session.context.request('terminal/create', request, options),
    );
    return terminalId;
  }

  /** False when the command was over before. @throws Error when the follower does not come */
  async #isFollowed(terminalId: string, feed: OutputFeed, ended: Promise<WatchedEnd>): Promise<boolean> {
    const waiting = new AbortController();
    const late = sleep(CONNECT_MS, 'late' as const, { signal: waiting.signal }).catch(() => 'late' as const);
    try {
      const first = await Promise.race([
        feed.connected.then(() => 'there' as const),
        ended.then(() => 'over' as const),
        this.#exited(terminalId, waiting.signal).then((isSaid) => (isSaid ? ('exited' as const) : late)),
        late,
      ]);
      if (first === 'exited') throw new Error('the program in it ended at once: is the editor on another machine?');
      if (first === 'late') throw new Error('the program in it did not begin');
      return first === 'there';
    } finally {
      waiting.abort();
    }
  }

  /** True when it has exited; false from a client that cannot say it, or need not any more. */
  async #exited(terminalId: string, signal: AbortSignal): Promise<boolean> {
    const { session } = this.#options;
    try {
      await session.context.request(
        'terminal/wait_for_exit',
        { sessionId: session.sessionId, terminalId },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      return true;
    } catch {
      return false;
    }
  }

  async #showUntilEnd(
    terminalId: string,
    {
      command,
      feed,
      ended,
    }: { readonly command: WatchedCommand; readonly feed: OutputFeed; readonly ended: Promise<WatchedEnd> },
  ): Promise<void> {
    if (!(await this.#options.show(command.callId, terminalId))) return;
    // Whoever closes the terminal would not see any more what the command does.
    const isStopped = await Promise.race([feed.gone.then(() => true), ended.then(() => false)]);
    if (isStopped) command.stop();
    const end = await ended;
    feed.end(wordsOf(end), exitCodeOf(end));
    // Whoever releases a terminal sooner ends the program in it by a signal, and its exit code is lost.
    const waiting = new AbortController();
    await isFirst(Promise.all([feed.gone, this.#exited(terminalId, waiting.signal)]), END_MS);
    waiting.abort();
  }

  async #release(terminalId: string): Promise<void> {
    const { session } = this.#options;
    try {
      await inTime((options) =>
        session.context.request('terminal/release', { sessionId: session.sessionId, terminalId }, options),
      );
    } catch {
      // It is the client's own; nothing depends on it any more.
    }
  }

  #giveUp(reason: string): void {
    if (this.#isOff) return;
    this.#isOff = true;
    this.#options.report(
      `The editor's terminal could not show a command (${reason}). Calls show their output themselves from here on.`,
    );
  }
}

/** Whether it comes within that time. In milliseconds. */
async function isFirst(what: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(milliseconds, false, { signal: waiting.signal }).catch(() => false);
  try {
    return await Promise.race([what.then(() => true), late]);
  } finally {
    waiting.abort();
  }
}

/** As shells say it: 128 and the number of a signal. Pure. */
export function exitCodeOf({ exitCode, signal, ending }: WatchedEnd): number {
  if (exitCode !== null) return exitCode;
  if (ending === 'background') return 0;
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return signal === null ? 1 : 128 + (numbers[signal] ?? 0);
}

/** What the output itself does not say. Pure. */
export function wordsOf({ ending }: WatchedEnd): string {
  switch (ending) {
    case 'exited':
      return '';
    case 'background':
      return '[It goes on in the background.]';
    case 'timed-out':
      return '[It took longer than it may, and was ended.]';
    case 'cancelled':
    case 'stopped':
      return '[It was stopped.]';
    case 'waits-for-input':
      return '[It waited for input that nobody can give, and was ended.]';
    case 'not-started':
      return '[It could not be started.]';
    default:
      return ending satisfies never;
  }
}
