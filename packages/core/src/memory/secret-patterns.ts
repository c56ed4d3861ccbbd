/** Keys that are known by how they begin or where they stand. */
export interface SecretPattern {
  /** Names what is found, in lower case with hyphens. */
  readonly id: string;
  /** For people, with an article. */
  readonly what: string;
  /** Matches the secret alone: what stands around it is looked at and not matched. Global. */
  readonly pattern: RegExp;
  /** One of these texts, at least three ASCII characters, stands in every match or at most 64 characters before it. */
  readonly marks: readonly string[];
  /** How many characters without blanks stand at least behind a mark. */
  readonly least: number;
  /**
   * `word`: a match has fifteen letters, digits, `_` and `-` in a row, as real ones have. `mark`: it need not, and its marks are
   * rare. `address`: it ends before an `@`.
   */
  readonly by: 'word' | 'mark' | 'address';
}

const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g;

export const PRIVATE_KEY_PATTERN: SecretPattern = {
  id: 'private-key',
  what: 'a private key',
  pattern: PRIVATE_KEY,
  marks: ['PRIVATE KEY'],
  least: 0,
  by: 'mark',
};

/** Matches the first line of a private key without its header, by its encoded version number (RSA, DSA, PKCS #8, EC, OpenSSH). */
export const BARE_KEY_PATTERN: SecretPattern = {
  id: 'private-key',
  what: 'a private key',
  pattern:
    /(?<![A-Za-z0-9/])(?:MII[A-Z][A-Za-z0-9+/][AQgw]IBA(?:AK[BC]|AJB|DAN)|MHcCAQEEI|M(?:IGk|IHc)AgEBB[DE]|MI(?:G|H)[A-Za-z0-9+/]AgEAM[A-Z]|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXktdjE)(?=[A-Za-z0-9+/=]{16})/g,
  marks: ['IBAAK', 'IBAAJB', 'IBADAN', 'MHcCAQEEI', 'AgEBB', 'AgEAM', 'MC4CAQAwBQYDK2V', 'b3BlbnNzaC1rZXktdjE'],
  least: 16,
  // A plus or a slash of base64 may end the word at once.
  by: 'mark',
};

/** The gap between two words of a `.netrc`: blanks, or a line break and the prefix that a tool shows before a line. */
const NETRC_GAP = String.raw`(?:[ \t]{1,8}|\s{1,8}(?:\d{1,7}[→:\t|-])?[ \t]{0,8})`;
const YAML_KEY = '[\\w.-]{0,40}(?:[Pp]ass(?:word|wd)|PASS(?:WORD|WD))';

