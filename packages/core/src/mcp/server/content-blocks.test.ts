import { expect, it } from 'vitest';
import { contentBlocks } from './content-blocks.js';

it('has a block for every part, whatever its type', () => {
  const media = (mimeType: string) => ({ inlineData: { data: 'AAAA', mimeType } });
  expect(contentBlocks([{ text: 'a' }, media('image/png'), media('audio/wav'), media('application/pdf')])).toEqual([
    { type: 'text', text: 'a' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'tenon:/result/part-4', mimeType: 'application/pdf', blob: 'AAAA' } },
  ]);
});
