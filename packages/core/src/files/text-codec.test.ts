import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from './text-codec.js';

const encoded = (text: string, encoding: string): Buffer => iconv.encode(text, encoding, { addBOM: false });
const bom = (...bytes: number[]): Buffer => Buffer.from(bytes);

describe('decodeText', () => {
  it('reads UTF-8 with and without a byte order mark (S80)', async () => {
    expect(await decodeText(Buffer.from('grün\r\n'), 'f')).toEqual({
      text: 'grün\r\n',
      encoding: 'utf-8',
      bom: false,
      faithful: true,
    });
    const marked = await decodeText(Buffer.concat([bom(0xef, 0xbb, 0xbf), Buffer.from('a')]), 'f');
    expect(marked).toMatchObject({ text: 'a', bom: true });
  });

  it('reads UTF-16 of both byte orders, marked or not', async () => {
    const text = 'export const größe = "日本";\r\n';
    for (const encoding of ['utf-16le', 'utf-16be']) {
      const mark = encoding === 'utf-16le' ? bom(0xff, 0xfe) : bom(0xfe, 0xff);
      expect(await decodeText(encoded(text, encoding), 'f')).toMatchObject({ text, encoding, bom: false });
      const marked = await decodeText(Buffer.concat([mark, encoded(text, encoding)]), 'f');
      expect(marked).toMatchObject({ text, encoding, bom: true, faithful: true });
    }
  });

  it.each([
    ['windows-1252', 'naïve “quotes” – dash, déjà vu and the rest of the line\n'],
    ['windows-1251', 'Привет, мир. Это обычный текст на русском языке.\n'],
    ['shift_jis', '日本語テスト\n'],
    ['gbk', '这是一个用来测试编码检测的中文文本文件。\n'],
    ['euc-kr', '안녕하세요. 이것은 한국어로 된 텍스트 파일입니다.\n'],
    ['cp850', 'vérifie que la clé est présente\n┌────┐\n'],
    ['windows-1255', 'הקובץ לא נמצא\n'],
    ['windows-1256', 'الملف غير موجود\n'],
    ['windows-874', 'ชื่อผู้ใช้และรหัสผ่าน\n'],
  ])('reads %s by the statistics of its bytes', async (encoding, text) => {
    expect(await decodeText(encoded(text, encoding), 'f')).toMatchObject({ text, encoding, faithful: true });
  });

  it('keeps the 0x80–0x9f range of windows-1252, which TextDecoder loses', async () => {
    const { text } = await decodeText(Buffer.from([0x93, 0x68, 0x69, 0x94, 0x20, 0x97, 0x20, 0x74, 0x68, 0x65]), 'f');
    expect(text).toBe('“hi” — the');
  });

  it('reads damaged UTF-8 as UTF-8 with its bad bytes escaped, and gives every byte back', async () => {
    const bytes = Buffer.concat([Buffer.from('größer für müde Bären €\n'), bom(0xff), Buffer.from('\n')]);
    const decoded = await decodeText(bytes, 'f');
    expect(decoded).toMatchObject({ encoding: 'utf-8', escaped: true, faithful: true });
    expect(decoded.text).toBe('größer für müde Bären €\n\udcff\n');
    expect(Buffer.compare(await encodeText(decoded.text, decoded, 'f'), bytes)).toBe(0);
    const edited = await encodeText(decoded.text.replace('müde', 'wache 😀'), decoded, 'f');
    expect(edited.at(-2)).toBe(0xff);
  });

  it('keeps a byte order mark before damaged UTF-8', async () => {
    const bytes = Buffer.concat([bom(0xef, 0xbb, 0xbf), Buffer.from('a'), bom(0xe9), Buffer.from('b')]);
    const decoded = await decodeText(bytes, 'f');
    expect(decoded).toMatchObject({ text: 'a\udce9b', bom: true, escaped: true });
    expect(Buffer.compare(await encodeText(decoded.text, decoded, 'f'), bytes)).toBe(0);
  });

  it('says of a damaged file in a legacy encoding of several bytes that it cannot be written back', async () => {
    const text = '日本語のテキストファイルです。文字コードを正しく判定する必要があります。\n'.repeat(3);
    const bytes = Buffer.concat([encoded(text, 'shift_jis'), bom(0xfd, 0xff, 0x0a)]);
    expect(await decodeText(bytes, 'f')).toMatchObject({ encoding: 'shift_jis', faithful: false });
  });

  it('refuses binary bytes by name', async () => {
    const refusal = { code: 'binary_file', message: expect.stringMatching(/^\/w\/a\.bin is a binary file/) };
    await expect(decodeText(Buffer.from([1, 2, 0, 3, 65, 66]), '/w/a.bin')).rejects.toMatchObject(refusal);
    await expect(decodeText(Buffer.from([1, 2, 5, 3, 0xff]), '/w/a.bin')).rejects.toMatchObject(refusal);
  });

  it('gives back the same bytes for any bytes that it reads faithfully', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text)),
        fc.string({ maxLength: 30 }).map((text) => Buffer.from(text, 'utf16le')),
        fc.constantFrom(bom(0xef, 0xbb, 0xbf), bom(0xff, 0xfe), bom(0xfe, 0xff), Buffer.from('\r\n')),
      ),
      { maxLength: 6 },
    );
    let faithful = 0;
    await fc.assert(
      fc.asyncProperty(pieces, async (list) => {
        const bytes = Buffer.concat(list);
        const decoded = await decodeText(bytes, 'f').catch(() => undefined);
        if (decoded === undefined || !decoded.faithful) return;
        faithful += 1;
        expect(Buffer.compare(await encodeText(decoded.text, decoded, 'f'), bytes)).toBe(0);
      }),
      { numRuns: 400 },
    );
    expect(faithful).toBeGreaterThan(50);
  });
});

describe('encodeText', () => {
  it('refuses what the encoding has no character for, naming it and its line', async () => {
    const form = { encoding: 'windows-1252', bom: false };
    await expect(encodeText('a\nb → c\n', form, '/w/x')).rejects.toMatchObject({
      code: 'file_write_failure',
      message: expect.stringMatching(/windows-1252.*"→" \(U\+2192\) \(line 2/),
    });
  });

  it('refuses half of a surrogate pair', async () => {
    await expect(encodeText('ok\n\ud83d', { encoding: 'utf-8', bom: false }, '/w/x')).rejects.toMatchObject({
      code: 'file_write_failure',
      message: expect.stringContaining('line 2'),
    });
  });

  it('lets escaped bytes pass only where the file has them, and no other half characters', async () => {
    const refusal = { code: 'file_write_failure', message: expect.stringContaining('half of a surrogate pair') };
    const plain = { encoding: 'utf-8', bom: false };
    await expect(encodeText('a\udcff', plain, '/w/x')).rejects.toMatchObject(refusal);
    await expect(encodeText('a\ud83d', { ...plain, escaped: true }, '/w/x')).rejects.toMatchObject(refusal);
    await expect(encodeText('a\udc7f', { ...plain, escaped: true }, '/w/x')).rejects.toMatchObject(refusal);
    expect(await encodeText('a\udcff💀', { ...plain, escaped: true }, '/w/x')).toEqual(
      Buffer.concat([Buffer.from('a'), bom(0xff), Buffer.from('💀')]),
    );
  });
});
