import type { Output } from '../../output.js';
import { jsonLine } from '../../ui/json-line.js';
import { createLiveView } from '../../ui/live-view.js';
import { denialLines, endLines } from '../../ui/end-lines.js';
import { createRefusals } from '../../ui/refusals.js';
import { sayLines } from '../../ui/say.js';
import { undoHint } from '../../ui/undo-hint.js';
import type { Turnstile } from '../../ui/turnstile.js';
import type { EventReader } from './event-reader.js';
import type { PromptEnd } from '../../ui/end-lines.js';

export interface TextReaderOptions {
  readonly out: Output;
  readonly err: Output;
  readonly turnstile: Turnstile;
  readonly quiet: boolean;
  /** Whether to say, when files were changed, how to take that back. */
  readonly undoHint: boolean;
  /** What a command needs beside to mean this workspace; empty in the current folder. */
  readonly place: string;
}

/** What runs, live on stderr; the answer on stdout, and nothing else there when stdout is not a terminal. */
export function textReader(options: TextReaderOptions): EventReader {
  const view = createLiveView(options);
  const refusals = createRefusals();
  let end: PromptEnd | undefined;
  return {
    async onEvent(event) {
      if (event.type === 'prompt-end') end = event;
      refusals.onEvent(event);
      await view.onEvent(event);
    },
    async onDone(_exitCode, answer) {
      if (end === undefined) return;
      const text = end.text;
      if (answer?.isValid === true) await options.out.writeData(jsonLine(answer.value));
      // On a terminal the words have been streamed already. A file or a program gets them as they are.
      else if (answer === undefined && !options.out.isTerminal && text !== '')
        await options.out.writeData(text.endsWith('\n') ? text : `${text}\n`);
      await sayLines(options.err, [
        ...endLines(end),
        ...(answer?.isValid === false ? [`there is no valid answer: ${answer.problem}`] : []),
        ...denialLines(end.denials, refusals),
        ...(options.quiet || !options.undoHint ? [] : undoHint(end, (words) => `tenon ${words}${options.place}`)),
      ]);
    },
  };
}
