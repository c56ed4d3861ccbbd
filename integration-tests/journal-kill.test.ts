import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childProgram } from './bundle-child.js';
import { IgnoreRules } from '../packages/core/src/files/ignore-rules.js';
import { QWEN_IGNORE } from '../packages/core/src/files/ignore-stack.js';
import { WorkspaceGate } from '../packages/core/src/files/workspace-gate.js';
import { FileJournal } from '../packages/core/src/journal/file-journal.js';
import { drawFrom, drawTransaction, makeTree, treeOf } from './journal-trees.js';

/** `TENON_KILL_RUNS=1000` for the long proof. */
const RUNS = Number(process.env['TENON_KILL_RUNS'] ?? '60');
const FIRST_SEED = Number(process.env['TENON_KILL_SEED'] ?? '1');
const AT_ONCE = 3;

// A kill loses nothing that was written, on whatever disk; in memory a thousand runs take two minutes.
const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const { base, child } = childProgram('journal-kill-child.ts', FAST);

interface Places {
  readonly root: string;
  readonly folder: string;
  readonly temp: string;
}

function places(name: string): Places {
  const made = { root: join(base, name, 'ws'), folder: join(base, name, 'journal'), temp: join(base, name, 'temp') };
  for (const path of [made.root, made.temp]) mkdirSync(path, { recursive: true });
  return made;
}

function journalOf({ root, folder, temp }: Places, onStep: (step: string) => void = () => undefined): FileJournal {
  const gate = new WorkspaceGate({ roots: [root], tempDir: temp, ignore: new IgnoreRules(QWEN_IGNORE, [root]) });
  return new FileJournal({ gate, folder, onStep, adoptFromBytes: 10_000 });
}

interface ChildRun {
  readonly work: 'commit' | 'recover';
  readonly seed: number;
  readonly killAt: number;
}

/** The step at which the child was killed; undefined when it came to its end. */
function runChild({ root, folder, temp }: Places, { work, seed, killAt }: ChildRun): Promise<string | undefined> {
  const args = [child, work, root, folder, temp, String(seed), String(killAt)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (thrown, stdout, stderr) => {
      if (thrown === null) resolve(undefined);
      else if (thrown.signal === 'SIGKILL' && stdout !== '') resolve(stdout);
      else reject(new Error(`seed ${seed}, step ${killAt}: ${thrown.message} ${stderr}`));
    });
  });
}

/** What a kill in the middle of a write would leave: the first bytes are new, the others old. */
function tear({ folder }: Places, share: number): void {
  const [name = ''] = readdirSync(join(folder, 'pending')).filter((one) => one.endsWith('.json'));
  const { changes, work } = JSON.parse(readFileSync(join(folder, 'pending', name), 'utf8')) as {
    changes: { path: string; before: { hash: string }; after: { hash: string } }[];
    work: { plan: { manner: string }[] };
  };
  const blob = (hash: string): Buffer => readFileSync(join(folder, 'blobs', hash.slice(0, 2), hash));
  for (const [index, { path, before, after }] of changes.entries()) {
    if (work.plan[index]?.manner !== 'overwrite') continue;
    const [now, next] = [readFileSync(path), blob(after.hash)];
    if (!now.equals(blob(before.hash))) continue;
    const written = Math.floor((next.length * share) / 10);
    writeFileSync(path, Buffer.concat([next.subarray(0, written), now.subarray(written)]), { flag: 'r+' });
    if (now.length < written) truncateSync(path, written);
    return;
  }
}

type Outcome = 'before' | 'after';

async function tryOnce(seed: number): Promise<Outcome> {
  const draw = drawFrom(seed);
  const [model, real] = [places(`${seed}-model`), places(`${seed}`)];
  for (const { root } of [model, real]) makeTree(root, drawFrom(seed));
  const before = treeOf(real.root);
  let steps = 0;
  await journalOf(model, () => {
    steps += 1;
  }).commit(drawTransaction(model.root, drawFrom(seed + 7_000_000)));
  const after = treeOf(model.root);

  const step = await runChild(real, { work: 'commit', seed, killAt: 1 + draw(steps) });
  if (step === 'before overwrite' && draw(3) > 0) tear(real, draw(11));
  if (draw(3) === 0) await runChild(real, { work: 'recover', seed, killAt: 1 + draw(8) });
  const journal = journalOf(real);
  const told = await journal.recover();
  const now = treeOf(real.root);
  const where = `seed ${seed}, killed ${step ?? 'never'}`;
  const isAfter = String(now) === String(after);
  if (!isAfter) expect([where, now]).toEqual([where, before]);
  expect([where, told]).toEqual([where, []]);
  // What happened is in the journal, and nothing is left to do.
  const { entries } = await journal.entries();
  if (String(before) !== String(after)) expect([where, entries.length]).toEqual([where, isAfter ? 1 : 0]);
  const pending = join(real.folder, 'pending');
  const left = existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith('.json')) : [];
  expect([where, left]).toEqual([where, []]);
  for (const { root } of [model, real]) rmSync(join(root, '..'), { recursive: true, force: true });
  return isAfter ? 'after' : 'before';
}

describe('a process that is killed in the middle of a transaction', () => {
  it(
    `leaves the tree as before or as after, ${RUNS} times`,
    async () => {
      const count: Record<Outcome, number> = { before: 0, after: 0 };
      let next = FIRST_SEED;
      const worker = async (): Promise<void> => {
        while (next < FIRST_SEED + RUNS) {
          const seed = next;
          next += 1;
          count[await tryOnce(seed)] += 1;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      process.stdout.write(`${RUNS} runs: ${count.before} times as before, ${count.after} times as after\n`);
      expect(count.before).toBeGreaterThan(0);
      expect(count.after).toBeGreaterThan(0);
    },
    20_000 + RUNS * 1000,
  );
});
