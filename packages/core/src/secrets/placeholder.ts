import { createHmac } from 'node:crypto';
import type { FoundSecret } from './known-secret.js';

/**
 * What stands for a secret: one plain word in a shell, in JSON, in an environment file and in a pattern alike, so that it means
 * itself wherever a model puts it. It holds nothing of the value; what follows the dot is a keyed hash.
 */
const PLACEHOLDER = /__secret:([A-Za-z0-9](?:_?[A-Za-z0-9.-])*)__/g;
const BEGIN = '__secret:';

/** A name as placeholders have it: no two `_` side by side, since that is how they end. */
export function placeholderName(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 80)
    .replace(/[^A-Za-z0-9]+$/, '');
  return plain === '' ? 'unnamed' : plain;
}

/** The names that a text holds placeholders of, each once; those of hashed forms with their hash. */
export function placeholdersIn(text: string): readonly string[] {
  if (!text.includes(BEGIN)) return [];
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([whole]) => whole))];
}

/** The name of the secret that a placeholder is about, without the hash of a form. */
export function nameOfPlaceholder(placeholder: string): string {
  return placeholder.slice(BEGIN.length, -2).replace(/\.[0-9a-f]{8}$/, '');
}

/** Puts something in the place of each placeholder; undefined leaves it. */
export function replacePlaceholders(text: string, put: (placeholder: string) => string | undefined): string {
  if (!text.includes(BEGIN)) return text;
  return text.replaceAll(PLACEHOLDER, (whole: string) => put(whole) ?? whole);
}

/**
 * The placeholder of what was found: the bare name for the value itself, and with a hash of the very text for every other form
 * of it, so that each is put back as it was.
 */
export function placeholderOf({ name, value }: Pick<FoundSecret, 'name' | 'value'>, text: string, key: Buffer): string {
  if (text === value) return `${BEGIN}${name}__`;
  const hash = createHmac('sha256', key).update(`${name}\0${text}`).digest('hex').slice(0, 8);
  return `${BEGIN}${name}.${hash}__`;
}
