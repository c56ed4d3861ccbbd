import { isRandom, namesSecret } from '../memory/secret-patterns.js';

/** Shorter values stand in texts by chance. */
export const SHORTEST_VALUE = 8;

/** Names that look like those of secrets and are none. */
const OPEN_NAME =
  /(?:^|_)PUBLI(?:C|SHABLE)(?:_|$)|(?:^|_)(?:PWD|OLDPWD)$|(?:FILE|PATH|DIR|FOLDER|SOCK|SOCKET|HOST|PORT|USER|USERNAME|EMAIL|TYPE|NAME|MODE|ALGORITHM|TTL|TIMEOUT|EXPIRY|EXPIRES|EXPIRES_IN|REGION|PROFILE|ENABLED|DISABLED|PROVIDER|METHOD|SCOPES?|PREFIX|LENGTH|LIMIT|BUDGET)$|TOKENIZER|^XAUTH|^KEYMAP|^KEYBOARD/i;
/** The same, of whole words: of a name's last one, and of what a key is for; what AWS has of settings. */
const OPEN_WORD =
  /(?:^|_)(?:HEADERS?|BACKEND|DOMAIN|ISSUER|AUDIENCE|SERVER|SUBJECT|TEMPLATE|VERSION|SAMESITE|EXPIRATION|AGE|REALM|REGISTRY|NETWORK|SUBNETS?|STORE)$|(?:^|_)(?:PRIMARY|FOREIGN|SORT|PARTITION|CACHE|FEATURE)_KEYS?$|^AWS_(?!.*(?:KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH))/i;
const MORE_NAMES = /(?:^|_)(?:PASS|PW|DSN|SALT|PAT|BEARER|PIN|OTP|WEBHOOK)(?:_|$)|APIKEY|PRIVATE/i;

/** Whether a variable is called as secrets are. */
export function isSecretName(name: string): boolean {
  return (namesSecret(name) || MORE_NAMES.test(name)) && !OPEN_NAME.test(name) && !OPEN_WORD.test(name);
}

/** Words that stand in the place of a value, alone or with digits and signs around them. */
const PLAIN_WORD =
  /^\W*(?:x+|\*+|\.+|true|false|yes|no|on|off|none|null|nil|undefined|default|enabled?|disabled?|required|optional|auto|always|never|empty|missing|todo|tbd|example|sample|placeholder|redacted|hidden|masked|secret|secrets?[_-]?key|password|passwd|passphrase|passw?0?rd|token|api[_-]?key|key|change[_-]?me[\w-]*|change[_-]?it|changeit|please[_-]?change|replace[_-]?me|insert[_-]?here|your[\w -]*|my[_-]?(?:secret|password|token|key)(?:[_-]\w+)?|insecure|not[_-]?(?:a|so|very)?[_-]?secret|dummy|fake|mock|test(?:ing)?(?:[_-]?(?:secret|password|token|key|api[_-]?key))?|dev(?:elopment)?(?:[_-]?(?:secret|password|token|key))?|local(?:host)?|staging|production|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|rabbitmq|guest|root|toor|admin(?:istrator)?|user(?:name)?|foobar|foo|bar|hello|letmein|qwerty|abc|asdf|swordfish|hunter|welcome)[\d\W_]*$/i;
const REFERENCE =
  /^(?:\$\{?[\w.]+\}?|\$\(.*\)|%[\w()]+%?s?|\{\{.*\}\}|<.*>|\[.*\]|@\w.*|ref[+:].*|op:\/\/.*|vault:.*|arn:.*|(?:process\.)?env[.:].*)$/s;
const ENVIRONMENT_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const PATH = /^(?:~?\.{0,2}\/|[A-Za-z]:[\\/]|\\\\)/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Those of JDBC as well. */
const ANY_ADDRESS = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9+.-]+:)?\/\//i;

/** Whether a value under such a name is one that has to be hidden: words, paths, numbers and the like are none. */
export function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST_VALUE || value.length > 64 * 1024) return false;
  if (PLAIN_WORD.test(value) || REFERENCE.test(value) || ENVIRONMENT_NAME.test(value)) return false;
  if (PATH.test(value) && !isRandom(value.replaceAll(/[^A-Za-z0-9]/g, ''))) return false;
  if (ADDRESS.test(value)) return false;
  if (/^(?<one>.)\k<one>*$/s.test(value) || isCounting(value)) return false;
  if (/^[\d\s.,:+-]+$/.test(value)) return /^\d{16,}$/.test(value);
  // One word of the language, a list of words, or a sentence: too likely to stand somewhere else.
  if (/^[a-z]+$|^[A-Z]+$|^[A-Z][a-z]+$/.test(value)) return value.length >= 20;
  if (/^[A-Za-z]+(?:[ _.:/-][A-Za-z]+)*$/.test(value) && !isMixed(value)) return value.length >= 20 && !/ /.test(value);
  return true;
}

