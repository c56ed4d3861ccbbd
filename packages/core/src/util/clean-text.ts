export interface CleanText {
  readonly text: string;
  /** What was taken out, each kind once: `U+202E`, and for text in invisible letters what it says. */
  readonly hidden: readonly string[];
}

/** A whole escape sequence of a terminal: what follows the escape character is no text either. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
/** Letters that nobody sees and models read. */
const TAGS = /[\u{e0000}-\u{e007f}]+/gu;
const CONTROLS = String.raw`(?![\n\t])[\p{Cc}\p{Cs}]`;
const INVISIBLE = String.raw`(?![\n\t])[\p{Cc}\p{Cs}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]`;
const PLAIN = /^[\n\t\x20-\x7e]*$/;
const MOST_KINDS = 8;
const MOST_SHOWN = 120;

/**
 * A text of somebody else as a model may read it: without control characters, escape sequences and letters that cannot be
 * seen. `strict` also takes out marks that ordinary text has (direction marks, joiners), where they are no part of an emoji:
 * for texts that tell what a tool does, which have no need of them.
 */
export function cleanText(dirty: string, { strict = false }: { readonly strict?: boolean } = {}): CleanText {
  if (PLAIN.test(dirty)) return { text: dirty, hidden: [] };
  const text = dirty.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n');
  if (PLAIN.test(text)) return { text, hidden: [] };
  const found = new Set<string>();
  const drop = (what: string): string => {
    if (found.size < MOST_KINDS) found.add(what);
    return '';
  };
  const visible = text.replaceAll(ESCAPES, () => drop('escape sequence'));
  // The list of whole emoji costs milliseconds to load.
  const mayBeEmoji = /\u200d|\ufe0f|[\u{e0020}-\u{e007f}]/u.test(visible);
  const hiding = `[\\u{e0000}-\\u{e007f}]+|${strict ? INVISIBLE : CONTROLS}`;
  const pattern = mayBeEmoji ? new RegExp(`(\\p{RGI_Emoji})|${hiding}`, 'gv') : new RegExp(hiding, 'gu');
  const cleaned = visible.replaceAll(pattern, (match, emoji?: string | number) =>
    typeof emoji === 'string' ? emoji : drop(nameOf(match)),
  );
  return { text: cleaned, hidden: [...found] };
}

function nameOf(match: string): string {
  const said = match.replaceAll(TAGS, (tags) =>
    Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
      .join('')
      .replaceAll(/[^\x20-\x7e]/g, ''),
  );
  if (said !== match && said !== '') return `invisible text ${JSON.stringify(said.slice(0, MOST_SHOWN))}`;
  return `U+${(match.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The longest beginning of at most so many UTF-8 bytes, never half a character; with a mark where something was cut. */
export function cutBytes(text: string, most: number, mark = '…'): string {
  // No UTF-16 unit is more than three bytes.
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return text;
  const room = most - Buffer.byteLength(mark);
  const head = text.slice(0, Math.max(0, room));
  if (Buffer.byteLength(head) === head.length) return head + mark;
  const bytes = Buffer.from(head);
  let end = Math.min(bytes.length, Math.max(0, room));
  // A byte of the form 10xxxxxx goes on with a character.
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return (
    bytes
      .subarray(0, end)
      .toString('utf8')
      .replace(/\ufffd$/, '') + mark
  );
}
