import type { MediaBlock } from './model.js';

/** What a model reads in place of media that its provider cannot carry. */
export function mediaAsText(block: MediaBlock): string {
  const bytes = Math.floor((block.data.length * 3) / 4);
  return `[${block.mimeType}, about ${bytes} bytes: this model cannot be shown it]`;
}
