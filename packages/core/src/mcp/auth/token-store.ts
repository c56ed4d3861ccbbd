import { createHash } from 'node:crypto';
import { chmodSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, Failure } from '../../util/failure.js';
import { changeOwnerFile, readOwnerFile, withFileLock } from '../../util/owner-file.js';
import { isObject } from '../../util/is-object.js';

/** As Tenon is known to an authorization server. */
export interface SavedClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The address that it was registered with: another one needs another registration. */
  readonly redirectUri: string;
}

export interface SavedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** In milliseconds since 1970. Undefined: the server did not say. */
  readonly expiresAt?: number;
  /** What was granted, separated by blanks. */
  readonly scope?: string;
}

/** What is kept of one server. Tokens and client hold for that issuer only. */
export interface SavedSignIn {
  readonly issuer?: string;
  readonly client?: SavedClient;
  readonly tokens?: SavedTokens;
  /** What the server said that is missing; the next sign-in asks for it as well. */
  readonly missingScope?: string;
}

export interface TokenStore {
  /** Empty when nothing is kept. @throws Failure `mcp_error` when the file cannot be believed */
  read(serverUrl: string): SavedSignIn;
  /** `change` may be called again. Undefined forgets the server. */
  change(serverUrl: string, change: (saved: SavedSignIn) => SavedSignIn | undefined): Promise<void>;
  /** One process at a time refreshes the tokens of a server. */
  exclusively<T>(serverUrl: string, work: () => Promise<T>): Promise<T>;
}

/** Longer than a refresh may take, so that a lock that is older belongs to one who sleeps. */
const LOCK_STALE_MS = 200_000;
const LOCK_WAIT_MS = 100_000;

/** In `mcp-auth.json` of Tenon's own folder: for the owner's eyes only, changed whole or not at all. */
export function createTokenStore(tenonHome: string): TokenStore {
  const file = path.join(tenonHome, 'mcp-auth.json');
  return {
    read(serverUrl) {
      keepPrivate(file);
      const read = readOwnerFile(file);
      if (read === undefined) return {};
      if ('problem' in read)
        throw new Failure('mcp_error', `The saved sign-ins cannot be used: ${file}: ${read.problem}`);
      return parse(read.text)?.get(keyOf(serverUrl)) ?? {};
    },
    change: (serverUrl, change) =>
      changeOwnerFile(file, {
        isSound: (text) => parse(text) !== undefined,
        change: (text) => {
          const servers = new Map(text === undefined ? [] : parse(text));
          const changed = change(servers.get(keyOf(serverUrl)) ?? {});
          if (changed === undefined) servers.delete(keyOf(serverUrl));
          else servers.set(keyOf(serverUrl), changed);
          return `${JSON.stringify({ version: 1, servers: Object.fromEntries(servers) }, undefined, 2)}\n`;
        },
      }),
    exclusively(serverUrl, work) {
      const name = createHash('sha256').update(keyOf(serverUrl)).digest('hex').slice(0, 16);
      return withFileLock(`${file}.${name}.lock`, { waitMs: LOCK_WAIT_MS, staleMs: LOCK_STALE_MS }, work);
    },
  };
}

/** Two spellings of one address are one server; another path is another. */
function keyOf(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.href;
}

/** A file that others may read is closed before it is used. One that they may change is not believed anyway. */
function keepPrivate(file: string): void {
  if (process.platform === 'win32') return;
  try {
    const info = lstatSync(file);
    const isReadable = (info.mode & 0o077) !== 0 && (info.mode & 0o022) === 0;
    if (info.isFile() && isReadable && info.uid === process.getuid?.()) chmodSync(file, 0o600);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')) return;
    throw new Failure('mcp_error', `The saved sign-ins cannot be used: ${file}: ${errorMessage(thrown)}`);
  }
}

/** Undefined when it is not a text of this program. What of an entry has another form is left out. */
function parse(text: string): Map<string, SavedSignIn> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value['version'] !== 1 || !isObject(value['servers'])) return undefined;
  return new Map(Object.entries(value['servers']).map(([key, entry]) => [key, signInOf(entry)]));
}

function signInOf(entry: unknown): SavedSignIn {
  if (!isObject(entry)) return {};
  const client = clientOf(entry['client']);
  const tokens = tokensOf(entry['tokens']);
  return {
    ...texts(entry, ['issuer', 'missingScope']),
    ...(client !== undefined && { client }),
    ...(tokens !== undefined && { tokens }),
  };
}

function clientOf(value: unknown): SavedClient | undefined {
  if (!isObject(value)) return undefined;
  const { clientId, redirectUri } = value;
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') return undefined;
  return { clientId, redirectUri, ...texts(value, ['clientSecret']) };
}

function tokensOf(value: unknown): SavedTokens | undefined {
  if (!isObject(value)) return undefined;
  const { accessToken, expiresAt } = value;
  if (typeof accessToken !== 'string') return undefined;
  return {
    accessToken,
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...texts(value, ['refreshToken', 'scope']),
  };
}

function texts<K extends string>(value: Record<string, unknown>, keys: readonly K[]): { [P in K]?: string } {
  const found: { [P in K]?: string } = {};
  for (const key of keys) {
    const text = value[key];
    if (typeof text === 'string') found[key] = text;
  }
  return found;
}
