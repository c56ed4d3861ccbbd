import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { decodeText } from '../files/text-codec.js';
import { shownText } from '../util/shown-text.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ReadFileTool } from './read-file.js';
const { config, workspace, remove } = await createTempConfig();
const tool = new ReadFileTool(config);
afterAll(remove);
async function readAll(path: string): Promise<{ text: string; encoding: unknown }> {
  const shown: string[] = [];
  let encoding: unknown;
  let [offset, column]: (number | undefined)[] = [0, 0];
  for (let step = 0; offset !== undefined && step < 400; step += 1) {
    const params = { absolute_path: path, offset, column: column ?? 0 };
    const { llmContent, data } = await tool.execute(params, new AbortController().signal);
    const answer = typeof llmContent === 'string' ? llmContent : '';
    expect(Buffer.byteLength(answer)).toBeLessThan(48 * 1024);
    encoding = (data as { encoding: string }).encoding;
    for (const [, number, part = ''] of answer.matchAll(/^(\d+)→([^\n]*)$/gm))
      shown[Number(number) - 1] = (shown[Number(number) - 1] ?? '') + part;
    const next: RegExpExecArray | null = /To go on(?: in it)?, use offset: (\d+)(?:, column: (\d+))?/.exec(answer);
    offset = next === null ? undefined : Number(next[1]);
    column = next?.[2] === undefined ? undefined : Number(next[2]);
  }
  return { text: shown.join('\n'), encoding };
}
it(
  'shows exactly what the bytes are as text, damaged ones too, however often one has to go on (S69, S73)',
  { timeout: 120_000 },
  async () => {
    const path = workspace.path('d.txt');
    const byte = fc.constantFrom(0x41, 0x20, 0x31, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0xff);
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 0 }),
      fc.array(byte, { minLength: 1, maxLength: 9 }).map((a) => Uint8Array.from(a)),
      fc.constantFrom('äöü€', '漢字', '😀é').map((t) => Buffer.from(t)),
    );
    const line = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 5000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 3 }), async (made) => {
        const lines = made.map(([pieces, times]) => {
          const one = Buffer.concat(pieces);
          return Buffer.concat(Array.from({ length: times }, () => one));
        });
        const bytes = Buffer.concat([Buffer.from('é'.repeat(9)), ...lines.flatMap((one) => [one, Buffer.from('\n')])]);
        await writeFile(path, bytes);
        const decoded = await decodeText(bytes, 'd').catch(() => undefined);
        if (decoded === undefined) return;
        const { text, encoding } = await readAll(path);
        expect(encoding).toBe(decoded.encoding);
        expect(`${text}\n`).toBe(shownText(decoded.text));
      }),
      { numRuns: 20 },
    );
  },
);
it('reads each window of a large file in the encoding of the whole, as an edit does (S73)', async () => {
  const filler = Buffer.from('plain text that says nothing\n'.repeat(40_000));
  const path = workspace.path('big.txt');
  const sound = Buffer.from('größer – schön\n'.repeat(9));
  const western = Buffer.from('d\xe9j\xe0 vu\n', 'latin1');
  const files: [Buffer, number, string, string][] = [
    [Buffer.concat([sound, filler, western]), 40_009, 'utf-8', 'd\ufffdj\ufffd vu'],
    [Buffer.concat([filler, sound, western]), 40_009, 'utf-8', 'd\ufffdj\ufffd vu'],
    [Buffer.concat([filler, ...Array.from({ length: 9 }, () => western), filler]), 40_000, 'windows-1252', 'déjà vu'],
    [Buffer.concat([western, filler, sound]), 0, 'utf-8', 'd\ufffdj\ufffd vu'],
  ];
  for (const [bytes, offset, encoding, shown] of files) {
    await writeFile(path, bytes);
    const { data, llmContent } = await tool.execute(
      { absolute_path: path, offset, limit: 1 },
      new AbortController().signal,
    );
    expect((await decodeText(bytes, 'b')).encoding).toBe(encoding);
    expect(data).toMatchObject({ encoding });
    expect(llmContent).toContain(`→${shown}`);
  }
});
