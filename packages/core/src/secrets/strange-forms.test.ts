import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OutputHider } from './output-hider.js';
import { SecretFinder } from './secret-finder.js';
import { hideText } from './hide-text.js';
import { Secrets } from './secrets.js';

const KEY = Buffer.alloc(32, 7);
const finder = new SecretFinder([]);
const hide = (text: string): string => hideText(text, finder, KEY);

describe('private keys without their header line are hidden', () => {
  const rsa = (format: 'pkcs1' | 'pkcs8', bits: number): string =>
    generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: format, format: 'pem' }).toString();
  const ec = (curve: string, type: 'sec1' | 'pkcs8'): string =>
    generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type, format: 'pem' }).toString();
  const kinds: Readonly<Record<string, string>> = {
    'RSA of 2048 bits': rsa('pkcs1', 2048),
    'RSA of 4096 bits': rsa('pkcs1', 4096),
    'RSA in PKCS 8': rsa('pkcs8', 2048),
    'RSA of 1024 bits in PKCS 8': rsa('pkcs8', 1024),
    'EC P-256': ec('P-256', 'sec1'),
    'EC P-384': ec('P-384', 'sec1'),
    'EC P-521': ec('P-521', 'sec1'),
    'EC P-256 in PKCS 8': ec('P-256', 'pkcs8'),
    'EC P-521 in PKCS 8': ec('P-521', 'pkcs8'),
    Ed25519: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  it('whose first word is ended by a slash at once', () => {
    expect(hide('"MIHcAgEBBEIAS6/G2wv+A24lnUFRHBcXVW/yqjuX6+CY6CTiNaI+4i8YMhJtl712",')).not.toContain('A24lnUFR');
  });

  it.each(Object.entries(kinds))('%s', (_, pem) => {
    const body = pem.trim().split('\n').slice(1, -1);
    const shown = [
      body.join('\n'),
      [...body, pem.trim().split('\n').at(-1)].join('\n'),
      body.map((line, index) => `${index + 2}→${line}`).join('\n'),
      body.map((line, index) => `${index + 2}\t${line}`).join('\n'),
      body.map((line) => `+${line}`).join('\n'),
      body.map((line) => `  "${line}",`).join('\n'),
      JSON.stringify({ key: `${body.join('\n')}\n` }),
      `KEY=${body.join('')}`,
      `before\n${body.join('\n')}\nand after some words`,
    ];
    for (const text of shown) {
      const hidden = hide(text);
      for (const line of body) expect(hidden).not.toContain(line.slice(-12));
      for (const line of body) expect(hidden).not.toContain(line.slice(0, 12));
    }
    expect(hide(`before\n${body.join('\n')}\nand after some words\n`)).toMatch(
      /^before\n[^]*\nand after some words\n$/,
    );
    // The result must not depend on how an output is cut.
    for (const size of [70, 500, 1024, 4096]) {
      const hider = new OutputHider({ finder: () => finder, key: KEY });
      const bytes = Buffer.from(`${body.join('\n')}\nplain words and more\n`);
      let told = '';
      for (let at = 0; at < bytes.length; at += size) told += hider.push(bytes.subarray(at, at + size)).toString();
      told += hider.end().toString();
      for (const line of body) expect(told).not.toContain(line.slice(-12));
      expect(told).toContain('plain words and more');
    }
    // The end of a key: only its last lines and the footer.
    const end = pem.trim().split('\n').slice(-3);
    if (body.length > 3) expect(hide(end.join('\n'))).not.toContain(end[0]?.slice(-12));
  });

  it('those of OpenSSH', () => {
    const bytes = Buffer.concat([Buffer.from('openssh-key-v1\0'), randomBytes(400)]);
    const body = bytes.toString('base64').match(/.{1,70}/g) ?? [];
    for (const line of body.slice(0, -1)) expect(hide(body.join('\n'))).not.toContain(line.slice(-12));
  });

  it('also lines from the middle, of a file that a call named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-key-'));
    try {
      const pem = rsa('pkcs8', 2048);
      writeFileSync(join(folder, 'server.key'), pem);
      const secrets = new Secrets({ environment: {}, roots: [], key: () => KEY });
      const middle = pem.split('\n').slice(8, 12).join('\n');
      expect(secrets.hide(middle)).toBe(middle);
      await secrets.noteFiles([join(folder, 'server.key')]);
      secrets.refresh();
      expect(secrets.hide(middle)).not.toContain(middle.slice(70, 82));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('and no certificate, public key or picture', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const data = Buffer.alloc(3000, 'picture ').toString('base64');
    for (const text of [pem, pem.split('\n').slice(1).join('\n'), data, `src="data:image/png;base64,${data}"`])
      expect(hide(text)).toBe(text);
  });
});

