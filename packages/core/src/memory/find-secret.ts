import { isRandom, KEY_PATTERNS, namesSecret, PRIVATE_KEY_PATTERN } from './secret-patterns.js';

const PATTERNS = [PRIVATE_KEY_PATTERN, ...KEY_PATTERNS];

/** What people call something secret, in the languages that most of them write. */
const NAMES = [
  String.raw`(?<![\p{L}\p{N}_])(?:pass(?:word|wd|phrase|code)?|pwd|secret|(?:api|access|auth|private|secret|signing|encryption|client)[\s_-]*(?:key|token|secret)|credentials?|token|passwort|kennwort|mot de passe|contrase\u00f1a|\u043f\u0430\u0440\u043e\u043b\u044c)(?![\p{L}\p{N}_])`,
  '\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9',
].join('|');
/** `for the test database`: what it opens. */
const OPENED = String.raw`(?:\s+(?:for|of|to|on|at|f\u00fcr|von|de|pour|para)(?:\s+[\p{L}\p{N}_.-]{1,40}){1,5}?)?`;
const SIGN = String.raw`\s*(?:=>?|[:\uff1a]=?|\u662f|\u70ba|\u4e3a|\u306f)\s*|\s+(?:is|are|ist|lautet|est|es)\s+`;
/** `password = hunter2`, `the api key of the shop is 1234…`: the name of something secret, a sign, and a value. */
const NAMED = new RegExp(
  String.raw`(?<name>${NAMES})["']?${OPENED}(?<sign>${SIGN})(?<quote>["'\x60]?)(?<value>[^\s"'\x60]{4,})(?<after>.?)`,
  'giu',
);
/** Words in the place of a value: where it comes from, not what it is. */
const PLACEHOLDER =
  /^(?:[<[{$%*]|(?:x{3,}|\.{3,}|your|example|changeme|placeholder|redacted|none|null|undefined|required|optional|stored|kept|read|taken|never|not|set|in|from|the|an?|only|always|empty|missing|rotated|generated|loaded|passed|called|named|valid|invalid|expired|sent|used|needed|available|defined|provided|checked|validated|encrypted|hashed)\b)/i;
const ENVIRONMENT_NAME = /^\$?\{?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\}?[.,;]?$/;

/** Shorter values are words that stand anywhere. */
const SHORTEST_VALUE = 6;

/**
 * What of a text looks like a secret, as words for people that do not repeat it (`a GitHub token`); undefined for nothing. A
 * text is taken for one rather than not: what is remembered is sent to a model with every request. Pure.
 * @param environment variables whose values are secrets where their names say so
 */
export function findSecret(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): string | undefined {
  const variable = Object.entries(environment).find(
    ([name, value = '']) => namesSecret(name) && value.trim().length >= SHORTEST_VALUE && text.includes(value.trim()),
  );
  if (variable !== undefined) return `the value of the environment variable ${variable[0]}`;
  const known = PATTERNS.find(({ pattern }) => text.search(pattern) !== -1);
  if (known !== undefined) return known.what;
  for (const { groups } of text.matchAll(NAMED)) {
    const { name = '', quote = '', value = '', sign = '', after = '' } = groups ?? {};
    // `password: swordfish` and no more is no sentence about passwords.
    const isAlone = /[=:\uff1a]/.test(sign) && (after === '' || /[.,;]$/.test(value));
    if (isValue(value, quote !== '' || isAlone)) return `what stands behind "${name.toLowerCase()}"`;
  }
  const random = [...text.matchAll(/[A-Za-z0-9+_]{20,}={0,2}/g)].find(
    (match) => isRandom(match[0]) && !isNamedHash(text.slice(0, match.index), match[0]),
  );
  return random === undefined ? undefined : `a long random text (${random[0].length} characters)`;
}

/** A word of the language is none, unless it stands in quotes. */
function isValue(value: string, isQuoted: boolean): boolean {
  if (PLACEHOLDER.test(value) || ENVIRONMENT_NAME.test(value)) return false;
  return isQuoted || /[\d\p{P}\p{S}]/u.test(value.replace(/[.,;:!?)\]]+$/, ''));
}

/** Hashes of commits and files are no secrets where they are called so. */
function isNamedHash(before: string, token: string): boolean {
  return (
    /^[0-9a-f]+$/i.test(token) &&
    /\b(?:commit|revision|rev|sha-?\d*|hash|digest|checksum|md5)\b[^.]{0,24}$/i.test(before)
  );
}
