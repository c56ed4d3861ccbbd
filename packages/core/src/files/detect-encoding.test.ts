import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { detectEncoding, isBinaryHead } from './detect-encoding.js';
import { undecodableText } from './undecodable.js';

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

describe('text that cannot be read', () => {
  /** `1: HELLO, WORLD` and the like in the letters that all code pages of EBCDIC share, with the line end of most. */
  const ebcdic = (words: string): Buffer =>
    Buffer.from(
      words.split('').flatMap((character) => {
        if (character === '\n') return [0x15];
        if (character === ' ') return [0x40];
        if (character === '.') return [0x4b];
        const at = character.charCodeAt(0);
        if (at >= 0x30 && at <= 0x39) return [0xf0 + at - 0x30];
        const letter = (at | 0x20) - 0x61;
        const base = letter < 9 ? 0x81 + letter : letter < 18 ? 0x91 + letter - 9 : 0xa2 + letter - 18;
        return [at < 0x61 ? base + 0x40 : base];
      }),
    );

  it('is EBCDIC, with lines or with records of one length', async () => {
    const text = 'IDENTIFICATION DIVISION.\nPROGRAM Id. Payroll 2024.\n';
    const records = `${'MOVE Total TO Sum.'.padEnd(80)}${'STOP RUN.'.padEnd(80)}`;
    for (const bytes of [ebcdic(text), ebcdic(text.repeat(500)), ebcdic(records)]) {
      await expect(detectEncoding(bytes, true, '/w/a.cbl')).rejects.toMatchObject({
        code: 'binary_file',
        message: expect.stringMatching(/^\/w\/a\.cbl is text in EBCDIC, which cannot be read\. Convert it to UTF-8/),
      });
    }
  });

  it('is UTF-32 of which more than a few units are no characters; one that is damaged is read around that', async () => {
    const text = iconv.encode('\ufeffa text of some length', 'utf-32le');
    const damaged = Buffer.from(text);
    damaged.fill(0xff, 8, 12);
    expect(await judge(text)).toBe('utf-32le');
    expect(await judge(damaged)).toBe('utf-32le');
    expect(await judge(Buffer.from(text).swap32())).toBe('utf-32be');
    damaged.fill(0xff, 8, 40);
    expect(await judge(damaged)).toBe('binary_file');
    expect(await judge(Buffer.from(damaged).swap32())).toBe('binary_file');
  });

  it('is none of the texts in other encodings', async () => {
    const legacy = [
      'windows-1252',
      'windows-1251',
      'koi8-r',
      'cp866',
      'macroman',
      'iso-8859-7',
      'shift_jis',
      'gbk',
      'euc-kr',
    ];
    const letters = 'abcdefghij@@@@@@äöüßéèабвгдежзийАБВГДκαιτηνあいうえお日本語한국어';
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...legacy),
        fc.string({ unit: fc.constantFrom(...Array.from(letters)), minLength: 1, maxLength: 200 }),
        async (encoding, line) => {
          const bytes = iconv.encode(`${line}\n`, encoding);
          expect(undecodableText(bytes)).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });
});
