import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBench, type Bench, type Finished } from './cli-process.js';

const KILLS = Number(process.env['TENON_CLI_KILLS'] ?? 12);
const FILES = 8;

let bench: Bench;

beforeEach(async () => {
  bench = await createBench([]);
});

afterEach(() => bench.end());

const at = (name: string): string => path.join(bench.workspace, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
const tenon = (...args: string[]): Promise<Finished> => bench.run(args);
const callArgs = (tool: string, args: object): string[] => {
  return ['call', tool, JSON.stringify(args), '--approval-mode', 'yolo'];
};
const bash = (command: string): Promise<Finished> => tenon(...callArgs('run_shell_command', { command }));

function tree(folder = bench.workspace): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const inner = path.join(folder, name);
      const stat = lstatSync(inner);
      if (stat.isDirectory()) return [`${inner}/`, ...tree(inner)];
      return [`${inner} ${stat.mode} ${createHash('sha256').update(readFileSync(inner)).digest('hex')}`];
    });
}

function journalFolder(name: string): string {
  const projects = path.join(bench.tenonHome, 'projects');
  return path.join(projects, readdirSync(projects)[0] ?? '', 'journal', name);
}

/** Each file begins with the number of the round that changed it last. */
function patchOf(round: number): string {
  const files = Array.from({ length: FILES }, (_, index) => {
    const [head] = read(`f${index}.txt`).split('\n');
    return [`*** Update File: f${index}.txt`, '@@', `-${head}`, `+round ${round} of ${index}`];
  });
  return ['*** Begin Patch', ...files.flat(), `*** Add File: new${round}/x.txt`, '+x', '*** End Patch', ''].join('\n');
}

describe('a command line that is killed', () => {
  it(
    'at any moment of a call, an undo or a redo leaves all of it or nothing, and can be taken back',
    async () => {
      for (let index = 0; index < FILES; index += 1) {
        const lines = Array.from({ length: 100 }, (_, line) => `line ${line} of ${index}\n`);
        writeFileSync(at(`f${index}.txt`), `begin ${index}\n${lines.join('')}`);
      }
      for (let round = 0; round < KILLS; round += 1) {
        const before = tree();
        const patch = callArgs('apply_patch', { patch: patchOf(round) });
        const args = [patch, ['undo'], ['redo']][round % 3] ?? [];
        const running = bench.start(args);
        await sleep(100 + ((round * 37) % 200));
        running.child.kill('SIGKILL');
        await running.finished;
        // Mends what was left.
        expect(await tenon('log', '--json')).toMatchObject({ code: 0, stderr: '' });
        const after = tree();
        expect(after.filter((line) => line.includes('.tenon-'))).toEqual([]);
        if (String(after) === String(before)) continue;
        expect((await tenon(args[0] === 'undo' ? 'redo' : 'undo')).code).toBe(0);
        expect(tree()).toEqual(before);
      }
    },
    20_000 + KILLS * 5000,
  );
});