/** What stands for itself: a match is a secret wherever it stands. */
export const KEY_PATTERNS: readonly SecretPattern[] = [
  row('aws-key', 'an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, ['AKIA', 'ASIA'], 16),
  row(
    'github-token',
    'a GitHub token',
    /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g,
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    20,
  ),
  row(
    'gitlab-token',
    'a GitLab token',
    /\bgl(?:pat|ptt|dt|rt|soat)-[\w-]{16,}/g,
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glsoat-'],
    16,
  ),
  row(
    'slack-token',
    'a Slack token',
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    10,
  ),
  row(
    'slack-webhook',
    'the address of a Slack webhook',
    /(?<=\bhooks\.slack\.com\/(?:services|workflows)\/)[\w/]+/gi,
    ['slack.com/', 'SLACK.COM/'],
    8,
  ),
  row(
    'discord-webhook',
    'the address of a Discord webhook',
    /(?<=\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,32}\/)[\w-]+/gi,
    ['/api/webhooks/', '/API/WEBHOOKS/'],
    8,
  ),
  row('api-key', 'an API key', /\bsk-[A-Za-z0-9_-]{16,}/g, ['sk-'], 16),
  row(
    'stripe-key',
    'a Stripe key',
    /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g,
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    10,
  ),
  row('google-key', 'a Google API key', /\bAIza[\w-]{30,}/g, ['AIza'], 30),
  row('google-token', 'a Google access token', /\bya29\.[\w-]{20,}/g, ['ya29.'], 20),
  row('npm-token', 'an npm token', /\bnpm_[A-Za-z0-9]{30,}/g, ['npm_'], 30),
  row('pypi-token', 'a PyPI token', /\bpypi-[\w-]{30,}/g, ['pypi-'], 30),
  row('hugging-face-token', 'a Hugging Face token', /\bhf_[A-Za-z0-9]{20,}/g, ['hf_'], 20),
  row('sendgrid-key', 'a SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/g, ['SG.'], 33),
  row(
    'digitalocean-token',
    'a DigitalOcean token',
    /\bdo[opr]_v1_[a-f0-9]{32,}/g,
    ['doo_v1_', 'dop_v1_', 'dor_v1_'],
    32,
  ),
  row('vault-token', 'a Vault token', /\bhv[sbr]\.[\w-]{20,}/g, ['hvs.', 'hvb.', 'hvr.'], 20),
  row('telegram-token', 'a Telegram bot token', /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g, [':AA'], 33),
  row('signed-token', 'a signed token (JWT)', /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g, ['eyJ'], 20),
  row(
    'aws-secret-key',
    'an AWS secret key',
    /(?<=secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
    ['secret_access_key', 'SECRET_ACCESS_KEY', 'SecretAccessKey', 'secretAccessKey'],
    0,
  ),
  row(
    'docker-auth',
    'a login of a container registry',
    /(?<="auth"\s{0,4}:\s{0,4}")[A-Za-z0-9+/]{8,4096}={0,2}(?=")/g,
    ['"auth"'],
    0,
  ),
  row(
    'npm-auth',
    'a login of a package registry',
    /(?<=:_(?:authToken|auth|password)\s?=\s?"?)[\w+/=.~-]{8,4096}/g,
    [':_auth', ':_password'],
    0,
  ),
  row(
    'netrc-password',
    'a password of a .netrc file',
    new RegExp(
      String.raw`(?<=(?:machine${NETRC_GAP}[^\s"']{1,200}|default)${NETRC_GAP}login${NETRC_GAP}[^\s"']{1,200}${NETRC_GAP}password${NETRC_GAP})[^\s"']{4,256}`,
      'g',
    ),
    ['assw'],
    3,
    'mark',
  ),
  row(
    'yaml-password',
    'a password in a YAML file',
    new RegExp(
      String.raw`(?<=(?:(?:^|[\s→:|+-])${YAML_KEY}:[ \t]{1,8}|-[ \t]["']?[A-Z0-9_]{0,40}PASS(?:WORD|WD)=)["']?)(?![*&!|>$%@{<])(?=\S{0,128}[\d!@#$%^&*+=~?])[^\s"'${'`'},;(){}[\]<>]{8,128}(?=["']?[ \t]*(?:\r?$|[ \t]#|\\n))`,
      'gm',
    ),
    ['assw', 'ASSW'],
    3,
    'mark',
  ),
  row('azure-key', 'an Azure storage key', /(?<=\bAccountKey=)[A-Za-z0-9+/=]{20,}/gi, ['AccountKey='], 20, 'mark'),
  row(
    'url-password',
    'an address with a password in it',
    /(?<=:\/\/[^\s:/@"'`<>]{0,64}:)(?![*<${])[^\s:/@"'`<>]{4,256}(?=@[^\s/@])/g,
    ['://'],
    7,
    'address',
  ),
  row(
    'authorization',
    'an authorisation header',
    /(?<=\b(?:bearer|basic)\s{1,4})(?=[^\s]{0,256}\d)[A-Za-z0-9._~+/-]{16,}=*/gi,
    ['Bearer ', 'bearer ', 'Basic ', 'basic '],
    16,
    'mark',
  ),
];

function row(
  id: string,
  what: string,
  pattern: RegExp,
  ...[marks, least, by = 'word']: [marks: readonly string[], least: number, by?: SecretPattern['by']]
): SecretPattern {
  return { id, what, pattern, marks, least, by };
}

const SECRET_VARIABLE =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|(?:^|_)AUTH(?:_|$)|(?:^|_)(?:API)?_?KEYS?(?:_|$)|^AWS_/i;

/** Whether the name of a variable says that its value is a secret. */
export function namesSecret(name: string): boolean {
  return SECRET_VARIABLE.test(name);
}

const SHORTEST_TOKEN = 20;
/** Bits per character; words and paths stay below, random letters and digits of that length above. */
const RANDOM_BITS = 3.5;
const RANDOM_HEX_BITS = 3;

/** Letters and digits that no word is made of: they take turns, and hardly any comes more often than another. */
export function isRandom(token: string): boolean {
  if (token.length < SHORTEST_TOKEN) return false;
  const plain = token.replaceAll(/[_=]/g, '');
  if (/^\d+$/.test(plain)) return false;
  if (/^[0-9a-f]{32,}$/i.test(plain)) return bitsPerCharacter(plain) > RANDOM_HEX_BITS;
  const turns = plain.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return turns >= 4 && turns * 8 >= plain.length && bitsPerCharacter(plain) > RANDOM_BITS;
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
