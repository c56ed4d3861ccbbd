import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { IgnoreRules } from './ignore-rules.js';
import { GIT_IGNORE, QWEN_IGNORE } from './ignore-stack.js';
import { pinners } from './pin.js';
import { WorkspaceGate } from './workspace-gate.js';
import { contentHash, MISSING } from './write-handle.js';

let base: string;
let root: string;
let outside: string;
let temp: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-gate-')));
  root = join(base, 'ws');
  outside = join(base, 'outside');
  temp = join(base, 'temp');
  for (const folder of [root, outside, temp, join(root, 'src')]) mkdirSync(folder);
  writeFileSync(join(root, 'src', 'a.ts'), 'inside');
  writeFileSync(join(outside, 'secret'), 'outside');
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const readText = (gate: WorkspaceGate, path: string): Promise<string> =>
  gate.withFile(path, async (handle) => {
    const file = await handle.open();
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  });

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'no failure';
  } catch (thrown) {
    return thrown instanceof Failure ? thrown.code : String(thrown);
  }
};

describe.each(['descriptor', 'comparing'] as const)('WorkspaceGate that holds by %s', (name) => {
  const gateOf = (): WorkspaceGate =>
    new WorkspaceGate({
      roots: [root],
      tempDir: temp,
      ignore: new IgnoreRules(QWEN_IGNORE, [root]),
      pinner: pinners[name],
    });

  it('refuses in the order absolute, workspace, ignored, in the words of the specification (S60, S61, S62, S63)', () => {
    writeFileSync(join(root, '.qwenignore'), '*.key\n');
    const gate = gateOf();
    expect(gate.check('src/a.ts')).toEqual({
      code: 'path_not_absolute',
      message: `Path must be absolute: src/a.ts. In the workspace it is ${join(root, 'src/a.ts')}.`,
    });
    expect(gate.check('../a.ts')?.message).toBe(`Path must be absolute: ../a.ts. Begin it with ${root}/.`);
    expect(gate.check('x.key')?.message).toBe(`Path must be absolute: x.key. Begin it with ${root}/.`);
    expect(gate.check(join(outside, 'x.key'))?.message).toBe(
      `Path must be within workspace: ${join(outside, 'x.key')}. Give one in ${root}.`,
    );
    expect(gate.check(join(root, 'x.key'))?.message).toBe(
      `Path is ignored by .qwenignore: ${join(root, 'x.key')}. It is kept from you: go on without it, or ask the user.`,
    );
    expect(gate.check(join(root, 'src', 'a.ts'))).toBeNull();
  });

  it('refuses text that is no path', () => {
    const gate = gateOf();
    expect(gate.check('')?.code).toBe('invalid_path');
    expect(gate.check(`${root}/a\0b`)?.code).toBe('invalid_path');
    expect(gate.check(`${root}/\uD800`)?.code).toBe('invalid_path');
    expect(gate.check(`${root}/${'x/'.repeat(4000)}`)?.code).toBe('invalid_path');
    expect(gate.check(`${root}/${'y'.repeat(300)}`)?.code).toBe('invalid_path');
  });

  it('is not fooled by a folder whose name begins like the root', () => {
    mkdirSync(`${root}-evil`);
    writeFileSync(`${root}-evil/f`, 'x');
    expect(gateOf().check(`${root}-evil/f`)?.code).toBe('path_not_in_workspace');
  });

  it('follows links inside, refuses links out, and judges by where they lead', () => {
    symlinkSync('src/a.ts', join(root, 'near'));
    symlinkSync(join(root, 'src'), join(root, 'abs'));
    symlinkSync(outside, join(root, 'far'));
    symlinkSync('../outside/secret', join(root, 'up'));
    symlinkSync('loop', join(root, 'loop'));
    const gate = gateOf();
    expect(gate.resolve(join(root, 'near')).path).toBe(join(root, 'src', 'a.ts'));
    expect(gate.resolve(join(root, 'abs', 'a.ts')).path).toBe(join(root, 'src', 'a.ts'));
    expect(gate.check(join(root, 'far', 'secret'))?.code).toBe('path_not_in_workspace');
    expect(gate.check(join(root, 'far', 'new', 'file'))?.code).toBe('path_not_in_workspace');
    expect(gate.check(join(root, 'up'))?.code).toBe('path_not_in_workspace');
    expect(gate.check(join(root, 'loop'))?.code).toBe('invalid_path');
  });

  it('takes .. as the kernel does: the parent of where a link leads', () => {
    mkdirSync(join(root, 'deep', 'er'), { recursive: true });
    symlinkSync('deep/er', join(root, 'link'));
    const gate = gateOf();
    expect(gate.resolve(`${root}/link/../x`).path).toBe(join(root, 'deep', 'x'));
    expect(gate.check(`${root}/src/../../outside/secret`)?.code).toBe('path_not_in_workspace');
    expect(gate.resolve(`${root}/src/../../ws/src/a.ts`).path).toBe(join(root, 'src', 'a.ts'));
    expect(gate.check(`${root}/missing/../src/a.ts`)?.code).toBe('invalid_path');
  });

  it('judges ignore rules on the resolved path, with nested files and negation (S64)', () => {
    writeFileSync(join(root, '.qwenignore'), 'private/\n*.log\n');
    writeFileSync(join(root, 'src', '.qwenignore'), '!keep.log\n/only-here\n');
    mkdirSync(join(root, 'private'));
    writeFileSync(join(root, 'private', 'f'), '');
    symlinkSync('private/f', join(root, 'alias'));
    const gate = gateOf();
    expect(gate.check(join(root, 'alias'))?.code).toBe('path_ignored');
    expect(gate.check(join(root, 'private', 'new'))?.code).toBe('path_ignored');
    expect(gate.check(join(root, 'src', 'x.log'))?.code).toBe('path_ignored');
    expect(gate.check(join(root, 'src', 'keep.log'))).toBeNull();
    expect(gate.check(join(root, 'src', 'only-here'))?.code).toBe('path_ignored');
    writeFileSync(join(root, '.qwenignore'), '');
    expect(gate.check(join(root, 'private', 'f'))).toBeNull();
  });

  it("opens the project's own temp folder, whatever the ignore rules say (S65)", async () => {
    writeFileSync(join(root, '.qwenignore'), '*\n');
    writeFileSync(join(temp, 'spill.txt'), 'spilled');
    const gate = gateOf();
    expect(await readText(gate, join(temp, 'spill.txt'))).toBe('spilled');
    expect(gate.resolve(join(temp, 'x')).zone).toBe('temp');
    expect(gate.check(join(base, 'other'))?.code).toBe('path_not_in_workspace');
  });

  it('refuses folders, FIFOs and devices as files, at once', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const gate = gateOf();
    expect(await codeOf(readText(gate, join(root, 'pipe')))).toBe('not_a_regular_file');
    expect(await codeOf(readText(gate, join(root, 'src')))).toBe('target_is_directory');
    expect(await codeOf(readText(gate, join(root, 'none')))).toBe('file_not_found');
    expect(await codeOf(readText(gate, join(root, 'src', 'a.ts', 'below')))).toBe('path_is_not_a_directory');
    expect(await codeOf(gate.withTarget(join(root, 'pipe'), async (target) => target.replace(Buffer.from('x'))))).toBe(
      'not_a_regular_file',
    );
  });

  it('writes whole files, keeps the mode, makes folders, writes through links, leaves nothing behind (S78)', async () => {
    chmodSync(join(root, 'src', 'a.ts'), 0o750);
    symlinkSync('src/a.ts', join(root, 'near'));
    const gate = gateOf();
    await gate.withTarget(join(root, 'near'), (target) => target.replace(Buffer.from('new')));
    expect(readFileSync(join(root, 'src', 'a.ts'), 'utf8')).toBe('new');
    expect(statSync(join(root, 'src', 'a.ts')).mode & 0o7777).toBe(0o750);
    await gate.withTarget(join(root, 'x', 'y', 'z.txt'), (target) => target.replace(Buffer.from('z'), MISSING));
    expect(readFileSync(join(root, 'x', 'y', 'z.txt'), 'utf8')).toBe('z');
    expect(readdirSync(join(root, 'src'))).toEqual(['a.ts']);
    expect(readdirSync(join(root, 'x', 'y'))).toEqual(['z.txt']);
  });

  it('does not overwrite what changed or appeared since it was seen', async () => {
    const gate = gateOf();
    const path = join(root, 'src', 'a.ts');
    const seen = contentHash(Buffer.from('inside'));
    const late = gate.withTarget(path, async (target) => {
      writeFileSync(path, 'by another');
      await target.replace(Buffer.from('mine'), seen);
    });
    expect(await codeOf(late)).toBe('file_changed');
    expect(readFileSync(path, 'utf8')).toBe('by another');
    const fresh = join(root, 'fresh');
    const raced = gate.withTarget(fresh, async (target) => {
      writeFileSync(fresh, 'by another');
      await target.replace(Buffer.from('mine'), MISSING);
    });
    expect(await codeOf(raced)).toBe('file_changed');
    expect(readFileSync(fresh, 'utf8')).toBe('by another');
    expect(readdirSync(root).filter((entry) => entry.endsWith('.tmp'))).toEqual([]);
  });

  it('takes a slash at the end to mean a folder, as the kernel does', async () => {
    symlinkSync(join(root, 'src', 'a.ts'), join(root, 'absolute'));
    symlinkSync('src/a.ts/', join(root, 'slashed'));
    const gate = gateOf();
    for (const end of ['/', '/.', '//', '/./']) {
      expect(gate.check(join(root, 'src') + end)).toBeNull();
      expect(gate.check(join(root, 'src', 'a.ts') + end)?.code).toBe('path_is_not_a_directory');
      expect(gate.check(join(root, 'absolute') + end)?.code).toBe('path_is_not_a_directory');
      const write = gate.withTarget(join(root, 'new') + end, (target) => target.replace(Buffer.from('x')));
      expect(await codeOf(write)).toBe('target_is_directory');
    }
    expect(gate.check(join(root, 'slashed'))?.code).toBe('path_is_not_a_directory');
    expect(await readText(gate, join(root, 'absolute'))).toBe('inside');
    expect(existsSync(join(root, 'new'))).toBe(false);
  });

  it('refuses a path that leads elsewhere than expected', async () => {
    symlinkSync('src', join(root, 'd'));
    const gate = gateOf();
    const path = join(root, 'd', 'a.ts');
    const known = { expected: join(root, 'src', 'a.ts') };
    expect(await codeOf(gate.withFile(path, async () => 1, known))).toBe('no failure');
    rmSync(join(root, 'd'));
    mkdirSync(join(root, 'd'));
    writeFileSync(path, 'other');
    expect(await codeOf(gate.withFile(path, async () => 1, known))).toBe('file_changed');
    expect(await codeOf(gate.withTarget(path, async (target) => target.replace(Buffer.from('x')), known))).toBe(
      'file_changed',
    );
    expect(await codeOf(gate.withFolder(join(root, 'd'), async () => 1, { expected: join(root, 'src') }))).toBe(
      'file_changed',
    );
    expect(readFileSync(path, 'utf8')).toBe('other');
  });

  it('takes the folders back that it made for a write that failed', async () => {
    const gate = gateOf();
    const write = (path: string, use = async (): Promise<void> => undefined): Promise<string> =>
      codeOf(
        gate.withTarget(join(root, path), async (target) => {
          await use();
          await target.replace(Buffer.from('x'));
        }),
      );
    expect(await write(`m1/m2/${'n'.repeat(300)}`)).toBe('invalid_path');
    expect(await write(`m1/${'n'.repeat(300)}/f`)).toBe('invalid_path');
    expect(readdirSync(root)).toEqual(['src']);
    expect(await write(`m1/m2/${'n'.repeat(300)}`, async () => mkdirSync(join(root, 'm1')))).toBe('invalid_path');
    // Made by another meanwhile, so it stays.
    expect(readdirSync(join(root, 'm1'))).toEqual([]);
  });

  it('gives a small file at once, as it was when it was held, and leaves all others to be opened', async () => {
    const gate = gateOf();
    const sizes = [0, 1, 64 * 1024, 64 * 1024 + 1];
    for (const size of sizes) writeFileSync(join(root, `f${size}`), Buffer.alloc(size, 'x'));
    const small = (file: string, first = (): void => undefined): Promise<Buffer | undefined> =>
      gate.withFile(join(root, file), async (handle) => {
        first();
        return handle.readSmall();
      });
    const read = await Promise.all(sizes.map((size) => small(`f${size}`)));
    expect(read.map((bytes) => bytes?.length)).toEqual([undefined, 1, 64 * 1024, undefined]);
    expect(String(await small('src/a.ts'))).toBe('inside');
    const path = join(root, 'src', 'a.ts');
    expect(await small('src/a.ts', () => appendFileSync(path, ', and more'))).toBeUndefined();
    expect(await small('src/a.ts', () => writeFileSync(path, 'less'))).toBeUndefined();
    const swap = (): void => {
      rmSync(path);
      symlinkSync(join(outside, 'secret'), path);
    };
    if (name === 'descriptor') expect(String(await small('src/a.ts', swap))).toBe('less');
    else expect(await codeOf(small('src/a.ts', swap))).toBe('file_changed');
  });

  it('says of a path what it holds when it is asked to', async () => {
    symlinkSync('src', join(root, 'near'));
    symlinkSync('../../outside', join(root, 'src', 'far'));
    symlinkSync(join(root, 'src', 'missing'), join(root, 'dangling'));
    const gate = gateOf();
    const ways = ['', 'src', 'src/', 'src/a.ts', 'near/a.ts', 'near/../src/./a.ts', 'src/a.ts/', 'src/far/secret'];
    for (const way of [...ways, 'src/far/../src', 'dangling', 'none/below', 'none/../src', '../ws/src/a.ts']) {
      const path = `${root}/${way}`;
      const held = gate.withTarget(path, async ({ resolved }) => resolved);
      const expected = await held.catch((thrown: unknown) => (thrown instanceof Failure ? thrown.code : thrown));
      const isFolder = expected === 'target_is_directory';
      const found = gate.check(path)?.code ?? gate.resolve(path);
      if (isFolder) expect(found).toMatchObject({ kind: 'directory' });
      else expect(found).toEqual(expected);
    }
  });

  it('lets through single files elsewhere, they alone, as lying outside', async () => {
    const [note, link] = [join(outside, 'note.md'), join(outside, 'link.md')];
    symlinkSync(join(outside, 'secret'), link);
    const gate = new WorkspaceGate({
      roots: [root],
      tempDir: temp,
      ignore: new IgnoreRules(QWEN_IGNORE, [root]),
      pinner: pinners[name],
      alsoFiles: [note, link],
    });
    expect(gate.resolve(note)).toEqual({ requested: note, path: note, zone: 'outside', kind: 'missing' });
    expect(gate.resolve(link)).toMatchObject({ path: join(outside, 'secret'), zone: 'outside', kind: 'file' });
    expect(gate.resolve(join(root, 'src', 'a.ts')).zone).toBe('workspace');
    for (const path of [outside, join(outside, 'other'), `${note}.bak`, join(note, 'below'), join(base, 'x')])
      expect(gate.check(path)?.code).toBe('path_not_in_workspace');
    symlinkSync(join(outside, 'other'), note);
    writeFileSync(join(outside, 'other'), 'x');
    expect(gate.check(note)?.code).toBe('path_not_in_workspace');
    expect(gate.contains(join(outside, 'secret'))).toBe(false);
  });

  it('tells what may be touched from what may be read, where only some may be read', () => {
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    const log = join(root, 'a.log');
    writeFileSync(log, 'x');
    const gate = new WorkspaceGate({
      roots: [root],
      tempDir: temp,
      ignore: new IgnoreRules(QWEN_IGNORE, [root]),
      unread: new IgnoreRules(GIT_IGNORE, [root]),
      pinner: pinners[name],
    });
    expect([gate.check(log), gate.resolve(log).kind]).toEqual([null, 'file']);
    expect(gate.checkRead(log)?.message).toMatch(/^Path is ignored by git: /);
    expect(() => gate.resolve(log, { toRead: true })).toThrow('Path is ignored by git: ');
    expect(gate.resolve(join(root, 'src', 'a.ts'), { toRead: true }).kind).toBe('file');
  });

  it('lets go of every descriptor it took', async () => {
    symlinkSync(outside, join(root, 'far'));
    const gate = gateOf();
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 50; round++) {
      gate.check(join(root, 'src', 'a.ts'));
      gate.check(join(root, 'far', 'secret'));
      gate.check(join(root, 'missing', 'deep', 'file'));
      gate.check(join(root, 'src', 'a.ts', 'below'));
      await readText(gate, join(root, 'src', 'a.ts'));
      await gate.withFile(join(root, 'src', 'a.ts'), async (handle) => handle.readSmall());
      await gate.withTarget(join(root, `d${round}`, 'f'), (target) => target.replace(Buffer.from('x')));
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1);
  });
});

