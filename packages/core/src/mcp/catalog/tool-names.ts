import { createHash } from 'node:crypto';

/** What models, rules and providers take in a name: `[A-Za-z0-9_-]`, at most this many. */
const LONGEST_NAME = 64;
const LONGEST_ALIAS = 30;
const HASH_DIGITS = 12;
const BETWEEN = '__';

/** The end of a part that was changed; what looks like one is changed too, so that no two names meet. */
const HASHED = /_[0-9a-f]{12}$/;
const PLAIN = /^[A-Za-z0-9_-]+$/;

/**
 * The name under which models and rules know a tool of a server (S134): `serverAlias__toolName`, at most 64 characters of
 * `[A-Za-z0-9_-]`. What does not fit keeps its readable part and gets a hash of the whole: the same in every session, in
 * whatever order servers and tools come, and never that of another pair.
 */
export function mcpToolName(alias: string, tool: string): string {
  const front = `${mcpServerPart(alias)}${BETWEEN}`;
  return front + encoded(tool, LONGEST_NAME - front.length, PLAIN.test(tool));
}

/**
 * What stands for the server before `__` in the names of its tools. It has no `__` itself and does not end with `_`, so
 * that the first `__` of a name ends it; nor is it `mcp`, with which `mcp__alias__tool` begins.
 */
export function mcpServerPart(alias: string): string {
  const isPlain = PLAIN.test(alias) && !alias.includes(BETWEEN) && !/^_|_$/.test(alias) && alias !== 'mcp';
  return encoded(alias, LONGEST_ALIAS, isPlain);
}

function encoded(text: string, room: number, isPlain: boolean): string {
  if (isPlain && text.length <= room && !HASHED.test(text)) return text;
  const hash = createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, HASH_DIGITS);
  const readable = readablePart(text)
    .slice(0, room - HASH_DIGITS - 1)
    .replace(/_+$/, '');
  return readable === '' ? `x_${hash}` : `${readable}_${hash}`;
}

/** Letters without their accents; everything else that no name may have becomes one `_`. */
function readablePart(text: string): string {
  return text
    .slice(0, 4 * LONGEST_NAME)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^_+/, '');
}
