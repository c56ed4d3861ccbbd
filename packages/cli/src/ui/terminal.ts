import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { Writable } from 'node:stream';
import type { Input } from '../surroundings.js';
import { afterReading } from './once-read.js';

/** A person at a terminal, line by line. */
export interface Terminal {
  /** The next line, or undefined for Ctrl-C, Ctrl-D and an aborted signal. Keys typed before it is called do not count. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The next prompt, several lines when they were pasted together; `end` for Ctrl-D, `interrupt` for Ctrl-C. */
  readPrompt(mark: string): Promise<PromptReading>;
  /** True while a prompt is being typed, or awaited. */
  readonly isReading: boolean;
  /** Lets lines be written above the prompt; what was typed stays. */
  interject(write: () => Promise<void>): Promise<void>;
}

export type PromptReading =
  { readonly kind: 'prompt'; readonly text: string } | { readonly kind: 'end' } | { readonly kind: 'interrupt' };

/** Lines that come this close together were pasted, not typed. */
const PASTE_MS = 25;
/** What was typed ahead arrives at once when it is asked for; this long is waited for it. */
const DRAIN_MS = 40;

export function createTerminal(input: Input, output: Writable): Terminal {
  let history: string[] = [];
  let reading: Interface | undefined;

  const open = (withHistory: boolean): Interface =>
    createInterface({ input, output, terminal: true, historySize: 200, history: withHistory ? history : [] });

  return {
    get isReading() {
      return reading !== undefined;
    },

    async interject(write) {
      const lines = reading;
      if (lines !== undefined) clearPrompt(output);
      await write();
      if (lines !== undefined && reading === lines) lines.prompt(true);
    },

    async ask(question, signal) {
      if (signal?.aborted === true) return undefined;
      if (await drain(input)) return undefined;
      return new Promise((resolve) => {
        const lines = open(false);
        let settled = false;
        const finish = (answer: string | undefined): void => {
          if (settled) return;
          settled = true;
          signal?.removeEventListener('abort', onAbort);
          lines.close();
          resolve(answer);
        };
        const onAbort = (): void => finish(undefined);
        signal?.addEventListener('abort', onAbort, { once: true });
        if (signal?.aborted === true) return finish(undefined);
        lines.on('SIGINT', () => {
          output.write('\n');
          finish(undefined);
        });
        lines.on('close', () => finish(undefined));
        lines.question(question, (answer) => finish(answer));
      });
    },

    readPrompt(mark) {
      return new Promise((resolve) => {
        const lines = open(true);
        reading = lines;
        const collected: string[] = [];
        let timer: NodeJS.Timeout | undefined;
        let settled = false;
        const finish = (result: PromptReading): void => {
          if (settled) return;
          settled = true;
          reading = undefined;
          clearTimeout(timer);
          lines.close();
          resolve(result);
        };
        lines.on('history', (entries) => (history = [...entries]));
        lines.on('line', (line) => {
          collected.push(line);
          clearTimeout(timer);
          timer = setTimeout(() => finish({ kind: 'prompt', text: collected.join('\n') }), PASTE_MS);
        });
        lines.on('SIGINT', () => {
          output.write('\n');
          // With something typed, Ctrl-C throws that away, as shells do.
          finish(lines.line === '' ? { kind: 'interrupt' } : { kind: 'prompt', text: '' });
        });
        lines.on('close', () =>
          finish(collected.length > 0 ? { kind: 'prompt', text: collected.join('\n') } : { kind: 'end' }),
        );
        lines.setPrompt(mark);
        lines.prompt();
      });
    },
  };
}

function clearPrompt(output: Writable): void {
  cursorTo(output, 0);
  clearLine(output, 0);
}

/** Throws away what was typed before now: an impatient Enter must not approve anything. True when Ctrl-C was among it. */
async function drain(input: Input): Promise<boolean> {
  // Key by key, the terminal driver hands out unfinished lines as well.
  input.setRawMode?.(true);
  let interrupted = false;
  const discard = (keys: Buffer | string): void => {
    interrupted ||= keys.toString().includes('\u0003');
  };
  input.on('data', discard);
  input.resume();
  await new Promise<void>((resolve) => void afterReading(DRAIN_MS, resolve));
  input.off('data', discard);
  input.pause();
  input.setRawMode?.(false);
  return interrupted;
}
