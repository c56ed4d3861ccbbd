import { describe, expect, it } from 'vitest';
import { mediaAsText } from './media-text.js';

describe('mediaAsText', () => {
  it('says what cannot be shown, and how a PDF can be read all the same', () => {
    expect(mediaAsText({ type: 'media', mimeType: 'audio/wav', data: 'AAAA' })).toBe(
      '[audio/wav, about 3 bytes: this model cannot be shown it]',
    );
    expect(mediaAsText({ type: 'media', mimeType: 'application/pdf', data: 'AAAA' })).toContain('with pages: "1-"');
  });
});
