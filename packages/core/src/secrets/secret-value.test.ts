import { describe, expect, it } from 'vitest';
import { explainVariable } from './describe-secrets.js';
import { gatherSecrets, isAmong, secretsWithin } from './gather-secrets.js';
import { isEnvFile, readEnvText } from './read-env-file.js';
import { isSecretName, isSecretValue, secretPartsOf } from './secret-value.js';

describe('names of secrets', () => {
  it.each([
    'STRIPE_KEY',
    'GITHUB_TOKEN',
    'DB_PASSWORD',
    'DB_PASS',
    'AWS_SECRET_ACCESS_KEY',
    'OPENAI_API_KEY',
    'apiKey_secret',
    'NPM_AUTH',
    'SENTRY_DSN',
    'CREDENTIALS',
    'SESSION_COOKIE',
    'MYAPIKEY',
    'JWT_PRIVATE',
    'SIGNING_KEYS',
    'AWS_ACCESS_KEY_ID',
    'AWS_SESSION_TOKEN',
    'STORAGE_KEY',
    'MASTER_KEY',
  ])('say so: %s', (name) => expect(isSecretName(name)).toBe(true));
  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'SSH_AUTH_SOCK',
    'KEYBOARD_LAYOUT',
    'MONKEY',
    'NEXT_PUBLIC_STRIPE_KEY',
    'TOKENIZERS_PARALLELISM',
    'GOOGLE_CREDENTIALS_FILE',
    'KEY_PATH',
    'AUTH_TYPE',
    'SECRET_NAME',
    'PASSWORD_MODE',
    'XAUTHORITY',
    'TOKEN_TTL',
    'AUTHOR',
    'COMPASS',
    'AWS_BUCKET',
    'AWS_VPC_ID',
    'AWS_EXECUTION_ENV',
    'API_KEY_HEADER',
    'AUTH_BACKEND',
    'COOKIE_DOMAIN',
    'TOKEN_ISSUER',
    'GPG_KEY_SERVER',
    'NPM_TOKEN_VERSION',
    'PASSWORD_RESET_SUBJECT',
    'PRIVATE_SUBNETS',
    'PRIVATE_NETWORK',
    'PRIMARY_KEY',
    'CACHE_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'TOKEN_EXPIRATION',
  ])('do not: %s', (name) => expect(isSecretName(name)).toBe(false));
});

describe('values of secrets', () => {
  it.each([
    'f7Kp2xQz9LmV4tRw',
    'hunter2-and-more!',
    'correct-horse-battery-staple',
    'd41d8cd98f00b204e9800998ecf8427e',
    'Tr0ub4dor&3',
    'a1b2c3d4',
    '4929123456789012',
  ])('are hidden: %s', (value) => expect(isSecretValue(value)).toBe(true));
  it.each([
    '',
    'true',
    'short',
    'password',
    'password123',
    'changeme',
    'change-me-please1',
    'postgres',
    'localhost',
    'development',
    'production',
    'your-api-key-here',
    '<your-token>',
    '${OTHER_KEY}',
    '$(pass show x)',
    'xxxxxxxxxxxx',
    '********',
    '12345678',
    '123456789012',
    'abcdefgh',
    '/etc/ssl/private/key.pem',
    '~/.ssh/id_rsa',
    './keys/dev',
    'C:\\keys\\dev.pem',
    'http://localhost:3000',
    'https://api.example.com/v1',
    'postgres://localhost:5432/app',
    'MY_OTHER_SECRET',
    'administrator',
    'test-token',
    'secret_key',
    'my-secret',
    'not-so-secret',
    'op://vault/item/field',
    'arn:aws:secretsmanager:eu-west-1:1:secret:x',
    'the quick brown fox',
  ])('are not: %s', (value) => expect(isSecretValue(value)).toBe(false));

  it('are the password of an address, the lines of a key, and what a JSON object calls secret', () => {
    expect(secretPartsOf('postgres://app:f7Kp2xQz9L%2FmV@db:5432/app')).toEqual(['f7Kp2xQz9L%2FmV', 'f7Kp2xQz9L/mV']);
    expect(secretPartsOf('postgres://app:postgres@db/app')).toEqual([]);
    expect(secretPartsOf('Server=x;User=sa;Password=f7Kp2xQz9LmV;Encrypt=true')).toEqual(['f7Kp2xQz9LmV']);
    const made = 'f7Kp2xQz9LmV';
    for (const text of [
      `jdbc:postgresql://db/app?user=x&password=${made}`,
      `https://files.example.com/a?sv=2024-01-01&sig=${made}&se=1`,
    ])
      expect(secretPartsOf(text)).toEqual([made]);
    expect(secretPartsOf(`https://files.example.com/a?page=${made}`)).toEqual([]);
    expect(secretPartsOf(`session=Q9wE3rT7yU1i; token=${made}`)).toEqual([`session=Q9wE3rT7yU1i; token=${made}`]);
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
      'BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
      '-----END PRIVATE KEY-----',
    ];
    expect(secretPartsOf(key.join('\n'))).toEqual(key.slice(1, 3));
    const json = JSON.stringify({
      type: 'service_account',
      private_key: key.join('\n'),
      client_email: 'a1b2c3d4@example.com',
    });
    expect(secretPartsOf(json)).toEqual(key.slice(1, 3));
  });
});

