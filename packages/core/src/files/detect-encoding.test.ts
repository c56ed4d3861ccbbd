import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { detectEncoding, isBinaryHead } from './detect-encoding.js';

/** The encoding, or the code of what was thrown; both judges must agree on what is binary. */
async function judge(bytes: Buffer): Promise<string> {
  const found = await detectEncoding(bytes, true, 'f').then(
    ({ encoding }) => encoding,
    (thrown: unknown) => (thrown instanceof Failure ? thrown.code : 'failed'),
  );
  if (isBinaryHead(bytes)) expect(found).toBe('binary_file');
  return found;
}

/** Printable ASCII with its line ends. */
const ascii = (length: { minLength?: number; maxLength: number }): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('abcdefghijklmnop ABC0123456789=:;/.-_\t\n')), ...length });

describe('UTF-16 without a mark', () => {
  it.each(['tok=1\0\n', 'a\0b\n', 'a\0', 'ab\0c', 'a\0b\0c\0\n'])(
    'is not what %j looks like: it is binary',
    async (text) => {
      expect(await judge(Buffer.from(text))).toBe('binary_file');
    },
  );

  it('is no text of ASCII in which single NULs stand', async () => {
    const piece = ascii({ minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 2, maxLength: 8 }), fc.boolean(), async (pieces, isEnded) => {
        const bytes = Buffer.from(`${pieces.join('\0')}${isEnded ? '\0' : ''}`);
        expect(await judge(bytes)).toBe('binary_file');
      }),
      { numRuns: 2000 },
    );
  });

  it('is no list of records of the same length', async () => {
    const record = fc.oneof(ascii({ minLength: 3, maxLength: 3 }), ascii({ minLength: 5, maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(record, fc.integer({ min: 1, max: 500 }), async (text, times) => {
        expect(await judge(Buffer.from(`${text}\0`.repeat(times)))).toBe('binary_file');
      }),
    );
  });

  it('is text of ASCII in either order of bytes, from eight characters on', async () => {
    await fc.assert(
      fc.asyncProperty(ascii({ minLength: 8, maxLength: 300 }), async (text) => {
        const little = Buffer.from(text, 'utf16le');
        expect(await judge(little)).toBe('utf-16le');
        expect(await judge(Buffer.from(little).swap16())).toBe('utf-16be');
      }),
    );
  });

  it.each([
    ['Japanese', 'const label = "これはひらがなのながいぶんです、そしてカタカナ";\r\n'],
    ['Chinese', '<title>这是一个用来测试编码检测的中文文本文件</title>\r\n'],
    ['Korean', '; 이것은 한국어로 된 텍스트 파일입니다\r\nkey=value\r\n'],
    ['Russian', 'name = Привет, это обычный текст на русском языке\r\nend\r\n'],
    ['French', 'Déjà vu à côté de l’été\r\n'],
  ])('is text with %s among ASCII', async (_, text) => {
    for (const times of [1, 50, 5_000]) {
      const little = Buffer.from(text.repeat(times), 'utf16le');
      expect(await judge(little)).toBe('utf-16le');
      expect(await judge(little.swap16())).toBe('utf-16be');
    }
  });
});
