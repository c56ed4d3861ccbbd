/** The bytes of base64 in either alphabet, with or without padding, line breaks and `data:` before it; undefined for anything else. */
export function base64Bytes(text: string): Buffer | undefined {
  const body = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  const digits = body
    .replaceAll(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  // One digit over says less than a byte. Node itself skips what is no digit without a word.
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  return Buffer.from(digits, 'base64');
}