describe('environment files', () => {
  it('are known by their names', () => {
    for (const name of ['.env', '.env.local', '.env.production', '.envrc', '.dev.vars', 'prod.env'])
      expect([name, isEnvFile(name)]).toEqual([name, true]);
    for (const name of [
      '.env.example',
      '.env.sample',
      '.env.template',
      'env.ts',
      '.environment',
      '.env.md',
      'env',
      '.env.d.ts',
    ])
      expect([name, isEnvFile(name)]).toEqual([name, false]);
  });

  it('are read as programs read them', () => {
    const text =
      '# comment\nA=1\nexport B = two words # not this\nC="x\\ny#z"\nD=\'$raw "q"\'\nE=\n  F: colon\nG="line one\nline two"\n=bad\n';
    expect(readEnvText(text)).toEqual([
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'x\ny#z'],
      ['D', '$raw "q"'],
      ['E', ''],
      ['F', 'colon'],
      ['G', 'line one\nline two'],
    ]);
  });
});

describe('gathering', () => {
  const one = 'f7Kp2xQz9LmV4tRw';
  const other = 'Q9wE3rT7yU1iO5pA';

  it('takes each value once, the first of a name by its bare name, and what the person says', () => {
    const environment = {
      API_KEY: one,
      COPY_TOKEN: one,
      PLAIN: 'Zx81Spectrum48K',
      NEXT_SECRET: 'kept12345x',
      DEBUG: 'true',
    };
    const files = [
      { name: 'API_KEY', value: other, file: '/w/.env' },
      { name: 'BUILD_ID', value: 'a8Kq2Zr7Wm4Xc9Vb1Nf6Tj3Hg', file: '/w/.env' },
      { name: 'RANDOM', value: 'b8Kq2Zr7Wm4Xc9Vb1Nf6Tj3Hg', file: '/w/.env' },
    ];
    const found = gatherSecrets({ environment, files, names: ['PLA*'], ignore: ['NEXT_SECRET'] });
    expect(found.map(({ name, value, isOther }) => [name, value, isOther === true])).toEqual([
      ['API_KEY', one, false],
      ['PLAIN', 'Zx81Spectrum48K', false],
      ['API_KEY', other, true],
      ['RANDOM', 'b8Kq2Zr7Wm4Xc9Vb1Nf6Tj3Hg', false],
    ]);
    expect(JSON.stringify(found.map(({ from }) => from))).not.toContain(one);
  });

  it('takes the password in a value whatever the variable is called', () => {
    for (const value of [
      `postgres://app:${one}@db/app`,
      `jdbc:postgresql://db/app?user=x&password=${one}`,
      `host=db user=app password=${one} sslmode=require`,
      `api-key=${one},x-team=blue-green-1`,
      `authorization=Bearer%20${one}`,
    ]) {
      expect(gatherSecrets({ environment: { PLAIN: value } }).map((each) => each.value)).toEqual([one]);
      expect(explainVariable('PLAIN', { PLAIN: value })).toContain('The password in PLAIN is hidden');
    }
    expect(gatherSecrets({ environment: { PLAIN: 'https://a.example/x?token=none&sig=12' } })).toEqual([]);
  });

  it('finds what settings of servers hold', () => {
    const server = {
      alias: 'x',
      transport: {
        kind: 'http',
        headers: { Authorization: `Bearer ${one}`, Accept: 'text/html-and-more' },
        env: { GITHUB_TOKEN: other },
      },
    };
    expect(secretsWithin(server, 'a server').map(({ value }) => value)).toEqual([one, other]);
    expect(isAmong('A_B', ['A.B', 'A_*'])).toBe(true);
    expect(isAmong('AxB', ['A.B'])).toBe(false);
  });
});
