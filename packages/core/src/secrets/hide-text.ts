import type { FoundSecret } from './known-secret.js';
import { placeholderOf } from './placeholder.js';
import type { SecretFinder } from './secret-finder.js';

/** Told of each placeholder and of the very text it stands for. */
export type NoteHidden = (placeholder: string, text: string, found: FoundSecret) => void;

/** The text with placeholders where secrets were; the very same where there were none. */
export function hideText(text: string, finder: SecretFinder, key: Buffer, note?: NoteHidden): string {
  return putPlaceholders(text, finder.find(text), key, note);
}

export function putPlaceholders(
  text: string,
  found: readonly FoundSecret[],
  key: Buffer,
  note: NoteHidden = () => undefined,
): string {
  if (found.length === 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const one of found) {
    const secret = text.slice(one.start, one.end);
    const placeholder = placeholderOf(one, secret, key);
    note(placeholder, secret, one);
    pieces.push(text.slice(end, one.start), placeholder);
    end = one.end;
  }
  return [...pieces, text.slice(end)].join('');
}
