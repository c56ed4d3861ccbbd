import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { charsetOf, decodePage } from './page-charset.js';

const decode = (bytes: Buffer, stated?: string, isMarkup = true): Promise<string> =>
  decodePage({ bytes, stated, isMarkup, name: 'x' });

it.each([
  ['utf-8', 'grüße'],
  ['windows-1252', 'naïve – “quoted”'],
  ['iso-8859-2', 'Příliš žluťoučký'],
  ['iso-8859-15', 'déjà € œuvre'],
  ['windows-1251', 'привет мир'],
  ['koi8-r', 'привет мир'],
  ['shift_jis', '日本語のテキスト'],
  ['euc-jp', '日本語のテキスト'],
  ['gb2312', '中文文本'],
  ['gbk', '中文文本'],
  ['big5', '繁體中文'],
  ['euc-kr', '한국어 텍스트'],
  ['utf-16le', 'wide ünïcödé'],
  ['utf-16be', 'wide ünïcödé'],
])('%s is read by the header (S120)', async (charset, text) => {
  expect(await decode(iconv.encode(text, charset), charset)).toBe(text);
});

it('a page may say it of itself, and its mark counts more than anything', async () => {
  const html = '<html><head><meta charset="windows-1251"></head><body>привет</body></html>';
  expect(await decode(iconv.encode(html, 'windows-1251'))).toBe(html);
  const old = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">Příliš';
  expect(await decode(iconv.encode(old, 'iso-8859-2'))).toBe(old);
  const xml = '<?xml version="1.0" encoding="koi8-r"?><a>привет</a>';
  expect(await decode(iconv.encode(xml, 'koi8-r'))).toBe(xml);
  expect(await decode(iconv.encode('grüße', 'utf-16le', { addBOM: true }), 'utf-8')).toBe('grüße');
  expect(await decode(Buffer.from('\ufeffgrüße'), 'iso-8859-1')).toBe('grüße');
});

it('what the web calls latin-1 is what browsers read', async () => {
  expect(await decode(Buffer.from([0x93, 0x68, 0x69, 0x94, 0x80]), 'iso-8859-1')).toBe('“hi”€');
});

it('what is said and is not so does not count', async () => {
  expect(await decode(iconv.encode('déjà vu, encore une fois', 'windows-1252'), 'utf-8')).toBe(
    'déjà vu, encore une fois',
  );
  expect(await decode(Buffer.from('grüße'), 'no-such-charset')).toBe('grüße');
  expect(await decode(Buffer.from('+ADw-script+AD4-'), 'utf-7')).toBe('+ADw-script+AD4-');
  expect(await decode(Buffer.from('<meta charset=utf-16>grüße'))).toContain('grüße');
  expect(await decode(Buffer.from('<meta charset=windows-1251>grüße'), undefined, false)).toContain('grüße');
});

it('the charset of a header is read with quotes and without', () => {
  expect(charsetOf('text/html; charset=UTF-8')).toBe('utf-8');
  expect(charsetOf('text/html;charset="Shift_JIS"; x=y')).toBe('shift_jis');
  expect(charsetOf('text/html')).toBeUndefined();
});
