import { isAbsolute, join, resolve } from 'node:path';
import { isHeader } from './header-fields.js';
import { checkKeys, refusal, type Fields, type RawServer } from './read-fields.js';
import type { ClientKey, HeadersHelper, OAuthSettings, RemoteServer } from './server-definition.js';

const OAUTH_KEYS: readonly string[] = [
  'enabled',
  'clientId',
  'clientSecret',
  'scopes',
  'callbackPort',
  'grant',
  'privateKey',
  'algorithm',
  'issuer',
];
const CLIENT_CREDENTIALS = 'client_credentials';
/** What a key of one kind signs with (RFC 7518, RFC 8037). */
const ALGORITHM = /^(?:[RP]S(?:256|384|512)|ES(?:256|384|512)|EdDSA)$/;
const PEM = '-----BEGIN ';

/** What reading one needs beside its fields. */
export interface RemoteContext {
  readonly named: RemoteServer['kind'] | undefined;
  /** What does not count is added. */
  readonly warnings: string[];
  /** The first folder of the workspace. */
  readonly root: string;
  readonly home: string;
  /** Its relative paths are below the workspace, those of a person below their home. */
  readonly isOfProject: boolean;
}

/** A server that is reached by its address. @throws Failure whose message holds no value */
export function remoteOf(raw: RawServer, fields: Fields, context: RemoteContext): RemoteServer {
  const httpUrl = fields.text('httpUrl');
  const url = httpUrl ?? fields.text('url') ?? fields.text('serverUrl') ?? '';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw refusal('Its address must begin with http:// or https://.');
  const headers = fields.textMap('headers') ?? {};
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value))
      throw refusal(
        `${JSON.stringify(`headers.${name}`)} cannot be sent as a header: no line breaks, no other than Latin letters.`,
      );
  }
  const headersHelper = helperOf(fields, context);
  const oauth = oauthOf(raw, fields, context);
  return {
    kind: context.named ?? (httpUrl === undefined ? 'auto' : 'http'),
    url,
    headers,
    ...(headersHelper !== undefined && { headersHelper }),
    ...(oauth !== undefined && { oauth }),
  };
}

/** It starts in the workspace, whoever names it; but a person's relative program is theirs, and not one of whatever folder is open. */
function helperOf(fields: Fields, { root, home, isOfProject }: RemoteContext): HeadersHelper | undefined {
  const words = fields.words('headersHelper');
  if (words === undefined) return undefined;
  const [program, ...args] = words;
  const place = program.startsWith('~/') ? join(home, program.slice(2)) : program;
  const isRelative = /[\\/]/.test(place) && !isAbsolute(place);
  return { argv: [isRelative && !isOfProject ? resolve(home, place) : place, ...args], cwd: root };
}

function oauthOf(raw: RawServer, fields: Fields, context: RemoteContext): OAuthSettings | undefined {
  const given = raw['oauth'] === false ? undefined : fields.object('oauth');
  if (given === undefined) return undefined;
  context.warnings.push(...checkKeys(given, { known: OAUTH_KEYS, prefix: 'oauth.' }));
  const own = fields.within('oauth');
  const clientId = own.text('clientId');
  const clientSecret = own.text('clientSecret');
  const scopes = typeof given['scopes'] === 'string' ? given['scopes'].split(/\s+/) : own.plainTexts('scopes');
  const callbackPort = own.wholeNumber('callbackPort', 1, 65_535);
  const settings = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes !== undefined && { scopes: scopes.filter((scope) => scope !== '') }),
    ...(callbackPort !== undefined && { callbackPort }),
  };
  return isOfProgram(own) ? { ...settings, ...programOf(own, settings, context) } : settings;
}

function isOfProgram(own: Fields): boolean {
  const grant = own.text('grant') ?? 'authorization_code';
  if (grant === CLIENT_CREDENTIALS) return true;
  if (grant !== 'authorization_code')
    throw refusal(`"oauth.grant" must be ${CLIENT_CREDENTIALS}, or authorization_code, where a person signs in.`);
  const alone = ['privateKey', 'algorithm', 'issuer'].find((key) => own.text(key) !== undefined);
  if (alone !== undefined) throw refusal(`"oauth.${alone}" needs "grant": "${CLIENT_CREDENTIALS}" beside it.`);
  return false;
}

/** What a client that signs in as itself needs. */
function programOf(own: Fields, settings: OAuthSettings, context: RemoteContext): OAuthSettings {
  const key = keyOf(own, context);
  const issuer = own.text('issuer');
  if (settings.clientId === undefined) throw refusal(`"oauth.clientId" is missing: ${CLIENT_CREDENTIALS} needs it.`);
  if ((settings.clientSecret === undefined) === (key === undefined))
    throw refusal(`For ${CLIENT_CREDENTIALS}, "oauth" needs one of "clientSecret" and "privateKey".`);
  if (issuer !== undefined && !URL.canParse(issuer)) throw refusal('"oauth.issuer" must be an address.');
  return {
    grant: CLIENT_CREDENTIALS,
    ...(key !== undefined && { key }),
    ...(issuer !== undefined && { issuer }),
  };
}

function keyOf(own: Fields, { root, home, isOfProject }: RemoteContext): ClientKey | undefined {
  const written = own.text('privateKey');
  const algorithm = own.text('algorithm');
  if (algorithm !== undefined && !ALGORITHM.test(algorithm))
    throw refusal('"oauth.algorithm" must be RS256, PS256, ES256, the same with 384 or 512, or EdDSA.');
  if (written === undefined) {
    if (algorithm !== undefined) throw refusal('"oauth.algorithm" needs "privateKey" beside it.');
    return undefined;
  }
  const place = written.startsWith('~/') ? join(home, written.slice(2)) : written;
  const privateKey = written.trimStart().startsWith(PEM) ? written : resolve(isOfProject ? root : home, place);
  return { privateKey, ...(algorithm !== undefined && { algorithm }) };
}
