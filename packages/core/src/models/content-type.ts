/** White space, and the byte order mark that some put before UTF-8. */
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * Returns a body's type by its first character, because headers are unreliable: failures come as JSON or a web page under any type. No
 * event stream begins like either (HTML standard 9.2.5). Undefined until there is a character. Pure.
 */
export function contentTypeOf(stated: string | undefined, start: Uint8Array): string | undefined {
  const first = start.find((byte) => !BLANKS.has(byte));
  if (first === undefined) return undefined;
  if (first === 0x7b || first === 0x5b) return 'application/json';
  return first === 0x3c ? 'text/html' : (stated ?? '');
}
