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
  /** Stops the process as shells do with Ctrl-Z; drawn anew when it goes on. */
  suspend(): void;
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
    suspend() {
      void stage.lend(untilContinued);
    },
    close() {
      stream.off('resize', onResize);
      keys.close();
      screen.close();
      takeOff();
    },
  };
}

/** Nothing else may be under way: a signal that is waited for does not keep a process alive. */
const KEEPS_ALIVE_MS = 60_000;

function untilContinued(): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => undefined, KEEPS_ALIVE_MS);
    process.once('SIGCONT', () => {
      clearInterval(alive);
      resolve();
    });
    process.kill(process.pid, 'SIGTSTP');
  });
}
