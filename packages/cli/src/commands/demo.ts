import { runDemo } from '../doors/demo/run-demo.js';
import { runHeadless } from '../doors/headless/run-headless.js';
import type { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { createTurnstile } from '../ui/turnstile.js';

/** `tenon demo`: the recorded model, run and shown as any prompt without a terminal is. */
export function demoCommand(surroundings: Surroundings, quiet: boolean): Promise<ExitCode> {
  return runDemo(surroundings, (text, agent) =>
    runHeadless(surroundings, {
      prompt: { text, attach: [] },
      agent,
      format: 'text',
      quiet,
      turnstile: createTurnstile(),
      // The demo says it itself: neither its folder nor its journal is the person's own.
      undoHint: false,
    }),
  );
}