const AWS = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ3xT9vKpL';
const LOGIN = Buffer.from('deploy:Xk9v2LqP').toString('base64');

describe('secrets of well-known files are hidden', () => {
  it.each([
    ['~/.aws/credentials', `[default]\naws_secret_access_key = ${AWS}\nregion = eu-west-1\n`, AWS],
    ['without blanks', `aws_secret_access_key=${AWS}`, AWS],
    ['in capitals', `export AWS_SECRET_ACCESS_KEY="${AWS}"`, AWS],
    ['in JSON', `{"SecretAccessKey": "${AWS}", "Version": 1}`, AWS],
    ['in a program', `secretAccessKey: '${AWS}',`, AWS],
    ['with a line number', `  3→aws_secret_access_key = ${AWS}`, AWS],
    ['.netrc', 'machine api.example login you password s3cretPass\n', 's3cretPass'],
    ['.netrc in lines', 'machine api.example\n  login you\n  password s3cretPass\n', 's3cretPass'],
    ['.netrc with line numbers', '1→machine api.example\n2→login you\n3→password s3cretPass', 's3cretPass'],
    ['.netrc, default', 'default login anonymous password k3yk3y', 'k3yk3y'],
    ['docker', `{"auths": {"registry.example": {"auth": "${LOGIN}"}}}`, LOGIN],
    ['docker in lines', `\t\t"registry.example": {\n\t\t\t"auth": "${LOGIN}"\n\t\t}`, LOGIN],
    ['npm', `//registry.example/:_auth=${LOGIN}`, LOGIN],
    ['npm token', '//registry.example/:_authToken=0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0', '0f1e2d3c-4b5a'],
    ['YAML', 'db:\n  user: app\n  password: hunter2hunter2\n', 'hunter2hunter2'],
    ['YAML in quotes', 'password: "S3cure-Pa55!"\n', 'S3cure-Pa55!'],
    ['YAML in single quotes', "  db_password: 'xK9#mQ2$vL5n'", 'xK9#mQ2$vL5n'],
    ['YAML with a prefix', 'postgresPassword: SuperSecret123', 'SuperSecret123'],
    ['YAML with a comment', 'spring.datasource.password: Tr0ub4dor&3  # local', 'Tr0ub4dor&3'],
    ['YAML of compose', 'environment:\n  - POSTGRES_PASSWORD=xK9mQ2vL5n\n', 'xK9mQ2vL5n'],
    ['YAML in capitals', 'MYSQL_ROOT_PASSWORD: xK9mQ2vL5n', 'xK9mQ2vL5n'],
    ['YAML with a line number', '12→  password: xK9mQ2vL5n', 'xK9mQ2vL5n'],
    ['YAML found by grep', 'config/db.yml:3:  password: xK9mQ2vL5n', 'xK9mQ2vL5n'],
    ['YAML with carriage returns', 'password: xK9mQ2vL5n\r\nport: 1\r\n', 'xK9mQ2vL5n'],
  ])('%s', (_, text, secret) => {
    const hidden = hide(text);
    expect(hidden).not.toContain(secret);
    expect(hidden).toMatch(/__secret:[a-z-]+\.\w{8}__/);
  });

  it.each([
    'password: string',
    'password: hashedPassword2',
    'password: req.body.password',
    'password: config.db1.password',
    'password: z.string().min(8)',
    'password: "changeme"',
    'password: ${DB_PASSWORD_1}',
    'password: ${{ secrets.DB_PASSWORD2 }}',
    'password: {{ .Values.password1 }}',
    'password: !vault |',
    'password: *default_password_1',
    'password: $DB_PASS1',
    'reset_password: "Reset your password"',
    'password: "Passwort zurücksetzen 123"',
    'password: 12345678',
    'min_password: 8',
    'password: admin123',
    'password: /run/secrets/db_password1',
    'password: <your password 1>',
    'passwordField: input1234',
    'const password = await hash1234(input);',
    "  password: 'Test1234!',",
    '{"password": "Test1234!", "user": "a"}',
    'The password: see https://wiki.example/page1234',
    'login and password fields are 12345678 wide',
    '"auth": "none"',
    '"auth": "oauth2client"',
    '{ auth: "dXNlcjpw" }',
    '//registry.example/:_authToken=${NPM_TOKEN}',
    'aws_secret_access_key = ${AWS_SECRET}',
    'aws_secret_access_key: string',
    'machine learning and login flows need a password policy',
    'const MIIEpAIBAAKCAQEA = 1;',
  ])('and no word is: %s', (text) => expect(hide(text)).toBe(text));
});
