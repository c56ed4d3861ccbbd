import type { MediaBlock } from './model.js';

/** What a model reads in place of media that its provider cannot carry. */
export function mediaAsText(block: MediaBlock): string {
  const bytes = Math.floor((block.data.length * 3) / 4);
  const advice = block.mimeType === 'application/pdf' ? '. Read the file again with pages: "1-" to get its text' : '';
  return `[${block.mimeType}, about ${bytes} bytes: this model cannot be shown it${advice}]`;
}
