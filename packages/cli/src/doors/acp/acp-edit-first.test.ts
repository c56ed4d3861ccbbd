import { readdirSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

type Turns = Parameters<typeof createAcpBench>[0];
type Answer = (request: RequestPermissionRequest, signal: AbortSignal) => string | Promise<string>;

/** The person answers one question after the other by the id of an option, or goes on to do something and then answers. */
async function start(turns: Turns, answers: readonly (string | Answer)[], more: AcpBenchOptions = {}) {
  const left = [...answers];
  bench = await createAcpBench(turns, {
    ...more,
    permission: async (request, signal): Promise<RequestPermissionResponse> => {
      const next = left.shift();
      const optionId = typeof next === 'function' ? await next(request, signal) : next;
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    },
  });
  const { sessionId } = await bench.newSession();
  return { ...bench, sessionId };
}

const place = (name: string): string => path.join(bench?.workspace ?? '', name);
const call = (name: string, args: () => object) => () => ({ toolCalls: [{ name, arguments: { ...args() } }] });
const write = (name: string, content: string) => call('write_file', () => ({ file_path: place(name), content }));
const done = { text: 'done' };
const sent = (): string => JSON.stringify(bench?.model.requests.at(-1)?.body.messages);
const inTemp = (): string[] => readdirSync(bench?.folder ?? '').filter((name) => name.startsWith('tenon-edit-'));
const idsOf = ({ options }: RequestPermissionRequest): string[] => options.map(({ optionId }) => optionId);
const fileOf = ({ toolCall }: RequestPermissionRequest): string => toolCall.locations?.[0]?.path ?? '';
const textOf = ({ toolCall }: RequestPermissionRequest): string => JSON.stringify(toolCall.content);

/** Saves something else in the file, and takes it. */
const saves =
  (change: (text: string) => string): Answer =>
  async (request) => {
    await writeFile(fileOf(request), change(await readFile(fileOf(request), 'utf8')));
    return 'mine';
  };

describe('a change that the person edits first', () => {
  it('is put into a file that the call is shown at, and done as they saved it', async () => {
    let mode = 0;
    const { prompt, sessionId, permissions, updates } = await start(
      [write('a.ts', 'one\ntwo\n'), done],
      [
        'edit',
        async (request, signal) => {
          mode = (await stat(path.dirname(fileOf(request)))).mode & 0o777;
          expect(await readFile(fileOf(request), 'utf8')).toBe('one\ntwo\n');
          return saves((text) => text.replace('two', 'TWO'))(request, signal);
        },
      ],
    );
    await prompt(sessionId, 'go');
    expect(await readFile(place('a.ts'), 'utf8')).toBe('one\nTWO\n');
    const [first, second] = permissions;
    expect(first && idsOf(first)).toEqual(['once', 'session', 'project', 'edit', 'no', 'no-stop']);
    expect(second && idsOf(second)).toEqual(['mine', 'first', 'no', 'no-stop']);
    const file = second === undefined ? '' : fileOf(second);
    expect(path.basename(file)).toBe('a.ts');
    expect(file.startsWith(place(''))).toBe(false);
    expect(second && textOf(second)).toContain(file);
    expect(mode).toBe(0o700);
    expect(inTemp()).toEqual([]);
    const locations = updates('tool_call_update').flatMap((update) => (update.locations ? [update.locations] : []));
    expect(locations.slice(0, 2)).toEqual([[{ path: file }], [{ path: place('a.ts') }]]);
    expect(updates('tool_call_update').at(-1)?.status).toBe('completed');
    expect(sent()).toContain('The user changed');
  });

  it('is done as the model wanted it with the first version, and not at all with a no', async () => {
    const { prompt, sessionId } = await start(
      [write('a.txt', 'first\n'), write('b.txt', 'second\n'), done],
      [
        'edit',
        async (request) => {
          await writeFile(fileOf(request), 'other\n');
          return 'first';
        },
        'edit',
        'no',
      ],
    );
    await prompt(sessionId, 'go');
    expect(await readFile(place('a.txt'), 'utf8')).toBe('first\n');
    await expect(readFile(place('b.txt'))).rejects.toThrow('ENOENT');
    expect(inTemp()).toEqual([]);
  });

  it('is asked about again where nothing was changed, and where the file is gone', async () => {
    const { prompt, sessionId, permissions } = await start(
      [write('a.txt', 'first\n'), done],
      [
        'edit',
        'mine',
        async (request) => {
          await rm(fileOf(request));
          return 'mine';
        },
        'once',
      ],
    );
    await prompt(sessionId, 'go');
    expect(permissions).toHaveLength(4);
    expect(permissions.map(textOf)[2]).toContain('Nothing was changed yet');
    expect(permissions.map(textOf)[3]).toContain('The file is gone');
    expect(permissions[3] && idsOf(permissions[3])).toContain('edit');
    expect(await readFile(place('a.txt'), 'utf8')).toBe('first\n');
  });

  it('keeps line endings, also those that the editor does not tell, and no final newline', async () => {
    const buffers = new Map<string, string>();
    const { prompt, sessionId } = await start(
      [
        call('edit', () => ({ file_path: place('w.txt'), old_string: 'two', new_string: 'TWO' })),
        call('edit', () => ({ file_path: place('w.txt'), old_string: 'three', new_string: 'THREE' })),
        done,
      ],
      [
        'edit',
        (request) => {
          // Typed, and not saved.
          const buffer = buffers.get(fileOf(request)) ?? '';
          buffers.set(fileOf(request), buffer.replace('one', 'ONE').replace('TWO', 'TWO\nmore'));
          return 'mine';
        },
        'edit',
        saves((text) => `${text}!`),
      ],
      {
        files: { 'w.txt': 'one\r\ntwo\r\nthree' },
        capabilities: { fs: { readTextFile: true, writeTextFile: true } },
        answers: (app) =>
          app
            .onRequest('fs/write_text_file', ({ params }) => {
              buffers.set(params.path, params.content.replaceAll('\r\n', '\n'));
              return {};
            })
            .onRequest('fs/read_text_file', async ({ params }) => ({
              content: buffers.get(params.path) ?? (await readFile(params.path, 'utf8')).replaceAll('\r\n', '\n'),
            })),
      },
    );
    await prompt(sessionId, 'go');
    expect(await readFile(place('w.txt'), 'utf8')).toBe('ONE\r\nTWO\r\nmore\r\nTHREE!');
    expect(inTemp()).toEqual([]);
  });

  it('comes from the disk where the editor takes and tells no files outside of its folders', async () => {
    const { prompt, sessionId, updates } = await start(
      [write('a.txt', 'first\n'), done],
      ['edit', saves(() => 'mine\n')],
      {
        capabilities: { fs: { readTextFile: true, writeTextFile: true } },
        answers: (app) =>
          app
            .onRequest('fs/write_text_file', ({ params }) => {
              if (!params.path.startsWith(place(''))) throw new Error('invalid path');
              return {};
            })
            .onRequest('fs/read_text_file', () => {
              throw new Error('invalid path');
            }),
      },
    );
    await prompt(sessionId, 'go');
    expect(await readFile(place('a.txt'), 'utf8')).toBe('mine\n');
    expect(JSON.stringify(updates('agent_message_chunk'))).not.toContain('tenon-edit-');
  });

  it('leaves nothing behind when the turn is cancelled at the second question', async () => {
    let file = '';
    const { prompt, sessionId, connection, told, updates } = await start(
      [write('a.txt', 'first\n')],
      [
        'edit',
        (request, signal) => {
          file = fileOf(request);
          void connection.agent.notify('session/cancel', { sessionId });
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve('mine'), { once: true }));
        },
      ],
    );
    expect(await prompt(sessionId, 'go')).toBe('cancelled');
    const count = told.length;
    expect(file).not.toBe('');
    await expect.poll(inTemp).toEqual([]);
    await expect(readFile(place('a.txt'))).rejects.toThrow('ENOENT');
    expect(updates('tool_call_update').findLast(({ locations }) => locations)?.locations).toEqual([
      { path: place('a.txt') },
    ]);
    expect(told).toHaveLength(count);
  });

  it('leaves nothing behind when the client goes away at the second question', async () => {
    let goes: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => (goes = resolve));
    const { prompt, sessionId, connection } = await start(
      [write('a.txt', 'first\n')],
      [
        'edit',
        () => {
          goes?.();
          return new Promise(() => undefined);
        },
      ],
    );
    const answer = prompt(sessionId, 'go').catch(() => 'gone');
    await asked;
    expect(inTemp()).toHaveLength(1);
    connection.close();
    expect(await answer).toBe('gone');
    await expect.poll(inTemp).toEqual([]);
  });

  it('is asked about anew when the file changed while it was edited', async () => {
    const { prompt, sessionId, permissions } = await start(
      [call('edit', () => ({ file_path: place('a.txt'), old_string: 'b', new_string: 'B' })), done],
      [
        'edit',
        async (request, signal) => {
          await writeFile(place('a.txt'), 'new\na\nb\n');
          return saves((text) => `${text}mine\n`)(request, signal);
        },
        'once',
      ],
      { files: { 'a.txt': 'a\nb\n' } },
    );
    await prompt(sessionId, 'go');
    expect(permissions.map(textOf)[2]).toContain('has changed since');
    expect(await readFile(place('a.txt'), 'utf8')).toBe('new\na\nB\n');
    expect(inTemp()).toEqual([]);
  });

  it('shows placeholders, and the secrets are there again in what is written', async () => {
    let shown = '';
    const { prompt, sessionId } = await start(
      [call('edit', () => ({ file_path: place('.env'), old_string: 'PORT=3000', new_string: 'PORT=4000' })), done],
      [
        'edit',
        async (request, signal) => {
          shown = await readFile(fileOf(request), 'utf8');
          return saves((text) => text.replace('4000', '5000'))(request, signal);
        },
      ],
      { files: { '.env': 'STRIPE_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc\nPORT=3000\n' } },
    );
    await prompt(sessionId, 'go');
    expect(shown).toBe('STRIPE_KEY=__secret:STRIPE_KEY__\nPORT=4000\n');
    expect(await readFile(place('.env'), 'utf8')).toBe('STRIPE_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc\nPORT=5000\n');
  });
});

