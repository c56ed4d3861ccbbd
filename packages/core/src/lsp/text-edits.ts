import type { TextEdit } from 'vscode-languageserver-protocol';
import { Failure } from '../util/failure.js';
import { LinedText } from './places.js';

/** The text with all edits made, each by its place in the text as it was. @throws Failure `lsp_bad_edit` where two overlap */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const lined = new LinedText(text);
  const spans = edits.map(({ range, newText }, index) => {
    const [start, end] = [lined.offsetAt(range.start), lined.offsetAt(range.end)];
    if (start > end) throw new Failure('lsp_bad_edit', 'The server gave an edit that ends before it begins.');
    return { start, end, newText, index };
  });
  // What is put in at one place keeps its order, and stands before what is replaced there.
  spans.sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of spans) {
    if (start < at) throw new Failure('lsp_bad_edit', 'The server gave edits that overlap. Nothing was changed.');
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
