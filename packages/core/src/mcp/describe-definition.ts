import { commandWords } from './command-words.js';
import { hideAllButVariables } from './expand-variables.js';
import { decidesWhatIsLoaded } from '../trust/loading-variables.js';
import type { RawServer } from './read-fields.js';
import { isObject } from '../util/is-object.js';
import { transportKindOf } from './transport-kind.js';

/** The words of a name whose value nobody should see. */
const SECRET = /(key|token|secret|passw(or)?d|pwd|auth|credential|bearer|cookie|session)/i;
/** More than a value: something that a shell would take apart. Variables are none. */
const SHELL_TEXT = /[;&|<>()`\n\r]|\$(?!\{)/;
/** In the order in which they count. */
const ADDRESSES: readonly string[] = ['httpUrl', 'url', 'serverUrl'];

/** A definition as it is written, variables unexpanded, with everything left out that may be secret. Pure. */
export function redactServer(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, redactField(key, value)]));
}

/** What a server does, in one line for people: `runs npx -y x`, `connects to https://…`. Nothing of it is secret. Pure. */
export function describeServer(raw: unknown): string {
  return lineOf(raw, redactServer(raw));
}

/**
 * The same for whoever is asked whether it may: every word of the command as it is written, and the variables that it sets,
 * but for the values of those that are called like a secret and look like one. Pure.
 */
export function describeForConsent(raw: unknown): string {
  if (!isObject(raw)) return lineOf(raw, raw);
  const { args, env, headersHelper } = raw;
  const shownEnv =
    isObject(env) && Object.fromEntries(Object.entries(env).map(([name, text]) => [name, asked(name, text)]));
  return lineOf(raw, {
    ...(redactServer(raw) as RawServer),
    ...(args !== undefined && { args }),
    ...(headersHelper !== undefined && { headersHelper }),
    ...(shownEnv !== false && { env: shownEnv }),
  });
}

/** A name as one reads it: in quotes where it could be taken for more than a name. */
export function aliasText(alias: string): string {
  return /^[\w.@/+-]+$/.test(alias) ? alias : JSON.stringify(alias);
}

function asked(name: string, value: unknown): string {
  const text = String(value);
  const isSecret = SECRET.test(name) && !decidesWhatIsLoaded(name) && !SHELL_TEXT.test(text);
  return isSecret ? hideAllButVariables(text) : text;
}

function lineOf(raw: unknown, shown: unknown): string {
  if (!isObject(raw) || !isObject(shown)) return 'is no definition';
  const address = ADDRESSES.map((key) => shown[key]).find((value) => typeof value === 'string');
  const { command } = shown;
  const extras = [
    ...listed('environment', shown['env']),
    ...listed('headers', shown['headers']),
    ...helperOf(shown),
    ...signInOf(shown),
    ...placeOf(shown),
  ];
  const more = extras.length === 0 ? '' : ` (${extras.join('; ')})`;
  const kind = kindOf(raw);
  const does = [
    ...(typeof command === 'string' && (kind === undefined || kind === 'stdio')
      ? [`runs ${commandLine(command, shown['args'])}`]
      : []),
    ...(address !== undefined && kind !== 'stdio' ? [`connects to ${address}`] : []),
  ];
  return does.length === 0 ? 'names neither a command nor an address' : does.join(' and ') + more;
}

/** Undefined where it does not say, or not what counts: then all that it names is told. */
function kindOf(raw: RawServer): ReturnType<typeof transportKindOf> {
  try {
    return transportKindOf(raw);
  } catch {
    return undefined;
  }
}

/** Words as one could type them. */
export function commandLine(command: string, args: unknown): string {
  const words = [command, ...(Array.isArray(args) ? args.map(String) : [])];
  return words.map((word) => (/^[\w@%+=:,./~${}-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

function redactField(key: string, value: unknown): unknown {
  if (ADDRESSES.includes(key) && typeof value === 'string') return redactAddress(value);
  if (key === 'env' || key === 'headers') return redactMap(value);
  if (key === 'args' && Array.isArray(value)) return redactArguments(value);
  if (key === 'headersHelper') return redactCommand(value);
  if (key === 'oauth' && isObject(value)) return redactOAuth(value);
  // What Tenon does not know may be anything.
  return SECRET.test(key) && typeof value === 'string' ? hideAllButVariables(value) : value;
}

function redactMap(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [
      name,
      decidesWhatIsLoaded(name) ? text : hideAllButVariables(String(text)),
    ]),
  );
}

function redactOAuth(oauth: RawServer): RawServer {
  const { clientSecret, privateKey } = oauth;
  // A path is no secret; the key itself is.
  const isKey = typeof privateKey === 'string' && /-----|[\n\r]/.test(privateKey);
  return {
    ...oauth,
    ...(typeof clientSecret === 'string' && { clientSecret: hideAllButVariables(clientSecret) }),
    ...(isKey && { privateKey: hideAllButVariables(privateKey) }),
  };
}

function redactCommand(value: unknown): unknown {
  const words = commandWords(value);
  if (words === undefined) return typeof value === 'string' ? hideAllButVariables(value) : '(hidden)';
  const shown = redactArguments(words);
  return Array.isArray(value) || shown.some((word, index) => word !== words[index]) ? shown : value;
}

/** `--api-key x` and `--api-key=x`, and the value of `--header 'X-Api-Key: x'`. */
function redactArguments(args: readonly unknown[]): unknown[] {
  return args.map((each, index) => {
    if (typeof each !== 'string') return each;
    const before = args[index - 1];
    const isValue = typeof before === 'string' && /^--?[\w-]+$/.test(before) && SECRET.test(before);
    if (isValue && !each.startsWith('-') && !/\s/.test(each)) return hideAllButVariables(each);
    const [, head, tail] = /^([\w-]+(?:=|:\s*))(.+)$/s.exec(each) ?? [];
    // `sh -c 'TOKEN=x; …'` is no value.
    if (
      head !== undefined &&
      tail !== undefined &&
      SECRET.test(head) &&
      (head.startsWith('--') || !SHELL_TEXT.test(tail))
    )
      return head + hideAllButVariables(tail);
    return each.includes('://') ? redactAddress(each) : each;
  });
}

/** Without the password and the values of the query, as far as they are not variables. */
function redactAddress(address: string): string {
  return address
    .replace(
      /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i,
      (_, scheme: string, user: string) => `${scheme}${hideAllButVariables(user)}@`,
    )
    .replaceAll(/([?&][^=&#]*=)([^&#]+)/g, (_, name: string, value: string) => name + hideAllButVariables(value));
}

function listed(what: string, value: unknown): string[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [];
  const names = Object.entries(value).map(([name, text]) => (text === '(hidden)' ? name : `${name}=${String(text)}`));
  return [`${what} ${names.join(', ')}`];
}

function helperOf({ headersHelper }: RawServer): string[] {
  if (headersHelper === undefined || headersHelper === null) return [];
  const [program, ...args] = commandWords(headersHelper) ?? [];
  return [`headers from ${program === undefined ? 'a command that cannot be read' : commandLine(program, args)}`];
}

/** What goes to whoever signs people in, or the program itself. */
function signInOf({ oauth }: RawServer): string[] {
  if (!isObject(oauth)) return [];
  const { grant, clientId, clientSecret, privateKey, issuer } = oauth;
  return listed(grant === 'client_credentials' ? 'signs in as itself' : 'sign-in', {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(privateKey !== undefined && { privateKey }),
    ...(issuer !== undefined && { issuer }),
  });
}

function placeOf({ cwd }: RawServer): string[] {
  return typeof cwd === 'string' ? [`in ${cwd}`] : [];
}
