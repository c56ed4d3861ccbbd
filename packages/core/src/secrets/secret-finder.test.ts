import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodedForms } from './encoded-forms.js';
import { hideText } from './hide-text.js';
import type { KnownSecret } from './known-secret.js';
import { OutputHider } from './output-hider.js';
import { SecretFinder } from './secret-finder.js';

const KEY = Buffer.alloc(32, 7);
/** In pieces, so that no scanner takes this file for a leak. */
const piece = (...parts: readonly string[]): string => parts.join('');

const finderOf = (...values: readonly string[]): SecretFinder =>
  new SecretFinder(values.map((value, index): KnownSecret => ({ name: `S${index}`, value, from: 'a test' })));
const hide = (text: string, finder: SecretFinder): string => hideText(text, finder, KEY);

const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const token = fc
  .array(fc.integer({ min: 0, max: 61 }), { minLength: 16, maxLength: 80 })
  .map((digits) => digits.map((digit) => BASE62[digit] ?? '').join(''))
  .filter(
    (text) => (text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])/g)?.length ?? 0) * 4 >= text.length,
  );

const FORMS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => Buffer.from(value).toString('base64'),
  (value) => Buffer.from(`a:${value}`).toString('base64'),
  (value) => Buffer.from(`ab${value}\n`).toString('base64url'),
  (value) => Buffer.from(value).toString('hex'),
  (value) => Buffer.from(value).toString('hex').toUpperCase(),
  (value) => encodeURIComponent(value),
  (value) => JSON.stringify({ value }),
  (value) => JSON.stringify(JSON.stringify({ value })),
  (value) => value.replaceAll(/(.{13})/g, '$1\n'),
  (value) => value.replaceAll(/(.{3})/g, '$1\u001b[0m'),
  (value) =>
    Buffer.from(`x${value}x`)
      .toString('base64')
      .replaceAll(/(.{19})/g, '$1\r\n'),
  (value) => Buffer.from(`\ufeffa ${value} b`, 'utf16le').toString('latin1'),
  (value) => Buffer.from(`\ufeffa ${value} b`, 'utf16le').swap16().toString('latin1'),
  (value) => `postgres://app:${value}@db.example:5432/app`,
];

