import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ExitCode } from '../../exit-codes.js';
import { createOutput } from '../../output.js';
import type { Terminal } from '../../ui/terminal.js';
import { createOfferLocal } from './offer-local.js';

const servers = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['small', 'big\u001b[2J'] },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', models: [] },
];

async function offer(answer: string | undefined, modelName?: string) {
  const stream = new PassThrough();
  let shown = '';
  stream.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const terminal: Terminal = {
    ask: async () => answer,
    readPrompt: async () => ({ kind: 'end' }),
    isReading: false,
    interject: (write) => write(),
  };
  const choice = await createOfferLocal(
    terminal,
    createOutput(stream as never, {}, () => undefined),
    modelName,
  )(servers, new AbortController().signal);
  return { choice, shown };
}

it('lists models by server and takes a number', async () => {
  const { choice, shown } = await offer('1');
  expect(choice).toMatchObject({ model: { value: 'small' }, baseUrl: { value: 'http://127.0.0.1:11434/v1' } });
  expect(shown).toContain('1  small of Ollama');
  expect(shown).not.toContain('\u001b');
});

it('leaves the model to a server that lists none, and to the person who named one', async () => {
  expect((await offer('3')).choice).toMatchObject({ provider: { origin: 'vLLM' } });
  expect((await offer('3')).choice).not.toHaveProperty('model');
  expect((await offer('2', 'mine')).choice).toMatchObject({ model: { value: 'mine' }, provider: { origin: 'vLLM' } });
});

it.each(['', '0', '9', 'y', '1.5'])('takes %j as none', async (answer) => {
  expect((await offer(answer)).choice).toBeUndefined();
});

it('takes Ctrl-C as the end of the run', async () => {
  await expect(offer(undefined)).rejects.toMatchObject({ exitCode: ExitCode.INTERRUPTED });
});
