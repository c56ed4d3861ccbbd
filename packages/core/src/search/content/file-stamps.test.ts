import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeEscaped } from '../../files/escaped-bytes.js';
import { createTempWorkspace } from '../../testing/temp-workspace.js';
import { FileStatter } from './file-stamps.js';

const workspace = await createTempWorkspace({ 'a.txt': 'a', 'sub/b.txt': 'bb', '-c\n.txt': 'ccc' });
const statter = new FileStatter();
const { signal } = new AbortController();
const odd = Buffer.from([0x66, 0xff, 0x2e, 0x74]);
writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/`), odd]), 'dddd');
mkdirSync(workspace.path('folder'));
symlinkSync('a.txt', workspace.path('link'));
afterAll(async () => {
  await statter.close();
  await workspace.remove();
});

/** The field of that number (mtimeMs, ctimeMs, size, ino) of each file. */
async function stamps(files: readonly string[]): Promise<(field: number) => Float64Array> {
  const units = await statter.stampsIn(workspace.root, [{ folder: '', names: files }], signal);
  const all = units.flatMap(({ values }) => Array.from(values));
  return (field) => Float64Array.from(files, (_, index) => all[4 * index + field] ?? 0);
}

const FILES = ['a.txt', 'folder', 'sub/b.txt', 'link', 'missing', '-c\n.txt', 'a.txt/x', decodeEscaped(odd)];

describe('FileStatter', () => {
  it('says of each file what lstat says, and nothing of what is no regular file', async () => {
    const field = await stamps(FILES);
    const [mtimeMs, ctimeMs, size, ino] = [field(0), field(1), field(2), field(3)];
    expect(Array.from(size)).toEqual([1, NaN, 2, NaN, NaN, 3, NaN, 4]);
    const stat = lstatSync(workspace.path('sub/b.txt'));
    expect([mtimeMs[2], ctimeMs[2], ino[2]]).toEqual([stat.mtimeMs, stat.ctimeMs, stat.ino]);
    expect([mtimeMs[1], ctimeMs[3], ino[4]]).toEqual([NaN, NaN, NaN]);
    expect(await statter.mtimes(workspace.root, FILES, signal)).toEqual(mtimeMs);
    expect(await statter.mtimes(workspace.root, [], signal)).toHaveLength(0);
  });

  it('says the same with a second thread, twice at the same time, and after that thread has ended', async () => {
    const many = Array.from({ length: 5000 }, () => FILES).flat();
    const expected = (await stamps(FILES))(2);
    const sizes = async (): Promise<Float64Array> => (await stamps(many))(2);
    const repeated = Float64Array.from(many, (_, index) => expected[index % FILES.length] ?? 0);
    const [first, second] = await Promise.all([sizes(), sizes()]);
    expect(first).toEqual(repeated);
    expect(second).toEqual(repeated);
    const ending = sizes();
    await statter.close();
    expect(await ending).toEqual(repeated);
    expect(await sizes()).toEqual(repeated);
  });

  it('does not hold up the event loop', async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await statter.mtimes(
      workspace.root,
      Array.from({ length: 100_000 }, () => 'sub/b.txt'),
      signal,
    );
    delay.disable();
    // Generous: other programs may be running.
    expect(delay.max / 1e6).toBeLessThan(500);
  });

  it('ends when it is aborted', async () => {
    await expect(statter.mtimes(workspace.root, FILES, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
    const stopper = new AbortController();
    const running = statter.mtimes(
      workspace.root,
      Array.from({ length: 50_000 }, () => 'a.txt'),
      stopper.signal,
    );
    setImmediate(() => stopper.abort());
    await expect(running).rejects.toThrow();
  });
});
