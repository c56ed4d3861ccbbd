import { expect, it } from 'vitest';
import { createInterrupts } from './interrupts.js';

it('cancels what runs at the first and ends the process at the second', () => {
  let ended = 0;
  const interrupts = createInterrupts(() => (ended += 1));
  const run = interrupts.arm();
  interrupts.interrupt();
  expect(run.signal.aborted).toBe(true);
  expect(ended).toBe(0);
  interrupts.interrupt();
  expect(ended).toBe(1);
});

it('ends the process when nothing runs', () => {
  let ended = 0;
  const interrupts = createInterrupts(() => (ended += 1));
  const run = interrupts.arm();
  run.release();
  interrupts.interrupt();
  expect(ended).toBe(1);
  expect(run.signal.aborted).toBe(false);
});
