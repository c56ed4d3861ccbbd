import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { placeholderKey } from '../secrets/placeholder-key.js';
import { Secrets } from '../secrets/secrets.js';
import { runWithSecrets } from './fill-secrets.js';
import type { PreparedCall } from './prepare-call.js';

const VALUE = 'f7Kp2xQz9LmV4tRw';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-fill-'));
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', '.env'), `API_KEY=${VALUE}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Secrets that find environment files only once they are let. */
class SlowSecrets extends Secrets {
  find: () => void = () => undefined;
  readonly #mayFind = new Promise<void>((resolve) => (this.find = resolve));

  override async noteFiles(files: readonly string[]): Promise<void> {
    await this.#mayFind;
    await super.noteFiles(files);
  }
}

const open = (): SlowSecrets =>
  new SlowSecrets({ environment: {}, roots: [folder], key: () => placeholderKey(join(folder, 'placeholder.key')) });
const READ: Effect = { kind: 'read', path: '/work/a', requested: '/work/a', zone: 'workspace' };
const UNKNOWN: Effect = { kind: 'unknown', reason: 'anything' };
const call = { tool: { name: 'read_file' } } as PreparedCall;
const services = (secrets: Secrets): Parameters<typeof runWithSecrets>[2] => ({
  secrets,
  policyContext: () => {
    throw new Error('not asked for');
  },
});

it('lets a call that only reads begin while environment files are looked for, and tells its result without what they hold', async () => {
  const secrets = open();
  const { llmContent } = await runWithSecrets(call, { effects: [READ] }, services(secrets), async () => {
    secrets.find();
    return { llmContent: `it is ${VALUE}`, returnDisplay: '' };
  });
  expect(llmContent).toBe('it is __secret:API_KEY__');
});

it('lets a failure be told no sooner than its result', async () => {
  const secrets = open();
  let hasEnded = false;
  const running = runWithSecrets(call, { effects: [READ] }, services(secrets), () => Promise.reject(new Error(VALUE)));
  const ended = running.catch(() => (hasEnded = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hasEnded).toBe(false);
  secrets.find();
  await ended;
  expect(hasEnded).toBe(true);
  expect(secrets.hide(VALUE)).toBe('__secret:API_KEY__');
});

it('lets no other call begin before they were found', async () => {
  const secrets = open();
  let hasBegun = false;
  const running = runWithSecrets(call, { effects: [READ, UNKNOWN] }, services(secrets), async () => {
    hasBegun = true;
    return { llmContent: VALUE, returnDisplay: '' };
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hasBegun).toBe(false);
  secrets.find();
  expect((await running).llmContent).toBe('__secret:API_KEY__');
  expect(hasBegun).toBe(true);
});
