/** Keys by how they begin or where they stand; what each is, for people. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/],
  ['a GitLab token', /\bgl(?:pat|ptt|dt|rt|soat)-[\w-]{16,}/],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ['the address of a Slack webhook', /\bhooks\.slack\.com\/(?:services|workflows)\/\w+/i],
  ['the address of a Discord webhook', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]+/i],
  ['an API key', /\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{16,}/],
  ['a Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/],
  ['a Google API key', /\bAIza[\w-]{30,}/],
  ['a Google access token', /\bya29\.[\w-]{20,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{30,}/],
  ['a PyPI token', /\bpypi-[\w-]{30,}/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{20,}/],
  ['a SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/],
  ['a DigitalOcean token', /\bdo[opr]_v1_[a-f0-9]{32,}/],
  ['a Vault token', /\bhv[sbr]\.[\w-]{20,}/],
  ['a Telegram bot token', /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/],
  ['a signed token (JWT)', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/],
  ['an Azure storage key', /\bAccountKey=[A-Za-z0-9+/=]{20,}/i],
  ['an address with a password in it', /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:(?![*<${])[^\s:/@]+@[^\s/@]+/i],
  ['an authorisation header', /\b(?:bearer|basic)\s+(?=[^\s]*\d)[A-Za-z0-9._~+/-]{16,}=*/i],
];

/** `password = hunter2`, `api key is 1234…`: the name of something secret, a sign, and a value. */
const NAMED =
  /(?<name>\b(?:pass(?:word|wd|phrase|code)?|pwd|secret|(?:api|access|auth|private|secret|signing|encryption|client)[\s_-]*(?:key|token|secret)|credentials?|token))\b["']?\s*(?:=>?|:=?|\bis\b|\bare\b)\s*(?<quote>["'`]?)(?<value>[^\s"'`]{4,})/giu;
/** Words in the place of a value: where it comes from, not what it is. */
const PLACEHOLDER =
  /^(?:[<[{$%*]|(?:x{3,}|\.{3,}|your|example|changeme|placeholder|redacted|none|null|undefined|required|optional|stored|kept|read|taken|never|not|set|in|from|the|an?|only|always|empty|missing|rotated|generated|loaded|passed|called|named|valid|invalid|expired|sent|used|needed|available|defined|provided|checked|validated|encrypted|hashed)\b)/i;
const ENVIRONMENT_NAME = /^\$?\{?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\}?[.,;]?$/;

const SECRET_VARIABLE =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|(?:^|_)AUTH(?:_|$)|(?:^|_)(?:API)?_?KEYS?(?:_|$)|^AWS_/i;
/** Shorter values are words that stand anywhere. */
const SHORTEST_VALUE = 6;
const SHORTEST_TOKEN = 20;
/** Bits per character; words and paths stay below, random letters and digits of that length above. */
const RANDOM_BITS = 3.5;
const RANDOM_HEX_BITS = 3;

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
    ([name, value = '']) =>
      SECRET_VARIABLE.test(name) && value.trim().length >= SHORTEST_VALUE && text.includes(value.trim()),
  );
  if (variable !== undefined) return `the value of the environment variable ${variable[0]}`;
  const known = PATTERNS.find(([, pattern]) => pattern.test(text));
  if (known !== undefined) return known[0];
  for (const { groups } of text.matchAll(NAMED)) {
    const { name = '', quote = '', value = '' } = groups ?? {};
    if (isValue(value, quote !== '')) return `what stands behind "${name.toLowerCase()}"`;
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

/** Letters and digits that no word is made of: they take turns, and hardly any comes more often than another. */
function isRandom(token: string): boolean {
  if (token.length < SHORTEST_TOKEN) return false;
  const plain = token.replaceAll(/[_=]/g, '');
  if (/^\d+$/.test(plain)) return false;
  if (/^[0-9a-f]{32,}$/i.test(plain)) return bitsPerCharacter(plain) > RANDOM_HEX_BITS;
  const turns = plain.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return turns >= 4 && turns * 8 >= plain.length && bitsPerCharacter(plain) > RANDOM_BITS;
}

/** Hashes of commits and files are no secrets where they are called so. */
function isNamedHash(before: string, token: string): boolean {
  return (
    /^[0-9a-f]+$/i.test(token) &&
    /\b(?:commit|revision|rev|sha-?\d*|hash|digest|checksum|md5)\b[^.]{0,24}$/i.test(before)
  );
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
