const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['image/bmp', 'bmp'],
  ['image/tiff', 'tiff'],
  ['image/avif', 'avif'],
  ['image/heic', 'heic'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/flac', 'flac'],
  ['audio/mp4', 'm4a'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz'],
  ['application/x-gzip', 'gz'],
  ['application/x-tar', 'tar'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
]);

/** What the name of a file of this type ends in, without the dot; `bin` where the type tells nothing. */
export function extensionOf(mimeType: string): string {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  const known = EXTENSIONS.get(type);
  if (known !== undefined) return known;
  const subtype = /^[a-z]+\/(?:x-)?([a-z0-9]{1,8})$/.exec(type)?.[1];
  return subtype === undefined || type === 'application/octet-stream' ? 'bin' : subtype;
}
