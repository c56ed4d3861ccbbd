import { constants, createPrivateKey, randomUUID, sign, type KeyObject, type SignKeyObjectInput } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Failure, systemErrorCode } from '../../util/failure.js';
import type { ClientKey } from '../server-definition.js';
import { plainLine } from './plain-line.js';

/** How long one proof holds. In seconds. */
const LIFETIME_S = 300;
const LARGEST_KEY = 64 * 1024;
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

export interface AssertionOptions {
  readonly clientId: string;
  /** The issuer, as whom the proof is for. */
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the issuer takes, where it says so. */
  readonly supported?: readonly string[];
}

/** A signed proof of who the client is (RFC 7523 section 3). @throws Failure `mcp_error` for a key that cannot be used */
export async function clientAssertion(
  { privateKey, algorithm: wanted }: ClientKey,
  { clientId, audience, now, supported }: AssertionOptions,
): Promise<string> {
  const key = await readKey(privateKey);
  const algorithm = algorithmFor(key, wanted, supported);
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_S,
    jti: randomUUID(),
  };
  const signed = [{ alg: algorithm, typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const digest = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
  return `${signed}.${sign(digest, Buffer.from(signed), signatureOf(key, algorithm)).toString('base64url')}`;
}

/** As JWS writes signatures (RFC 7518 sections 3.4 and 3.5). */
function signatureOf(key: KeyObject, algorithm: string): SignKeyObjectInput {
  if (algorithm.startsWith('ES')) return { key, dsaEncoding: 'ieee-p1363' };
  if (!algorithm.startsWith('PS')) return { key };
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

function algorithmFor(key: KeyObject, wanted: string | undefined, supported: readonly string[] | undefined): string {
  const fitting = algorithmsOf(key);
  if (wanted === undefined) {
    const algorithm = fitting.find((each) => supported?.includes(each)) ?? fitting[0];
    if (algorithm !== undefined) return algorithm;
    throw new Failure(
      'mcp_error',
      'Nothing is signed with a private key of this kind: take RSA, EC (P-256, P-384, P-521) or Ed25519.',
    );
  }
  if (fitting.includes(wanted)) return wanted;
  throw new Failure(
    'mcp_error',
    `The private key does not fit "algorithm": ${wanted}; it signs with ${fitting.join(', ') || 'nothing that is known'}.`,
  );
}

function algorithmsOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): readonly string[] {
  if (type === 'rsa') return RSA;
  if (type === 'ed25519') return ['EdDSA'];
  const curve = type === 'ec' ? CURVES[details?.namedCurve ?? ''] : undefined;
  return curve === undefined ? [] : [curve];
}

async function readKey(privateKey: string): Promise<KeyObject> {
  const isText = privateKey.trimStart().startsWith('-----BEGIN ');
  const pem = isText ? privateKey : await readPem(privateKey);
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    const which = isText ? 'The private key of the settings' : `The private key ${plainLine(privateKey)}`;
    throw new Failure('mcp_error', `${which} is no PEM of a private key without a passphrase.`);
  }
}

async function readPem(path: string): Promise<Buffer> {
  const refused = (why: string): Failure =>
    new Failure('mcp_error', `The private key ${plainLine(path)} cannot be read: ${why}. Correct "privateKey".`);
  const handle = await open(path).catch((thrown: unknown) => {
    throw refused(systemErrorCode(thrown) ?? 'it cannot be opened');
  });
  try {
    const info = await handle.stat();
    if (!info.isFile() || info.size > LARGEST_KEY) throw refused('it is no file of the size of a key');
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
