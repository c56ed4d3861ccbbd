import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Safe } from '@tenon/core';
import type { Surroundings } from '../../../surroundings.js';
import type { Theme } from '../themes/theme.js';
import { createKeyReader, type TerminalReply } from './decode-keys.js';
import { createStage, type LiveStage } from './live-stage.js';
import { readKeys } from './person-keys.js';
import { createTerminalScreen, type TerminalScreen } from './terminal-screen.js';

export interface OpenTerminal {
  readonly screen: TerminalScreen;
  readonly stage: LiveStage;
  /**
   * Stops Tenon as shells do with Ctrl-Z, and redraws when it continues. False: nothing happened, because no shell could continue it
   * (started by `docker run`, `ssh -t` or tmux).
   */
  suspend(): Promise<boolean>;
  close(): void;
}

export interface TerminalUse {
  readonly theme: () => Theme;
  readonly wrap: (text: Safe, columns: number) => readonly Safe[];
  readonly onReply: (reply: TerminalReply) => void;
  /** There is no terminal any more. */
  readonly onEnd: () => void;
}

type Stream = Writable & { readonly fd?: number; readonly columns?: number; readonly rows?: number };

/** Takes the terminal: keys come one by one, and the live part is drawn. However the process ends, it is given back. */
export function openTerminal(surroundings: Surroundings, use: TerminalUse): OpenTerminal {
  const stream: Stream = surroundings.screen.stream();
  const screen: TerminalScreen = createTerminalScreen(stream, (size) => stage.draw(size));
  const reader = createKeyReader((key) => stage.onKey(key), use.onReply);
  const input = surroundings.stdin();
  const keys = readKeys(input, reader, use.onEnd);
  const stage: LiveStage = createStage({ screen, theme: use.theme, wrap: use.wrap, pauseKeys: () => keys.pause() });
  const onResize = (): void => screen.resized();
  stream.on('resize', onResize);
  const takeOff = surroundings.exits.register(() => {
    // Streams may be asynchronous, and the process ends now.
    if (stream.fd !== undefined) writeSync(stream.fd, screen.endBytes);
    input.setRawMode?.(false);
  });
  screen.take();
  return {
    screen,
    stage,
    suspend: () => stage.lend(stopUntilContinued),
    close() {
      stream.off('resize', onResize);
      keys.close();
      screen.close();
      takeOff();
    },
  };
}

/** If the process still runs after this time, the kernel or its parent ignores the signal. */
const NOT_STOPPED_MS = 100;

function stopUntilContinued(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (wasStopped: boolean): void => {
      process.off('SIGCONT', onContinue);
      resolve(wasStopped);
    };
    const onContinue = (): void => end(true);
    process.once('SIGCONT', onContinue);
    try {
      // The signal goes to the whole group, as from a terminal, so that a waiting parent stops too.
      process.kill(0, 'SIGTSTP');
    } catch {
      // Windows has no such signal.
    }
    // A stopped process finds both here when it continues, and handles the signal first.
    setTimeout(() => setImmediate(() => end(false)), NOT_STOPPED_MS);
  });
}
