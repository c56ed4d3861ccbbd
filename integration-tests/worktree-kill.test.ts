import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createToolSystem } from '@tenon/core';
import { startScriptedModel, type RecordedRequest, type ScriptedTurn } from '@tenon/core/testing';
import { childProgram } from './bundle-child.js';
import { yoloOptions } from './yolo-options.js';

const FILES = 40;
const KILLS = 14;

const { base, child } = childProgram('worktree-kill-child.ts');

const git = (root: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd: root, encoding: 'utf8' });

/** The agent in the worktree changes every file by a command, then ends. */
function answer({ body }: RecordedRequest): ScriptedTurn {
  const text = JSON.stringify(body.messages);
  const turn = body.messages.filter(({ role }) => role === 'assistant').length;
  const isSubagent = text.includes('You are the subagent');
  if (turn > 0) return { text: 'done' };
  const [name, args] = isSubagent
    ? ['run_shell_command', { command: 'for f in *.txt; do echo new > $f; sleep 0.002; done; echo mine > mine.txt' }]
    : ['task', { description: 'a task', prompt: 'do it', isolation: 'worktree' }];
  return { toolCalls: [{ name, arguments: args }] };
}

interface Place {
  readonly root: string;
  readonly home: string;
}

function makePlace(name: string): Place {
  const [root, home] = [join(base, name, 'ws'), join(base, name, 'home')];
  for (const folder of [root, home]) mkdirSync(folder, { recursive: true });
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(root, `f${file}.txt`), `old ${file}\n`);
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'first');
  writeFileSync(join(root, 'f0.txt'), 'not committed\n');
  return { root, home };
}

/** Killed so long after the first request of the main agent, in milliseconds, or once all is done. Returns after how long. */
async function run({ root, home }: Place, killAfter?: number): Promise<number> {
  const model = await startScriptedModel(Array.from({ length: 20 }, () => answer));
  const running = spawn(process.execPath, [child, root, home, model.baseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [done, ended] = [once(running.stdout, 'data'), once(running, 'exit')];
  while (model.requests.length === 0) await sleep(5);
  const startedAt = performance.now();
  await (killAfter === undefined ? done : sleep(killAfter));
  const took = performance.now() - startedAt;
  running.kill('SIGKILL');
  await ended;
  await model.close();
  return took;
}

async function noticesOf(root: string, home: string): Promise<string> {
  const system = await createToolSystem(yoloOptions(root, home));
  await system.close();
  return system.notices.filter((text) => text.includes('worktree')).join('\n');
}

it(
  'of an agent that is killed in its worktree nothing is lost: the workspace is as before or has all of it, and the next start tells of the rest, once',
  { timeout: 240_000 },
  async () => {
    const seen = new Set<string>();
    // How long it takes depends on the machine, and on what else it does.
    const whole = await run(makePlace('whole'));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const place = makePlace(`${kill}`);
      const { root, home } = place;
      const after = Math.round((whole * kill) / (KILLS - 1));
      await run(place, after);

      const notices = await noticesOf(root, home);
      const trees = existsSync(`${home}-worktrees`)
        ? readdirSync(`${home}-worktrees`).flatMap((name) =>
            readdirSync(join(`${home}-worktrees`, name)).map((tree) => join(`${home}-worktrees`, name, tree)),
          )
        : [];
      const contents = Array.from({ length: FILES }, (_, file) => readFileSync(join(root, `f${file}.txt`), 'utf8'));
      const isOld = contents.every((text, file) => text === (file === 0 ? 'not committed\n' : `old ${file}\n`));
      const isNew = contents.every((text) => text === 'new\n') && existsSync(join(root, 'mine.txt'));
      expect([after, isOld || isNew]).toEqual([after, true]);
      // What is kept was told, and what was told is kept.
      expect([after, trees.length]).toEqual([after, notices === '' ? 0 : 1]);
      for (const tree of trees) {
        expect(notices).toContain(tree);
        expect(git(tree, 'status', '--porcelain')).not.toBe('');
        expect(isNew).toBe(false);
      }
      expect(git(root, 'worktree', 'list').trim().split('\n')).toHaveLength(1 + trees.length);
      expect(await noticesOf(root, home)).toBe('');
      for (const tree of trees) git(root, 'worktree', 'remove', '--force', tree);
      expect(await noticesOf(root, home)).toBe('');
      const records = join(home, 'projects', readdirSync(join(home, 'projects'))[0] ?? '', 'worktrees');
      expect(existsSync(records) ? readdirSync(records) : []).toEqual([]);
      seen.add(isNew ? 'taken over' : trees.length > 0 ? 'kept' : 'nothing was changed');
    }
    expect(seen.has('kept')).toBe(true);
    expect(seen.size).toBeGreaterThan(1);
  },
);
