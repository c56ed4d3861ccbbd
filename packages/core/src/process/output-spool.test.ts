import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutputSpool } from './output-spool.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function spoolOf(path: string, chunks: readonly Buffer[], limit?: number): Promise<OutputSpool> {
  const spool = new OutputSpool(path, limit);
  for (const chunk of chunks) await spool.write(chunk);
  await spool.close();
  return spool;
}

describe('OutputSpool', () => {
  it('writes every byte in order, whatever the chunks', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700_000 }), { maxLength: 8 }), async (lengths) => {
        const chunks = lengths.map((length, index) => Buffer.alloc(length, `${index}-${length};`));
        const spool = await spoolOf(join(folder, `out-${round++}`), chunks);
        const all = Buffer.concat(chunks);
        expect(spool.writtenBytes).toBe(all.length);
        if (all.length > 0) expect(readFileSync(spool.path).equals(all)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('takes a chunk that was given to it: the buffer may be used again at once', async () => {
    const chunk = Buffer.from('first ');
    const spool = new OutputSpool(join(folder, 'out'));
    await spool.write(chunk);
    chunk.fill('x');
    await spool.close();
    expect(readFileSync(spool.path, 'utf8')).toBe('first ');
  });

  it('stops at its limit and tells what the file holds', async () => {
    const spool = await spoolOf(
      join(folder, 'out'),
      [Buffer.from('abcdef'), Buffer.from('ghijkl'), Buffer.alloc(1_000_000)],
      10,
    );
    expect([spool.writtenBytes, spool.closed]).toEqual([10, true]);
    expect(readFileSync(spool.path, 'utf8')).toBe('abcdefghij');
  });

  it('does not follow a link to a file that is not there yet', async () => {
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    const spool = await spoolOf(join(folder, 'link'), [Buffer.from('x')]);
    expect([spool.writtenBytes, existsSync(join(folder, 'target'))]).toEqual([0, false]);
  });

  it('ends quietly when its file cannot be made', async () => {
    const spool = await spoolOf(join(folder, 'missing', 'out'), [Buffer.alloc(900_000), Buffer.alloc(900_000)]);
    expect([spool.writtenBytes, spool.closed]).toEqual([0, true]);
    await spool.close();
  });
});
