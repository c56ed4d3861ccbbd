import { constants, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAssertion } from './client-assertion.js';

const KEYS = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ed25519: generateKeyPairSync('ed25519'),
  x25519: generateKeyPairSync('x25519'),
} as const;
type KeyName = keyof typeof KEYS;

const pemOf = (name: KeyName): string => KEYS[name].privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const options = { clientId: 'me', audience: 'https://issuer.example', now: 1_700_000_000_500 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tenon-key-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function isSigned(assertion: string, publicKey: KeyObject): boolean {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  const key = alg.startsWith('ES')
    ? { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
    : alg.startsWith('PS')
      ? { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: Number(alg.slice(2)) / 8 }
      : { key: publicKey };
  const digest = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  return verify(digest, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'));
}

const partOf = (assertion: string, index: number): unknown =>
  JSON.parse(Buffer.from(assertion.split('.')[index] ?? '', 'base64url').toString());

describe('the proof of a client', () => {
  it.each<[KeyName, string | undefined, string]>([
    ['rsa', undefined, 'RS256'],
    ['rsa', 'RS512', 'RS512'],
    ['rsa', 'PS256', 'PS256'],
    ['rsa', 'PS384', 'PS384'],
    ['p256', undefined, 'ES256'],
    ['p384', undefined, 'ES384'],
    ['p521', 'ES512', 'ES512'],
    ['ed25519', undefined, 'EdDSA'],
  ])('is signed with a key %s, asked for %s, by %s', async (name, algorithm, expected) => {
    const key = { privateKey: pemOf(name), ...(algorithm !== undefined && { algorithm }) };
    const assertion = await clientAssertion(key, options);
    expect(partOf(assertion, 0)).toEqual({ alg: expected, typ: 'JWT' });
    expect(isSigned(assertion, KEYS[name].publicKey)).toBe(true);
    expect(partOf(assertion, 1)).toEqual({
      iss: 'me',
      sub: 'me',
      aud: 'https://issuer.example',
      iat: 1_700_000_000,
      exp: 1_700_000_300,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const again = await clientAssertion(key, options);
    expect(partOf(again, 1)).not.toEqual(partOf(assertion, 1));
  });

  it('is signed as the issuer takes it, as far as the key can', async () => {
    const rsa = { privateKey: pemOf('rsa') };
    expect(partOf(await clientAssertion(rsa, { ...options, supported: ['ES256', 'PS512'] }), 0)).toMatchObject({
      alg: 'PS512',
    });
    expect(partOf(await clientAssertion(rsa, { ...options, supported: ['ES256'] }), 0)).toMatchObject({ alg: 'RS256' });
  });

  it('comes from a file, too', async () => {
    const privateKey = path.join(folder, 'key.pem');
    await writeFile(privateKey, pemOf('p256'), { mode: 0o600 });
    expect(isSigned(await clientAssertion({ privateKey }, options), KEYS.p256.publicKey)).toBe(true);
  });
});

describe('a key that is of no use', () => {
  const failing = (privateKey: string, algorithm?: string): Promise<unknown> =>
    clientAssertion({ privateKey, ...(algorithm !== undefined && { algorithm }) }, options).catch(
      (thrown: unknown) => thrown,
    );

  it('is told without a word of it', async () => {
    const sealed = KEYS.rsa.privateKey
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString();
    const damaged = pemOf('rsa').replace(/M/g, 'N');
    for (const privateKey of [sealed, damaged, KEYS.rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()]) {
      const failure = await failing(privateKey);
      expect(failure).toMatchObject({ code: 'mcp_error', message: expect.stringContaining('without a passphrase') });
      expect(String(failure)).not.toContain(privateKey.slice(40, 60));
    }
  });

  it.each<[KeyName, string | undefined, string]>([
    ['p256', 'RS256', 'it signs with ES256'],
    ['rsa', 'ES256', 'it signs with RS256, RS384'],
    ['ed25519', 'ES256', 'it signs with EdDSA'],
    ['x25519', undefined, 'Nothing is signed with a private key of this kind'],
  ])('%s for %s: %s', async (name, algorithm, message) => {
    expect(await failing(pemOf(name), algorithm)).toMatchObject({ message: expect.stringContaining(message) });
  });

  it('is no key, or is not there', async () => {
    const file = path.join(folder, 'text.pem');
    await writeFile(file, 'secret words');
    const failure = await failing(file);
    expect(failure).toMatchObject({ message: expect.stringContaining(`The private key ${file} is no PEM`) });
    expect(String(failure)).not.toContain('secret words');
    expect(await failing(path.join(folder, 'none.pem'))).toMatchObject({ message: expect.stringContaining('ENOENT') });
    expect(await failing(folder)).toMatchObject({ message: expect.stringContaining('it is no file') });
    await writeFile(file, 'x'.repeat(70_000));
    expect(await failing(file)).toMatchObject({ message: expect.stringContaining('of the size of a key') });
  });
});
