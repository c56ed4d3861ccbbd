import { describe, expect, it } from 'vitest';
import { findSecret } from './find-secret.js';

/** In pieces, so that no scanner takes this file for a leak. */
const join = (...parts: readonly string[]): string => parts.join('');

describe('what must not be remembered', () => {
  it.each([
    [join('-----BEGIN OPENSSH ', 'PRIVATE KEY-----')],
    [join('the key is AKIA', 'IOSFODNN7EXAMPLE')],
    [join('use ghp', '_16C7e42F292c6912E7710c838347Ae178B4a')],
    [join('github', '_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz')],
    [join('glpat', '-ABCdef123456_7890xy')],
    [join('xoxb', '-123456789012-abcdefGHIJKL')],
    [join('sk-', 'proj-abcDEF123456ghiJKL789')],
    [join('sk-ant-', 'api03-abcDEF123456ghiJKL789')],
    [join('sk_', 'live_abcDEF123456ghiJKL')],
    [join('AIza', 'SyA1234567890abcdefghijklmnopqrstuv')],
    [join('npm_', 'abcdefghijklmnopqrstuvwxyz0123456789')],
    [join('hf_', 'abcdefghijklmnopqrstuvwx')],
    [join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U')],
    ['the database is postgres://app:hunter2@db.local/app'],
    ['the password is hunter2'],
    ['password: "correct horse"'],
    ['API_KEY=abcd1234efgh'],
    ['api key: zx81-spectrum'],
    ['Authorization: Bearer abcdef0123456789abcdef'],
    ['password: correcthorse'],
    ['Login admin, PASSWORD = swordfish.'],
    ['The password for the test database is hunter2'],
    ['the token of build-bot on ci: abcd-efgh-1234'],
    ['Das Passwort lautet hunter2'],
    ['Passwort f\u00fcr das WLAN: sommer2024'],
    ['le mot de passe est hunter2'],
    ['\u30d1\u30b9\u30ef\u30fc\u30c9\u306f hunter2'],
    ['\u6570\u636e\u5e93\u5bc6\u7801\u662fhunter2'],
    ['\u043f\u0430\u0440\u043e\u043b\u044c: hunter2'],
    ['sign with f3a9c07be14d4c2b8e60a7d95b13f2ce'],
    ['it is 8Kq2Zr7Wm4Xc9Vb1Nf6Tj3Hg'],
    ['value=Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZjEyMzQ1Njc4OTA='],
  ])('is %j', (text) => {
    expect(findSecret(text)).toBeTypeOf('string');
  });

  it.each([
    ['The tests run with npm test in packages/core/src/agent/system-prompt.ts.'],
    ['The password is read from the variable DB_PASSWORD.'],
    ['The API key is stored in the vault.'],
    ['password: ${DB_PASSWORD}'],
    ['token: <your token>'],
    ['password: required'],
    ['The password for staging is in 1Password.'],
    ['The password policy for users is strict: no reuse within a year.'],
    ['The password hash of each user is argon2id with 64 MiB.'],
    ['Forms of type password: trim nothing before it is checked.'],
    ['Das Passwort steht in der Variable DB_PASSWORD.'],
    ['The token for a request is refreshed by the client.'],
    ['A token is one word of the language.'],
    ['The bug was fixed in commit 16c7e42f292c6912e7710c838347ae178b4a0f1d.'],
    ['sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['The request has the id 123e4567-e89b-12d3-a456-426614174000.'],
    ['createWorkspaceChangesForGlobalMemory2 is called by openWorkspaceMemory'],
    ['see https://example.com/a/very/long/address/with-many-words-in-it/2024/11/05'],
    ['MAX_CONTEXT_FILE_BYTES_OF_ONE_SINGLE_FILE is 262144'],
    ['order 12345678901234567890123'],
    ['Ich mag Leerzeichen, keine Tabulatoren; 返事は日本語で。'],
    ['Deploys go to eu-west-1a through node-v20-20-0-linux-x64-build-2024.'],
  ])('is not %j', (text) => {
    expect(findSecret(text)).toBeUndefined();
  });

  it('is the value of a variable whose name says that it is secret, and no other', () => {
    const environment = { MY_TOKEN: 'plainword', SHORT_KEY: 'abc', EDITOR: 'helixeditor', EMPTY_SECRET: '' };
    expect(findSecret('say plainword', environment)).toBe('the value of the environment variable MY_TOKEN');
    expect(findSecret('abc with helixeditor', environment)).toBeUndefined();
  });

  it('is told without repeating it', () => {
    expect(findSecret('the password is hunter2')).not.toContain('hunter2');
    expect(findSecret(join('x 8Kq2Zr7Wm4', 'Xc9Vb1Nf6Tj3Hg'))).not.toContain('8Kq2');
  });
});
