// Valid inside JSON text, but not harmless: C1 controls drive terminals, the others reorder, hide or break lines.
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** One value as one line of JSON, with everything that a terminal could act on escaped. Parsing it gives the same value. */
export function jsonLine(value: unknown): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

/** The same over several lines, for people. */
export function jsonText(value: unknown): string {
  return `${escapeUnsafe(JSON.stringify(value, undefined, 2))}\n`;
}

function escapeUnsafe(json: string): string {
  return json.replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
