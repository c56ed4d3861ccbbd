import { isUtf8 } from 'node:buffer';
import { detectEncoding } from '../files/detect-encoding.js';
import { decodeBytes } from '../files/text-codec.js';

/** How far into a page its own word about its characters may stand. */
const PRESCAN_BYTES = 4096;

/** What the web means by these names (WHATWG Encoding): what nearly all pages are that call themselves so. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['ascii', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['iso8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['l1', 'windows-1252'],
  ['iso-8859-9', 'windows-1254'],
  ['tis-620', 'windows-874'],
  ['gb2312', 'gb18030'],
  ['gbk', 'gb18030'],
  ['x-gbk', 'gb18030'],
  ['shift_jis', 'windows-31j'],
  ['sjis', 'windows-31j'],
  ['x-sjis', 'windows-31j'],
  ['ks_c_5601-1987', 'cp949'],
  ['euc-kr', 'cp949'],
  ['utf8', 'utf-8'],
  ['utf-16', 'utf-16le'],
]);

export interface CharsetSource {
  readonly bytes: Buffer;
  /** Of the header; undefined where it does not say. */
  readonly stated: string | undefined;
  /** Whether the page may say it of itself. */
  readonly isMarkup: boolean;
  /** For messages. */
  readonly name: string;
}

/**
 * The text of a body: by its byte order mark, the header, its own word, or what its bytes are most likely to be. What is
 * said but is plainly wrong does not count.
 * @throws Failure `binary_file`
 */
export async function decodePage({ bytes, stated, isMarkup, name }: CharsetSource): Promise<string> {
  const marked = markOf(bytes);
  if (marked !== undefined) return decodeBytes(bytes.subarray(marked.length), marked.encoding);
  const own = isMarkup ? ownCharset(bytes) : undefined;
  // A page that says of itself that it is UTF-16 cannot have been read so far.
  const ownMeant = own?.startsWith('utf-16') === true ? 'utf-8' : own;
  const encoding = (await known(stated)) ?? (await known(ownMeant));
  if (encoding !== undefined && !(encoding === 'utf-8' && !isUtf8(bytes))) return decodeBytes(bytes, encoding);
  const found = await detectEncoding(bytes, true, name);
  return decodeBytes(bytes.subarray(found.bomLength), found.encoding);
}

/** The charset of a `Content-Type`. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([\w.:+-]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

function markOf(bytes: Buffer): { readonly encoding: string; readonly length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  return undefined;
}

function ownCharset(bytes: Buffer): string | undefined {
  const head = bytes
    .subarray(0, PRESCAN_BYTES)
    .toString('latin1')
    .replaceAll(/<!--(?:(?!-->)[^])*-->/g, '');
  const found =
    /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(head);
  return found?.[1]?.toLowerCase();
}

async function known(label: string | undefined): Promise<string | undefined> {
  if (label === undefined) return undefined;
  const meant = MEANT.get(label) ?? label;
  if (/^utf-(?:8|16le|16be)$/.test(meant)) return meant;
  const { default: iconv } = await import('iconv-lite');
  // No browser reads UTF-7: it hides markup from whoever looks at the bytes.
  return !meant.startsWith('utf-7') && iconv.encodingExists(meant) ? meant : undefined;
}
