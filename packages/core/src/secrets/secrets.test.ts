import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { placeholderKey } from './placeholder-key.js';
import { putBack, Secrets } from './secrets.js';

const ONE = 'f7Kp2xQz9LmV4tRw';
const OTHER = 'Q9wE3rT7yU1iO5pA';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (environment: Record<string, string> = {}): Secrets =>
  new Secrets({ environment, roots: [folder], key: () => placeholderKey(join(folder, 'deep', 'placeholder.key')) });

it('have the same placeholder in every session of a project', () => {
  const text = `${Buffer.from(ONE).toString('base64')}${[' ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'].join('')}`;
  const hidden = open({ API_KEY: ONE }).hide(text);
  expect(hidden).toMatch(/^__secret:API_KEY\.\w{8}__\S* __secret:github-token\.\w{8}__$/);
  expect(open({ API_KEY: ONE }).hide(text)).toBe(hidden);
  expect(statSync(join(folder, 'deep', 'placeholder.key')).mode & 0o777).toBe(0o600);
});

it('are known of a file as soon as it changes, and what it held before stays known', () => {
  const secrets = open();
  const text = `${ONE} ${OTHER}`;
  expect(secrets.hide(text)).toBe(text);
  writeFileSync(join(folder, '.env'), `API_KEY=${ONE}\n`);
  const { version } = secrets;
  expect(secrets.hide(text)).toBe(`__secret:API_KEY__ ${OTHER}`);
  writeFileSync(join(folder, '.env'), `API_KEY=${OTHER}\n# changed\n`);
  expect(secrets.version).toBeGreaterThan(version);
  expect(secrets.hide(text)).toMatch(/^__secret:API_KEY\.\w{8}__ __secret:API_KEY__$/);
});

it('are put back exactly as they stood, in every form, and a placeholder that stood there stays', () => {
  const secrets = open({ API_KEY: ONE });
  const text = `a=${ONE}\nb=${Buffer.from(`x:${ONE}`).toString('base64')}\nc=${encodeURIComponent(ONE)} ${ONE.slice(0, 10)}\nd=ok\n`;
  const hidden = secrets.hide(text);
  expect(hidden).not.toBe(text);
  expect(putBack(hidden, secrets.within(text))).toBe(text);
  const written = `docs: __secret:API_KEY__ ${ONE}`;
  expect(secrets.within(written).has('__secret:API_KEY__')).toBe(false);
});

it('hide data of any shape, and leave functions, bytes and pictures alone', () => {
  const secrets = open({ API_KEY: ONE });
  const act = (): void => undefined;
  const data = {
    [ONE]: [ONE, { deep: `x${ONE}` }],
    act,
    bytes: new Uint8Array([1]),
    media: { mimeType: 'image/png', data: ONE },
  };
  const hidden = secrets.hideIn(data);
  expect(Object.keys(hidden)[0]).toBe('__secret:API_KEY__');
  expect(hidden.act).toBe(act);
  expect(hidden.bytes).toBe(data.bytes);
  expect(hidden.media).toBe(data.media);
  const plain = { a: ['nothing', { b: 'here' }] };
  expect(secrets.hideIn(plain)).toBe(plain);
});

it('are hidden in a long text in which there was none when it was looked at before', () => {
  const secrets = open();
  const long = (index: number): string => `${index} ${'words '.repeat(200)}${ONE} ${'more '.repeat(200)}`;
  // More of them than are remembered, some twice.
  for (const index of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 10])
    expect(secrets.hideIn({ text: long(index) })).toEqual({ text: long(index) });
  writeFileSync(join(folder, '.env'), `API_KEY=${ONE}\n`);
  secrets.refresh();
  for (const index of [10, 9, 0])
    expect(secrets.hideIn({ text: long(index), other: [long(index)] })).toEqual({
      text: long(index).replace(ONE, '__secret:API_KEY__'),
      other: [long(index).replace(ONE, '__secret:API_KEY__')],
    });
});

it('are hidden in data whatever stands in the texts around them', () => {
  const secrets = open({ API_KEY: ONE });
  const place = '__secret:API_KEY__';
  expect(secrets.hideIn({ a: '\u001b]0;', b: ONE, c: '\u0007' })).toEqual({ a: '\u001b]0;', b: place, c: '\u0007' });
  // Of this letter the lower eight bits are those of an escape.
  expect(secrets.hideIn([`\u041b${ONE}`])).toEqual([`\u041b${place}`]);
  expect(secrets.hide(`\u041b${ONE.slice(0, 5)}\u001b[0m${ONE.slice(5)}`)).toMatch(/^\u041b__secret:API_KEY\.\w{8}__$/);
});