/** What of a secret, in any of its forms, still stands in a text. */
function leftOf(secret: string, text: string): string[] {
  const plain = text.replaceAll(/\u001b\[[\d;]*m/g, '');
  const left: string[] = [];
  for (const form of [secret, ...encodedForms(secret)]) {
    const least = form === secret ? 8 : 11;
    for (let at = 0; at + least <= form.length; at += 1) {
      const part = form.slice(at, at + least);
      if (plain.includes(part)) left.push(part);
    }
  }
  // Of letters and digits that only look like hexadecimal ones more is needed to know them.
  return left.filter((part) => !/^[\da-fA-F]+$/.test(part));
}

describe('finding secrets', () => {
  it('knows them in UTF-16 of either order', () => {
    for (const value of ['correct horse battery', 'Tr0ub4dor&3-and-more']) {
      const little = Buffer.from(`\ufeffis ${value}, no?`, 'utf16le');
      for (const bytes of [little, Buffer.from(little).swap16()]) {
        const hidden = hide(bytes.toString('latin1'), finderOf(value)).replaceAll('\0', '');
        expect(hidden).toContain('__secret:S0');
        expect(hidden).not.toContain(value.slice(0, 8));
        expect(hidden).not.toContain(value.slice(-8));
      }
    }
  });

  it('leaves nothing of eight characters of one, in whatever form it stands', () => {
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.string({ maxLength: 60 })), { maxLength: 8 }),
        (secrets, pieces) => {
          const text = pieces
            .map(
              ([which, form, between]) =>
                `${between} ${(FORMS[form % FORMS.length] ?? String)(secrets[which % secrets.length] ?? '')} `,
            )
            .join('|');
          const hidden = hide(text, finderOf(...secrets));
          for (const secret of secrets) expect(leftOf(secret, hidden)).toEqual([]);
          expect(hide(hidden, finderOf(...secrets))).toBe(hidden);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('gives the same whatever the pieces in which an output comes', () => {
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.string({ unit: 'binary', maxLength: 200 })), {
          minLength: 1,
          maxLength: 30,
        }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 }),
        (secrets, pieces, cuts) => {
          const text = pieces
            .map(
              ([which, form, between]) =>
                `${between}\n ${(FORMS[form % 9] ?? String)(secrets[which % secrets.length] ?? '')} \n`,
            )
            .join('');
          const bytes = Buffer.from(text);
          const finder = finderOf(...secrets);
          const hider = new OutputHider({ finder: () => finder, key: KEY });
          const told: Buffer[] = [];
          for (let at = 0, index = 0; at < bytes.length; index += 1) {
            const end = at + (cuts[index % cuts.length] ?? 1);
            told.push(Buffer.from(hider.push(bytes.subarray(at, end))));
            at = end;
          }
          told.push(Buffer.from(hider.end()));
          const whole = Buffer.from(hide(bytes.toString('latin1'), finder), 'latin1');
          expect(Buffer.concat(told).toString('latin1')).toBe(whole.toString('latin1'));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('leaves texts without secrets as they are, byte for byte', () => {
    const finder = finderOf(piece('sk_', 'live_51Hq8ZrT7Wm4Xc9Vb1Nf6Tj3Hg'), 'f7Kp2xQz9LmV4tRw');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5000 }), (text) => {
        expect(hide(text, finder)).toBe(text);
        const hider = new OutputHider({ finder: () => finder, key: KEY });
        const bytes = Buffer.from(text);
        const told = Buffer.concat([
          Buffer.from(hider.push(bytes)),
          Buffer.from(hider.pause()),
          Buffer.from(hider.end()),
        ]);
        expect(told.equals(bytes)).toBe(true);
      }),
    );
  });

  it.each([
    ['const risk-based-assessment-of-all-tasks = true;'],
    ['npm_config_registry=https://registry.npmjs.org/'],
    ['see https://user@example.com:8080/path and mailto:someone@example.com'],
    ['postgres://postgres:postgres@localhost/test and redis://user:password@cache:6379'],
    ['postgres://app:${DB_PASSWORD}@db/app, mysql://root:<password>@host/x'],
    ['integrity sha512-3gkNFm5tqXcDTQ/Tv5pgMPIc0Pg4S6T8YyQl2g2N0kJY9nZbWbYfEr5WkfKp0zF8mEJ3YqkqzZkK1Q=='],
    ['commit 16c7e42f292c6912e7710c838347ae178b4a0f1d'],
    ['id 123e4567-e89b-12d3-a456-426614174000'],
    ['<div class="sk-estimator-doc-link sk-toggleable__label">'],
    ['eyJ is how base64 of {" begins; Bearer tokens are sent in headers; basic authentication-header-names'],
    [
      '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
    ],
    [
      '-----BEGIN PUBLIC KEY-----\nMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDlOJu6TyygqxfWT7eLtGDwajtN\n-----END PUBLIC KEY-----',
    ],
  ])('leaves %j alone', (text) => {
    expect(hide(text, finderOf('f7Kp2xQz9LmV4tRw'))).toBe(text);
  });

  it('knows keys of known kinds wherever they stand', () => {
    const keys = [
      piece('AKIA', 'QX7ZPLM3NBVC2RT5'),
      piece('ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'),
      piece('glpat', '-ABCdef123456_7890xy'),
      piece('xoxb', '-123456789012-abcdefGHIJKL'),
      piece('sk-', 'proj-abcDEF123456ghiJKL789'),
      piece('sk-ant-', 'api03-abcDEF123456ghiJKL789'),
      piece('sk_', 'live_abcDEF123456ghiJKL'),
      piece('AIza', 'SyA1234567890abcdefghijklmnopqrstuv'),
      piece('npm_', 'abcdefghijklmnopqrstuvwxyz0123456789'),
      piece('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'),
      piece('1234567890', ':AAabcdefghijABCDEFGHIJ0123456789_-x'),
      piece('SG.', 'abcdefghijklmnopqrstuv', '.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno'),
    ];
    for (const key of keys)
      for (const text of [key, `x=${key}`, `{"key":"${key}"}`, `  12→${key};`, `(${key})`, `${key}\n`])
        expect(hide(text, finderOf())).not.toContain(key.slice(-8));
    const hidden = hide('Authorization: Basic dXNlcjpodW50ZXIyaHVudGVyMg==, postgres://a:hunter2x9@h/d', finderOf());
    expect(hidden).toMatch(
      /^Authorization: Basic __secret:authorization\.\w{8}__, postgres:\/\/a:__secret:url-password\.\w{8}__@h\/d$/,
    );
  });

  it('hides long signed tokens as well, wherever an output is cut', () => {
    const part = (length: number, seed: number): string =>
      Array.from({ length }, (_, at) => BASE62[(at * 37 + seed + ((at * at) % 61)) % 62]).join('');
    const long = [piece('eyJ', part(60, 1)), piece('eyJ', part(6000, 2)), part(43, 3)].join('.');
    const finder = finderOf();
    const whole = hide(`Token: ${long}\nafter\n`, finder);
    expect(whole).toMatch(/^Token: __secret:signed-token\.\w{8}__\nafter\n$/);
    for (const size of [97, 500, 1500, 5000, 65_536])
      for (const pauses of [false, true]) {
        const hider = new OutputHider({ finder: () => finder, key: KEY });
        const bytes = Buffer.from(`Token: ${long}\nafter\n`);
        let told = '';
        for (let at = 0; at < bytes.length; at += size) {
          told += hider.push(bytes.subarray(at, at + size)).toString('latin1');
          if (pauses) told += hider.pause().toString('latin1');
        }
        told += hider.end().toString('latin1');
        expect(leftOf(long, told).slice(0, 3)).toEqual([]);
        if (!pauses) expect(told).toBe(whole);
      }
  });

  it.each([
    ['words', 'before correct-horse-battery-staple after'],
    ['words in colours', 'before correct-\u001b[0mhorse-battery\u001b[1m-staple after'],
    ['words in two lines', 'before\ncorrect-horse-\nbattery-staple\nafter'],
    ['words in three lines', 'before\ncorrect-\r\n  horse-battery-\r\n  staple\nafter'],
    ['base64 in two lines', 'before\nY29ycmVjdC1ob3JzZS1i\nYXR0ZXJ5LXN0YXBsZQ==\nafter'],
    [
      'a private key',
      piece('x\n-----BEGIN RSA ', 'PRIVATE KEY-----\n', `${'Ab3'.repeat(21)}\n`.repeat(3), '-----END\nx'),
    ],
  ])('hides %s, wherever an output is cut in it', (_what, secret) => {
    const finder = finderOf('correct-horse-battery-staple');
    const bytes = Buffer.from(`${secret}\n${'y\n'.repeat(600)}`);
    const whole = hide(bytes.toString(), finder);
    const others = Array.from(secret, (_, at) => {
      const hider = new OutputHider({ finder: () => finder, key: KEY });
      // Everything but the last 1024 bytes is reported at once.
      const pieces = [bytes.subarray(0, at + 1024), bytes.subarray(at + 1024)];
      const told = pieces.map((each) => hider.push(each).toString()).join('') + hider.end().toString();
      return told === whole ? [] : [at];
    });
    expect(whole).toContain('__secret:');
    expect(others.flat()).toEqual([]);
  });

  it('takes no longer than the text is, whatever a stranger wrote into it', () => {
    const finder = finderOf('f7Kp2xQz9LmV4tRw');
    for (const text of [
      `${piece('-----BEGIN ', 'PRIVATE KEY-----')}\n`.repeat(20_000),
      `${piece('-----BEGIN ', 'PRIVATE KEY-----')} AAAABBBBCCCC ${'x'.repeat(300)}\n`.repeat(3000),
      'Bearer '.repeat(100_000),
      'https://a:'.repeat(100_000),
      '\u001b]'.repeat(300_000),
      'f7Kp2xQz'.repeat(100_000),
    ]) {
      const began = performance.now();
      finder.find(text);
      expect(performance.now() - began).toBeLessThan(3000);
    }
  });

  it('hides private keys line by line, so that lines keep their numbers', () => {
    const lines = Array.from({ length: 3 }, (_, row) =>
      Array.from({ length: 64 }, (_each, at) => BASE62[(row * 7 + at * 13) % 62]).join(''),
    );
    const text = [
      piece('-----BEGIN RSA ', 'PRIVATE KEY-----'),
      ...lines,
      '-----END RSA PRIVATE KEY-----',
      'after',
    ].join('\n');
    for (const shown of [
      text,
      text.replaceAll('\n', '\\n'),
      text
        .split('\n')
        .map((line, index) => `${index + 1}→${line}`)
        .join('\n'),
      text
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n'),
      text
        .split('\n')
        .map((line, index) => `key.pem:${index}:${line}`)
        .join('\n'),
    ]) {
      const hidden = hide(shown, finderOf());
      expect(hidden.match(/__secret:private-key\.\w{8}__/g)).toHaveLength(3);
      expect(hidden.split('\n')).toHaveLength(shown.split('\n').length);
      for (const line of lines) expect(hidden).not.toContain(line.slice(20, 28));
      expect(hidden).toContain('after');
    }
  });

  it('hides what a cut left of a secret, and words of one only as a whole', () => {
    const made = 'f7Kp2xQz9LmV4tRwBn3Hs6';
    expect(hide(`…${made.slice(0, 12)}`, finderOf(made))).not.toContain(made.slice(0, 8));
    expect(hide(`${made.slice(10)}…`, finderOf(made))).not.toContain(made.slice(12));
    const words = 'correct-horse-battery-staple';
    expect(hide('a horse-battery is charged', finderOf(words))).toBe('a horse-battery is charged');
    expect(hide(`my ${words}!`, finderOf(words))).toBe('my __secret:S0__!');
    expect(hide('correct-horse-\nbattery-staple', finderOf(words))).toMatch(/^__secret:S0\.\w+__\n__secret:S0\.\w+__$/);
  });
});
