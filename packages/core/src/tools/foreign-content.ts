import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sniffMedia } from '../files/media.js';
import { fitImage } from '../files/scale-image.js';
import type { ContentPorts, FittedMedia, ForeignMedia } from '../mcp/catalog/content-parts.js';
import type { ToolRuntime } from '../runtime.js';

/** What every model that takes images takes. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const SOUNDS: ReadonlyMap<string, { readonly type: string; readonly extension: string }> = new Map([
  ['audio/wav', { type: 'audio/wav', extension: 'wav' }],
  ['audio/x-wav', { type: 'audio/wav', extension: 'wav' }],
  ['audio/wave', { type: 'audio/wav', extension: 'wav' }],
  ['audio/mpeg', { type: 'audio/mpeg', extension: 'mp3' }],
  ['audio/mp3', { type: 'audio/mpeg', extension: 'mp3' }],
]);

/** What content of servers needs: images as a model may be sent them, and the project's own temp folder for everything else. */
export function contentPorts(runtime: Pick<ToolRuntime, 'getTempDir' | 'getSecrets'>, readLink?: string): ContentPorts {
  const save = async (bytes: Buffer, extension: string): Promise<string> => {
    const file = join(runtime.getTempDir(), `content-${randomBytes(6).toString('hex')}.${extension}`);
    await writeFile(file, runtime.getSecrets()?.hideBytes(bytes) ?? bytes, { mode: 0o600, flag: 'wx' });
    return file;
  };
  return { fit: (media) => fit(media, save), save, ...(readLink !== undefined && { readLink }) };
}

async function fit(media: ForeignMedia, save: ContentPorts['save']): Promise<FittedMedia | undefined> {
  const { bytes, mimeType, name } = media;
  // What the server says of the type is not believed: a provider refuses a request whose image is another.
  const found = sniffMedia(bytes.subarray(0, 4096));
  if (found?.kind === 'image') {
    const image = await fitImage({ bytes, mimeType: found.mimeType, name });
    return IMAGES.has(image.mimeType) ? image : undefined;
  }
  if (found?.kind === 'pdf') return { bytes, mimeType: found.mimeType };
  const sound = SOUNDS.get(mimeType.toLowerCase());
  if (sound === undefined) return undefined;
  // Few models hear: for the others it is in a file.
  const path = await save(bytes, sound.extension);
  return { bytes, mimeType: sound.type, note: `The ${name} is also in ${path}.` };
}