/** Returns true if the text after `password:` is a password, not a word or the name of a variable or field. */
export function isWrittenPassword(value: string): boolean {
  if (!isSecretValue(value) || /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  return !/^[A-Za-z_$][\w$]*$/.test(value) || /\d\D|\d{2}$/.test(value);
}

/** `12345678`, `abcdefgh` and the like. */
function isCounting(value: string): boolean {
  return '01234567890123456789'.includes(value) || 'abcdefghijklmnopqrstuvwxyz'.includes(value.toLowerCase());
}

/** Upper and lower case take turns within words. */
function isMixed(value: string): boolean {
  return /[a-z][A-Z]+[a-z]+[A-Z]|[A-Z]{2,}[a-z]+[A-Z]/.test(value);
}

/** No word is made like this: its letters and digits change their kind often. Then a part of it tells what it is from as well. */
export function looksMade(value: string): boolean {
  const plain = value.replaceAll(/[^A-Za-z0-9]/g, '');
  if (plain.length < SHORTEST_VALUE) return false;
  let changes = 0;
  for (let index = 1; index < plain.length; index += 1)
    if (kindOf(plain.charCodeAt(index)) !== kindOf(plain.charCodeAt(index - 1))) changes += 1;
  return changes * 5 >= plain.length;
}

function kindOf(code: number): number {
  if (code <= 0x39) return 0;
  return code <= 0x5a ? 1 : 2;
}

/** Of a part: so much of it that it does not stand there by chance. */
export function tells(part: string): boolean {
  if (part.length < SHORTEST_VALUE) return false;
  const plain = part.replaceAll(/[^A-Za-z0-9]/g, '');
  if (/^\d*$/.test(plain)) return plain.length >= 16;
  if (/^[\da-fA-F]+$/.test(plain)) return plain.length >= 12;
  return /\d|[a-z][A-Z]/.test(plain) || looksMade(part);
}

/** What of a value is the secret: the password of an address, the texts of a JSON object, or all of it. */
export function secretPartsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const parts = jsonParts(trimmed);
    if (parts !== undefined) return parts.filter(isSecretValue);
  }
  if (ANY_ADDRESS.test(trimmed)) return passwordsIn(trimmed);
  const password = passwordOf(trimmed);
  if (password !== undefined) return password.filter(isSecretValue);
  if (trimmed.includes('\n'))
    return [...new Set(trimmed.split(/\r?\n/).map((line) => line.trim()))].filter(isSecretLine);
  return isSecretValue(trimmed) ? [trimmed] : [];
}

/** A line of a key; its armour is no secret. */
function isSecretLine(line: string): boolean {
  return !line.startsWith('-----') && !/^[A-Za-z-]+: /.test(line) && isSecretValue(line);
}

/** In a query, a list of headers, or words as databases take them. */
const SECRET_PAIR =
  /(?:^|[;,?&\s])(?:[\w.-]{0,40}(?:password|passwd|access[_-]?token|api[_-]?key|client[_-]?secret|authorization)|pwd|sig|token|secret)\s*=\s*(?:bearer(?:%20|\s+))?([^;,?&#\s]+)/i;

/** What is a secret in a value whose name does not say that it is one. */
export function passwordsIn(value: string): readonly string[] {
  const pair = SECRET_PAIR.exec(value)?.[1];
  const inPair = pair === undefined ? [] : [pair, decoded(pair)];
  return [...new Set([...(passwordOf(value) ?? []), ...inPair])].filter(isSecretValue);
}

/** As it is written, and decoded. Undefined for what is no address and no list of `key=value`. */
function passwordOf(value: string): string[] | undefined {
  const [, inAddress] = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@]*?:([^\s/]*)@[^\s/@]+/i.exec(value) ?? [];
  if (inAddress !== undefined) return [...new Set([inAddress, decoded(inAddress)])];
  const [, inList] = /(?:^|;)\s*(?:password|pwd|accountkey|sharedaccesskey)\s*=\s*([^;]+)/i.exec(value) ?? [];
  return inList === undefined ? undefined : [inList.trim()];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Of an object only what its names call secret. Undefined for what is no JSON. */
function jsonParts(text: string): string[] | undefined {
  try {
    return [...partsOf(JSON.parse(text) as unknown, true)];
  } catch {
    return undefined;
  }
}

function* partsOf(value: unknown, isSecret: boolean): Generator<string> {
  if (typeof value === 'string') {
    if (isSecret) yield* value.split(/\r?\n/).filter(isSecretLine);
  } else if (Array.isArray(value)) for (const item of value) yield* partsOf(item, isSecret);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value))
      yield* partsOf(item, isSecretName(name.replace(/([a-z])([A-Z])/g, '$1_$2')));
}