describe('a plan that the person edits first', () => {
  const plan = call('exit_plan_mode', () => ({ plan: '# P\n1. x\n' }));
  const options = { args: ['--approval-mode', 'plan'] };

  it('is shown again as theirs, is no plan when it is empty, and is carried out as they agreed to it', async () => {
    const { prompt, sessionId, permissions, updates } = await start(
      [plan, done],
      ['edit', saves(() => '\n'), saves(() => '# P\n1. x, with tests\n'), 'plan-auto_edit'],
      options,
    );
    await prompt(sessionId, 'go');
    expect(permissions[0] && idsOf(permissions[0])).toEqual([
      'plan-default',
      'plan-auto_edit',
      'edit',
      'no',
      'no-stop',
    ]);
    expect(permissions[1] && path.basename(fileOf(permissions[1]))).toBe('plan.md');
    expect(permissions.map(textOf)[2]).toContain('An empty plan is none');
    expect(permissions.map(textOf)[3]).toContain('This is your version');
    expect(permissions.map(textOf)[3]).toContain('with tests');
    expect(sent()).toContain('The user changed the plan');
    expect(sent()).toContain('1. x, with tests');
    expect(updates('current_mode_update').at(-1)?.currentModeId).toBe('auto_edit');
    expect(inTemp()).toEqual([]);
  });

  it('is the first one again when they want that', async () => {
    const { prompt, sessionId, permissions } = await start(
      [plan, done],
      ['edit', saves(() => 'mine'), 'edit', 'first', 'plan-default'],
      options,
    );
    await prompt(sessionId, 'go');
    expect(permissions).toHaveLength(5);
    expect(permissions.map(textOf)[4]).not.toContain('mine');
    expect(sent()).toContain('The user approved the plan');
  });
});

