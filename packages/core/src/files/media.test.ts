import { describe, expect, it } from 'vitest';
import { describeBinary, sniffMedia } from './media.js';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

describe('sniffMedia', () => {
  it.each([
    ['image/png', text('\x89PNG\r\n\x1a\n\0\0')],
    ['image/jpeg', text('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['image/gif', text('GIF89a\x01\0')],
    ['image/webp', text('RIFF\x10\0\0\0WEBPVP8 ')],
    ['image/bmp', Buffer.concat([text('BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'), Buffer.alloc(40)])],
    ['application/pdf', text('%PDF-1.7\n')],
    ['image/svg+xml', text('<?xml version="1.0"?>\n<!-- a <b> --><!DOCTYPE svg PUBLIC "x" "y">\n<svg xmlns="z">')],
    ['image/svg+xml', text('<svg width="1"/>')],
  ])('knows %s by its bytes (S70, S71)', (mimeType, head) => {
    expect(sniffMedia(head)?.mimeType).toBe(mimeType);
  });

  it('does not take text for a picture', () => {
    for (const value of [
      'BM is a short name of a company\n',
      'text about <svg>',
      '<html><svg></svg></html>',
      'GIF',
      '',
    ]) {
      expect(sniffMedia(text(value))).toBeUndefined();
    }
  });
});

describe('describeBinary', () => {
  it('names what it knows (S72)', () => {
    expect(describeBinary(text('\x1f\x8b\x08'))).toBe('gzip data');
    expect(describeBinary(text('\x7fELF\x02'))).toBe('an ELF program or library');
    expect(describeBinary(text('\x01\x02\x03'))).toBe('a binary file');
    expect(describeBinary(Buffer.alloc(400, 0x47))).toBe('an MPEG transport stream (video)');
    expect(describeBinary(text('a log\n\0\0 cut off\n'))).toBe('text with NUL bytes in it (the first at byte 6)');
  });
});
