import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTempConfig } from '../testing/temp-config.js';
import { ReadFileTool } from './read-file.js';
import { ReadManyFilesTool } from './read-many-files.js';
import { toParts, type Part } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

const { signal } = new AbortController();

async function read(name: string): Promise<Part[]> {
  return toParts((await new ReadFileTool(config).execute({ absolute_path: workspace.path(name) }, signal)).llmContent);
}

describe('images', () => {
  it('come scaled down when they are large, with their true size beside them (S70)', async () => {
    const large = await sharp({ create: { width: 4000, height: 1000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await workspace.write({ 'a.png': large });
    const [image, note, ...more] = await read('a.png');
    expect(image).toMatchObject({ inlineData: { mimeType: 'image/jpeg' } });
    expect(note).toEqual({
      text: `[The image is 4000×1000 pixels, ${large.length} bytes; it is shown as 1568×392 pixels, image/jpeg.]`,
    });
    expect(more).toEqual([]);
    const many = await new ReadManyFilesTool(config).execute({ paths: ['a.png'] }, signal);
    const [title, scaled] = toParts(many.llmContent);
    expect(title).toMatchObject({ text: expect.stringMatching(/^--- a\.png ---\n\[The image is 4000×1000/) });
    expect(scaled).toEqual(image);
  });

  it('of every kind come with their type (S70)', async () => {
    const small = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    const bmp = Buffer.alloc(58);
    bmp.write('BM');
    bmp.writeUInt32LE(40, 14);
    bmp.writeInt32LE(1, 18);
    bmp.writeInt32LE(1, 22);
    const made: Record<string, Buffer> = {
      'image/png': await small.clone().png().toBuffer(),
      'image/jpeg': await small.clone().jpeg().toBuffer(),
      'image/gif': await small.clone().gif().toBuffer(),
      'image/webp': await small.clone().webp().toBuffer(),
      'image/bmp': bmp,
    };
    for (const [mimeType, bytes] of Object.entries(made)) {
      await workspace.write({ picture: bytes });
      expect(await read('picture')).toEqual([{ inlineData: { mimeType, data: bytes.toString('base64') } }]);
    }
  });

  it('that are damaged and cannot be shown are refused, for a provider would refuse all requests with them', async () => {
    const broken = Buffer.alloc(5 * 1024 * 1024);
    Buffer.from('89504e470d0a1a0a', 'hex').copy(broken);
    await workspace.write({ 'a.png': broken });
    const result = await new ReadFileTool(config).execute({ absolute_path: workspace.path('a.png') }, signal);
    expect(result.error).toMatchObject({
      type: 'read_content_failure',
      message: expect.stringContaining('is a damaged image'),
    });
  });
});