describe('several command lines at once', () => {
  it('take the same call back once', async () => {
    writeFileSync(at('a.txt'), 'one\n');
    await tenon(...callArgs('edit', { file_path: at('a.txt'), old_string: 'one', new_string: 'two' }));
    const done = await Promise.all([1, 2, 3].map(() => tenon('undo')));
    expect(done.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(done.filter(({ code }) => code === 10)).toHaveLength(2);
    expect(read('a.txt')).toBe('one\n');
  });

  it('lose no edit when calls are taken back while others are made', async () => {
    const text = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');
    writeFileSync(at('a.txt'), text);
    const edits = async (first: number): Promise<void> => {
      for (let line = first; line < 40; line += 20) {
        const args = { file_path: at('a.txt'), old_string: `line ${line}\n`, new_string: `LINE ${line}\n` };
        expect((await tenon(...callArgs('edit', args))).code).toBe(0);
      }
    };
    const undos = async (): Promise<void> => {
      for (let count = 0; count < 3; count += 1) expect([0, 10]).toContain((await tenon('undo')).code);
    };
    await Promise.all([edits(5), edits(15), undos()]);
    expect([0, 10]).toContain((await tenon('undo', '100')).code);
    expect(read('a.txt')).toBe(text);
  }, 60_000);
});

describe('a journal that was forged or damaged', () => {
  it('makes no undo write outside the workspace, and none fail without a reason', async () => {
    writeFileSync(at('a.txt'), 'one\n');
    await tenon(...callArgs('edit', { file_path: at('a.txt'), old_string: 'one', new_string: 'two' }));
    const outside = path.join(bench.tenonHome, '..', 'victim');
    writeFileSync(outside, 'two\n');
    symlinkSync(path.dirname(outside), at('link'));
    const entries = journalFolder('entries');
    const [name = ''] = readdirSync(entries);
    const whole = readFileSync(path.join(entries, name), 'utf8');
    const good = JSON.parse(whole) as { changes: [{ path: string; before: object }] } & Record<string, unknown>;
    const [change] = good.changes;
    const forged: readonly (object | string)[] = [
      ...[outside, `${bench.workspace}/../victim`, at('link/victim'), '/etc/passwd', 'a.txt', '', at('a\0b')].map(
        (to) => ({ ...good, changes: [{ ...change, path: to }] }),
      ),
      { ...good, changes: [{ ...change, before: { ...change.before, hash: '../../../etc/passwd' } }] },
      { ...good, id: '../../x' },
      { ...good, reverts: [good['id']], kind: 'undo' },
      { ...good, call: { callId: 'x', toolName: {}, title: 5 } },
      { ...good, madeFolders: ['/tmp', path.dirname(outside), bench.workspace] },
      whole.slice(0, 100),
      '['.repeat(100_000),
      '',
    ];
    for (const one of forged) {
      writeFileSync(path.join(entries, name), typeof one === 'string' ? one : JSON.stringify(one));
      for (const word of ['log', 'undo']) {
        const { code, stdout, stderr } = await tenon(word);
        expect([0, 10]).toContain(code);
        expect(stdout + stderr).not.toMatch(/\n\s+at |TypeError|RangeError/);
      }
      for (const extra of readdirSync(entries)) if (extra !== name) writeFileSync(path.join(entries, extra), '');
      writeFileSync(at('a.txt'), 'two\n');
    }
    expect(readFileSync(outside, 'utf8')).toBe('two\n');
    expect(existsSync('/etc/passwd')).toBe(true);
  }, 60_000);
});

describe('what a command did that is hard to take back', () => {
  it('is taken back: odd names, another case, a file that became a folder', async () => {
    const names = ['new\nline', 'quo"te\'', '-rf', '$(x)', 'n'.repeat(255), '\u001b[31mred', 'Case'];
    for (const name of names) writeFileSync(at(name), 'x\n');
    mkdirSync(at('src'));
    writeFileSync(at('src/a'), 'a\n');
    const before = tree();
    const done = await bash(
      'for f in *; do test -f "./$f" && echo more >> "./$f"; done; mv Case case; rm -r src; echo file > src; rm ./-rf',
    );
    expect(done).toMatchObject({ code: 0 });
    expect(tree()).not.toEqual(before);
    const { code, stdout } = await tenon('undo');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('\u001b')]);
    expect(tree()).toEqual(before);
  });

  it('is told when its name cannot be written down', async () => {
    execFileSync('bash', ['-c', "printf x > $'odd\\xff'"], { cwd: bench.workspace });
    const { stdout } = await bash('rm odd*');
    expect(stdout).toContain('Undo does not cover names that are not UTF-8 (odd\ufffd)');
  });

  it('is none of what Tenon itself keeps in a folder of the workspace', async () => {
    writeFileSync(at('a.txt'), 'one\n');
    const env = { TENON_HOME: at('.tenon') };
    const { stdout } = await bench.run(callArgs('run_shell_command', { command: 'echo two >> a.txt' }), { env });
    expect(stdout).toContain('Changed files: M a.txt\n');
    expect((await bench.run(['undo'], { env })).code).toBe(0);
    expect(read('a.txt')).toBe('one\n');
  });
});
