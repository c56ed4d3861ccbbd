import type { SourceFile } from '../source-files.js';
import { partsOf, type Finding, type Page, type Piece } from './pages.js';

/** Shorter pieces would be found anywhere. */
const LEAST_TELLING = 12;

/** Messages that a page quotes, each in a block quote of its own; `…` stands for what differs. */
function quotedMessages(page: Page): Piece[] {
  return partsOf(page).prose.flatMap(({ line, text }) => {
    const message = /^\s*> (.*\S)/.exec(text)?.[1];
    return message === undefined ? [] : [{ line, text: message.replaceAll(/^`+|`+$/g, '').trim() }];
  });
}

/** Quoted messages that no source has any more: each piece between two `…` has to stand in one file. */
export function unknownMessages(page: Page, sources: readonly SourceFile[]): Finding[] {
  const texts = sources.map(({ text }) => wordsOf(text));
  return quotedMessages(page).flatMap(({ line, text }) => {
    const pieces = text.split('…').map((piece) => piece.trim());
    const telling = pieces.filter((piece) => piece.length >= LEAST_TELLING);
    const missing = pieces.find((piece) => !texts.some((source) => source.includes(piece)));
    if (telling.length === 0) return [{ path: page.path, line, text: `"${text}" says too little to be looked for` }];
    return missing === undefined ? [] : [{ path: page.path, line, text: `nothing says "${missing}"` }];
  });
}

/** A source without its comments, and its texts as they are read. */
function wordsOf(source: string): string {
  return source
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    .replaceAll(/\\(['"`\\])/g, '$1')
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\n', '\n');
}
