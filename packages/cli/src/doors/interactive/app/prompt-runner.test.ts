import type { AgentEvent } from '@tenon/core';
import { describe, expect, test } from 'vitest';
import { PromptRunner, type Command, type RunnerServices } from './prompt-runner.js';

interface Model {
  readonly services: RunnerServices;
  /** What happened, in order. */
  readonly said: string[];
  /** Ends the prompt that runs; it reads what it was steered with first. */
  readonly finish: () => Promise<void>;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function model(commands: Readonly<Record<string, Command>> = {}, canSteer = true): Model {
  const said: string[] = [];
  const steered: string[] = [];
  let finish: () => void = () => undefined;
  return {
    said,
    finish: async () => {
      finish();
      await settle();
    },
    services: {
      async *prompt({ text }, signal): AsyncGenerator<AgentEvent> {
        said.push(text);
        await new Promise<void>((resolve) => {
          finish = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        if (signal.aborted) said.push(`${text} cancelled`);
        else for (const more of steered.splice(0)) yield { type: 'user-message', text: more, isSteering: true };
      },
      steer: (text) => {
        if (canSteer) steered.push(text);
        return canSteer;
      },
      command: (text) => commands[text],
      onEvent: (event) => void (event.type === 'user-message' && said.push(`read ${event.text}`)),
      onProblem: (thrown) => void said.push(String(thrown)),
      onChange: () => undefined,
    },
  };
}

describe('what is said while the model works', () => {
  test('is read by it with its next request', async () => {
    const { services, said, finish } = model();
    const runner = new PromptRunner(services);
    runner.submit('first');
    runner.submit('second');
    expect(runner.waiting).toEqual([{ text: 'second', isSteering: true }]);
    await finish();
    expect(said).toEqual(['first', 'read second']);
    expect(runner.waiting).toEqual([]);
    expect(runner.isBusy).toBe(false);
  });

  test('waits in line where it is told to, or cannot be read any more', async () => {
    for (const [canSteer, waits] of [
      [true, true],
      [false, false],
    ] as const) {
      const { services, said, finish } = model({}, canSteer);
      const runner = new PromptRunner(services);
      runner.submit('first');
      runner.submit('second', { waits });
      expect(runner.waiting).toEqual([{ text: 'second', isSteering: false }]);
      await finish();
      await finish();
      expect(said).toEqual(['first', 'second']);
    }
  });

  test('is handed back, in order, when the work is cancelled', async () => {
    const { services, said } = model();
    const runner = new PromptRunner(services);
    runner.submit('first');
    runner.submit('second');
    runner.submit('third', { waits: true });
    expect(runner.cancel()).toEqual(['second', 'third']);
    await settle();
    expect(said).toEqual(['first', 'first cancelled']);
    expect(runner.isBusy).toBe(false);
  });

  test('that waits in line can be taken out of it again, the last first', () => {
    const runner = new PromptRunner(model().services);
    runner.submit('first');
    runner.submit('second', { waits: true });
    runner.submit('third', { waits: true });
    expect(runner.takeLast()).toBe('third');
    expect(runner.takeLast()).toBe('second');
    expect(runner.takeLast()).toBeUndefined();
  });
});

describe('a command', () => {
  test('waits for the end of the work, unless it is always there', async () => {
    const ran: string[] = [];
    const command = (name: string, isAlwaysThere: boolean): Command => ({
      isAlwaysThere,
      run: async () => void ran.push(name),
    });
    const { services, finish } = model({ '/undo': command('undo', false), '/help': command('help', true) });
    const runner = new PromptRunner(services);
    runner.submit('first');
    runner.submit('/undo');
    runner.submit('/help');
    await settle();
    expect(ran).toEqual(['help']);
    await finish();
    expect(ran).toEqual(['help', 'undo']);
  });

  test('that fails is told, and the next in line goes on', async () => {
    const { services, said } = model({
      '/bad': { isAlwaysThere: false, run: () => Promise.reject(new Error('no')) },
    });
    const runner = new PromptRunner(services);
    runner.submit('/bad');
    runner.submit('next', { waits: true });
    await settle();
    expect(said).toEqual(['Error: no', 'next']);
  });

  test('may have something said to the model', async () => {
    const { services, said } = model({ '/init': { isAlwaysThere: false, run: async () => ({ text: 'look around' }) } });
    const runner = new PromptRunner(services);
    runner.submit('/init');
    await settle();
    expect(said).toEqual(['look around']);
    expect(runner.isPrompting).toBe(true);
  });
});
