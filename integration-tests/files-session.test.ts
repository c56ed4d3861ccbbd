import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChangeLog } from '@tenon/core';
import type { RecordedRequest, ScriptedToolCall, ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { createBench, eventsIn, type Bench } from './cli-process.js';

let bench: Bench | undefined;

afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

function here(): Bench {
  if (bench === undefined) throw new Error('no bench is open');
  return bench;
}

const at = (name: string): string => path.join(here().workspace, name);
const done: ScriptedTurn = { text: 'Done.' };

/** The file, or what went wrong. */
async function read(name: string): Promise<string> {
  return readFile(at(name), 'utf8').catch((error: NodeJS.ErrnoException) => error.code ?? 'failed');
}

/** What the model was told last. */
function lastResult(request: RecordedRequest | undefined): string {
  const content = request?.body.messages.findLast(({ role }) => role === 'tool')?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

const calls =
  (make: () => ScriptedToolCall[]): TurnFunction =>
  () => ({ toolCalls: make() });
const edit = (name: string, from: string, to: string): ScriptedToolCall => ({
  name: 'edit',
  arguments: { file_path: at(name), old_string: from, new_string: to },
});
const patch = (...lines: string[]): ScriptedToolCall => ({
  name: 'apply_patch',
  arguments: { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});
const shell = (command: string): ScriptedToolCall => ({
  name: 'run_shell_command',
  arguments: { command, description: 'for the test' },
});
const readFileCall = (name: string): ScriptedToolCall => ({
  name: 'read_file',
  arguments: { absolute_path: at(name) },
});

describe('a model that makes mistakes', () => {
  it('lands its edit when it sends back the suggestion that it was given', async () => {
    const source = 'function a() {\n\treturn left + right * 2;\n}\n\nfunction b() {\n\treturn left;\n}\n';
    const again: TurnFunction = (request) => {
      const suggestion = /```\n([\s\S]*?)\n```/.exec(lastResult(request))?.[1] ?? 'none was given';
      return { toolCalls: [edit('a.js', suggestion, suggestion.replace('* 2', '* 3'))] };
    };
    const wrong = calls(() => [edit('a.js', 'return left - right * 2;', 'return left - right * 3;')]);
    bench = await createBench([calls(() => [readFileCall('a.js')]), wrong, again, done], { files: { 'a.js': source } });
    const { code } = await bench.run(['-p', 'x', '--approval-mode', 'auto_edit']);
    expect(code).toBe(0);
    expect(lastResult(bench.model.requests[2])).toContain('was not found');
    expect(await read('a.js')).toBe(source.replace('* 2', '* 3'));
  });

  it('is told what changed before it writes over a file, and may once it has read it', async () => {
    const write = calls(() => [{ name: 'write_file', arguments: { file_path: at('a.txt'), content: 'mine\n' } }]);
    const behindItsBack: TurnFunction = async () => {
      await writeFile(at('a.txt'), 'one\nTWO, by a person\nthree\n');
      return { toolCalls: [{ name: 'write_file', arguments: { file_path: at('a.txt'), content: 'mine\n' } }] };
    };
    const readIt = calls(() => [readFileCall('a.txt')]);
    bench = await createBench([write, readIt, behindItsBack, readIt, write, done], {
      files: { 'a.txt': 'one\ntwo\nthree\n' },
    });
    await bench.run(['-p', 'x', '--approval-mode', 'auto_edit']);
    expect(lastResult(bench.model.requests[1])).toContain('You have not read it');
    expect(lastResult(bench.model.requests[3])).toContain('+TWO, by a person');
    expect(await read('a.txt')).toBe('mine\n');
    await bench.run(['undo']);
    expect(await read('a.txt')).toBe('one\nTWO, by a person\nthree\n');
  });
});

describe('calls of one answer', () => {
  const row = (
    name: string,
    make: () => ScriptedToolCall[],
    expected: Readonly<Record<string, string>>,
    order: readonly string[],
  ) => [name, make, expected, order] as const;
  it.each([
    row(
      'two edits of one file',
      () => [edit('a.txt', 'one', 'ONE'), edit('a.txt', 'ONE\ntwo', '1\n2')],
      { 'a.txt': '1\n2\n', 'b.txt': 'b\n' },
      ['edit', 'edit'],
    ),
    row(
      'an edit between two reads',
      () => [readFileCall('a.txt'), edit('a.txt', 'one', 'ONE'), readFileCall('a.txt')],
      { 'a.txt': 'ONE\ntwo\n' },
      ['edit'],
    ),
    row(
      'a patch over the files of the edits beside it',
      () => [
        edit('a.txt', 'one', 'ONE'),
        patch('*** Update File: a.txt', '@@', ' ONE', '-two', '+TWO', '*** Delete File: b.txt'),
        edit('b.txt', 'b', 'never'),
      ],
      { 'a.txt': 'ONE\nTWO\n', 'b.txt': 'ENOENT' },
      ['edit', 'apply_patch'],
    ),
    row(
      'a command and an edit of the file that it changes',
      () => [shell('sleep 0.2; echo more >> a.txt; echo n > n.txt'), edit('a.txt', 'two\nmore', '2\nMORE')],
      { 'a.txt': 'one\n2\nMORE\n', 'n.txt': 'n\n' },
      ['run_shell_command', 'edit'],
    ),
  ])('%s come out in order, with one journal entry for each change, and go back together', async (...given) => {
    const [, make, expected, order] = given;
    bench = await createBench([calls(make), done], { files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' } });
    await bench.run(['-p', 'x', '--approval-mode', 'yolo']);
    for (const [name, content] of Object.entries(expected)) expect([name, await read(name)]).toEqual([name, content]);
    const log = JSON.parse((await bench.run(['log', '--json'])).stdout) as ChangeLog;
    expect(log.calls.map(({ toolName, entryIds }) => [toolName, entryIds.length])).toEqual(
      order.toReversed().map((toolName) => [toolName, 1]),
    );
    expect((await bench.run(['undo', '--turn'])).code).toBe(0);
    expect([await read('a.txt'), await read('b.txt'), await read('n.txt')]).toEqual(['one\ntwo\n', 'b\n', 'ENOENT']);
  });
});

describe('the events of changes', () => {
  it('are what the schema says, for steps, patches, commands and failures', async () => {
    const steps = (): ScriptedToolCall => ({
      name: 'edit',
      arguments: {
        file_path: at('a.txt'),
        edits: [
          { old_string: 'one', new_string: 'ONE' },
          { old_string: 'two', new_string: 'TWO' },
        ],
      },
    });
    const turns = [
      calls(() => [readFileCall('a.txt'), steps(), edit('a.txt', 'not there', 'x')]),
      calls(() => [
        patch('*** Update File: a.txt', '*** Move to: m.txt', '@@', '-three', '+THREE', '*** Add File: n.txt', '+n'),
        patch('nonsense'),
      ]),
      calls(() => [shell('echo hi > made.txt; rm n.txt')]),
      done,
    ];
    bench = await createBench(turns, { files: { 'a.txt': 'one\ntwo\nthree\n' } });
    const { stdout } = await bench.run(['-p', 'x', '--approval-mode', 'yolo', '--output-format', 'stream-json']);
    const events = eventsIn(stdout);
    const file = new URL('../packages/cli/schemas/events.schema.json', import.meta.url);
    const validator = new Validator(JSON.parse(await readFile(file, 'utf8')) as object, '2020-12', false);
    for (const event of events) {
      const { valid, errors } = validator.validate(event);
      expect(valid ? '' : `${JSON.stringify(event)}\n${JSON.stringify(errors)}`).toBe('');
    }
    const ends = events.flatMap((event) => (event.type === 'tool-call-end' ? [[event.toolName, event.status]] : []));
    expect(ends.map((end) => end.join(' ')).toSorted()).toEqual([
      'apply_patch error',
      'apply_patch success',
      'edit error',
      'edit success',
      'read_file success',
      'run_shell_command success',
    ]);
    expect(await read('m.txt')).toBe('ONE\nTWO\nTHREE\n');
  });
});

describe('the demo', () => {
  it('says how its change is taken back, and nothing that would touch a project of the person', async () => {
    bench = await createBench([]);
    const { stderr } = await bench.run(['demo']);
    expect(stderr).not.toContain('tenon undo --turn');
    const [, home = '', project = ''] = /TENON_HOME=(\S+) tenon undo --cwd (\S+)/.exec(stderr) ?? [];
    const money = path.join(project, 'src', 'money.js');
    expect(await readFile(money, 'utf8')).toContain('Math.round');
    const undone = await bench.run(['undo', '--cwd', project], { env: { TENON_HOME: home } });
    expect(undone).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(money, 'utf8')).toContain('Math.trunc');
    expect(await readdir(bench.workspace)).toEqual([]);
    expect((await stat(home)).mode & 0o077).toBe(0);
  });
});