describe('WorkspaceGate under attack', () => {
  it('touches not one byte outside while folders are swapped for links (S8, S66)', async () => {
    const gate = new WorkspaceGate({ roots: [root], tempDir: temp, ignore: new IgnoreRules(QWEN_IGNORE, [root]) });
    for (const folder of [join(root, 'd'), join(outside, 'd')]) mkdirSync(folder);
    writeFileSync(join(root, 'd', 'f'), 'inside');
    writeFileSync(join(outside, 'd', 'f'), 'OUTSIDE');
    const swapper = `
      const fs = require('node:fs'); const [root, outside] = process.argv.slice(1);
      const end = Date.now() + 1500;
      while (Date.now() < end) {
        try { fs.renameSync(root + '/d', root + '/d2'); fs.symlinkSync(outside + '/d', root + '/d'); } catch {}
        try { fs.unlinkSync(root + '/d'); fs.renameSync(root + '/d2', root + '/d'); } catch {}
      }`;
    const child = spawn(process.execPath, ['-e', swapper, root, outside], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    let reads = 0;
    let refusals = 0;
    let writes = 0;
    while (child.exitCode === null) {
      try {
        expect(await readText(gate, join(root, 'd', 'f'))).not.toContain('OUTSIDE');
        const small = await gate.withFile(join(root, 'd', 'f'), async (handle) => handle.readSmall());
        expect(String(small)).toBe('inside');
        reads++;
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        refusals++;
      }
      try {
        await gate.withTarget(join(root, 'd', 'w'), (target) => target.replace(Buffer.from('written')));
        writes++;
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        refusals++;
      }
    }
    await exited;
    expect(readFileSync(join(outside, 'd', 'f'), 'utf8')).toBe('OUTSIDE');
    expect(readdirSync(join(outside, 'd'))).toEqual(['f']);
    expect(existsSync(join(outside, 'd', 'w'))).toBe(false);
    // The race was really run: both outcomes were seen.
    expect(reads).toBeGreaterThan(0);
    expect(writes).toBeGreaterThan(0);
    expect(refusals).toBeGreaterThan(0);
  });
});