describe('a no that the person explains next', () => {
  it('ends the turn without asking the model again, and their words are its next prompt', async () => {
    const { prompt, sessionId, model } = await start([write('a.txt', 'first\n'), done], ['no-stop']);
    expect(await prompt(sessionId, 'go')).toBe('end_turn');
    expect(model.requests).toHaveLength(1);
    await expect(readFile(place('a.txt'))).rejects.toThrow('ENOENT');
    expect(await prompt(sessionId, 'Use b.txt instead.')).toBe('end_turn');
    expect(model.requests).toHaveLength(2);
    expect(sent()).toContain('declined');
    expect(sent()).toContain('Use b.txt instead.');
  });

  it('takes back what else is asked, and leaves what waits to run', async () => {
    const both = () => ({ toolCalls: [write('a.txt', 'a')().toolCalls, write('b.txt', 'b')().toolCalls].flat() });
    const { prompt, sessionId, updates } = await start(
      [both, done],
      [
        'no-stop',
        (_request, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('once'))),
      ],
    );
    const [first, second] = [prompt(sessionId, 'go'), prompt(sessionId, 'Use c.txt instead.')];
    expect([await first, await second]).toEqual(['end_turn', 'end_turn']);
    expect(sent()).toContain('Use c.txt instead.');
    const ended = updates('tool_call_update').filter(({ status }) => status === 'failed');
    expect(ended).toHaveLength(2);
  });
});
