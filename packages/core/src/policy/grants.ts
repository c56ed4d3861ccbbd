import { constants } from 'node:fs';
import { link, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';
import { parseRule } from './parse-rule.js';
import type { Rule } from './rule.js';

const LARGEST = 1024 * 1024;
const LOCK_WAIT_MS = 5000;
const LOCK_STALE_MS = 10_000;

type Stored = { readonly rules: readonly string[] } | { readonly problem: string };

/**
 * The allow rules that the person granted with "always": for this session in memory, for this project in one
 * JSON file under Tenon's home (`{"version":1,"allow":["…"]}`), readable by its owner only.
 */
export class Grants {
  readonly #file: string;
  #session: readonly Rule[] = [];
  #project: readonly Rule[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Every grant that holds now, the project's first. */
  rules(): readonly Rule[] {
    return [...this.#project, ...this.#session];
  }

  forSession(): readonly Rule[] {
    return this.#session;
  }

  /** Holds until the session ends. @throws Failure `invalid_rule` */
  addSession(rules: readonly string[]): void {
    this.#session = merge(this.#session, rules.map(checked), 'this session');
  }

  /**
   * Saves rules for the project and lets them hold at once; what other sessions saved meanwhile is kept. A file
   * that cannot be read is set aside as `….damaged-…`, never overwritten. @throws Failure `invalid_rule`, `grants_not_saved`
   */
  async addProject(rules: readonly string[]): Promise<void> {
    const added = rules.map(checked);
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await withLock(`${this.#file}.lock`, async () => {
        const stored = await readStored(this.#file);
        if ('problem' in stored) await setAside(this.#file);
        const before = 'problem' in stored ? [] : stored.rules;
        const all = [...new Set([...before, ...added])];
        await writeStored(this.#file, all);
        this.#project = merge([], all.filter(isUsable), 'this project');
      });
    } catch (thrown) {
      throw new Failure('grants_not_saved', `The rule could not be saved in ${this.#file}: ${errorMessage(thrown)}`, {
        cause: thrown,
      });
    }
  }

  /** Reads the project's grants. What is wrong with them is returned, one sentence each, and grants nothing. */
  async load(): Promise<string[]> {
    const stored = await readStored(this.#file);
    if ('problem' in stored) {
      this.#project = [];
      return [`The project's saved rules are not used: ${stored.problem}. Mend or remove ${this.#file}.`];
    }
    this.#project = merge([], stored.rules.filter(isUsable), 'this project');
    return stored.rules
      .filter((rule) => !isUsable(rule))
      .map((rule) => `The saved rule ${JSON.stringify(rule)} in ${this.#file} cannot be read and grants nothing.`);
  }
}

function checked(text: string): string {
  const parsed = parseRule(text);
  if ('problem' in parsed)
    throw new Failure('invalid_rule', `The rule ${JSON.stringify(text)} cannot be saved. ${parsed.problem}`);
  return text;
}

function isUsable(text: string): boolean {
  return !('problem' in parseRule(text));
}

function merge(rules: readonly Rule[], texts: readonly string[], origin: string): readonly Rule[] {
  const known = new Set(rules.map((rule) => rule.text));
  const fresh = [...new Set(texts)].filter((text) => !known.has(text));
  return [...rules, ...fresh.map((text): Rule => ({ list: 'allow', text, origin }))];
}

async function readStored(file: string): Promise<Stored> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT') return { rules: [] };
    return { problem: code === 'ELOOP' ? 'the file is a symbolic link' : errorMessage(thrown) };
  }
  try {
    const info = await handle.stat();
    if (!info.isFile()) return { problem: 'it is not a regular file' };
    if (info.size > LARGEST) return { problem: 'the file is too large' };
    if (process.platform !== 'win32' && (info.mode & 0o022) !== 0) {
      return { problem: 'other users may change the file (chmod 600 it after checking its content)' };
    }
    return parseStored(await handle.readFile('utf8'));
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  } finally {
    await handle.close();
  }
}

function parseStored(text: string): Stored {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { problem: `the file is not JSON (${errorMessage(thrown)})` };
  }
  if (typeof value !== 'object' || value === null || !('version' in value) || !('allow' in value)) {
    return { problem: 'the file has no "version" and "allow"' };
  }
  if (value.version !== 1) return { problem: 'the file was written by another version' };
  const { allow } = value;
  if (!Array.isArray(allow) || !allow.every((rule): rule is string => typeof rule === 'string')) {
    return { problem: '"allow" is not a list of texts' };
  }
  return { rules: allow };
}

async function writeStored(file: string, rules: readonly string[]): Promise<void> {
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify({ version: 1, allow: rules }, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

/** `link` never overwrites, so an earlier damaged file stays as well. */
async function setAside(file: string): Promise<void> {
  const aside = `${file}.damaged-${randomUUID().slice(0, 8)}`;
  try {
    await link(file, aside);
    await rm(file);
  } catch {
    // No hard links here, or a folder stands in the way: the name is new, so renaming loses nothing either.
    await rename(file, aside);
  }
}

/** One writer at a time, over processes. A lock that a crashed process left is taken over. */
async function withLock(lock: string, act: () => Promise<void>): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'EEXIST') throw thrown;
    }
    const info = await stat(lock).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > LOCK_STALE_MS) await rm(lock, { force: true });
    else if (performance.now() - start > LOCK_WAIT_MS)
      throw new Failure('grants_locked', `${lock} is held by another process`);
    else await sleep(15);
  }
  try {
    await act();
  } finally {
    await rm(lock, { force: true });
  }
}
