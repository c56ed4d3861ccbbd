import { cleanText, cutBytes } from '../../util/clean-text.js';

/** Words of a server as one line of a message: only what can be seen, at most `limit` bytes. */
export function plainLine(text: string, limit = 300): string {
  return cutBytes(cleanText(text, { strict: true }).text.replaceAll(/\s+/g, ' ').trim(), limit);
}

/** Undefined for a text that is no address. */
export function toUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
