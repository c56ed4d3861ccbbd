import { access, chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openGrants } from '@tenon/core';
import { startScriptedModel } from '@tenon/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess, type Finished } from '../testing/run-in-process.js';

let folder: string;
let workspace: string;
let tenonHome: string;
let file: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-managed-')));
  [workspace, tenonHome] = [path.join(folder, 'work'), path.join(folder, 'home', '.tenon')];
  file = path.join(folder, 'machine', 'settings.json');
  for (const place of [workspace, tenonHome, path.dirname(file)]) await mkdir(place, { recursive: true });
  await chmod(path.dirname(file), 0o755);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const tenon = (args: readonly string[], env = {}): Promise<Finished> =>
  runInProcess(folder, args, { env, managed: { file, owner: process.getuid?.() } });

const managed = (content: object | string): Promise<void> =>
  writeFile(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o644 });
const user = (content: object): Promise<void> =>
  writeFile(path.join(tenonHome, 'settings.json'), JSON.stringify(content));
const isThere = (name: string): Promise<boolean> =>
  access(path.join(workspace, name)).then(
    () => true,
    () => false,
  );
const call = (command: string, ...more: string[]): Promise<Finished> =>
  tenon(['call', 'run_shell_command', JSON.stringify({ command }), ...more]);

describe('what the administrator says', () => {
  it('wins over the command line, the user’s settings and what was granted', async () => {
    await managed({
      approvalMode: 'auto_edit',
      permissions: { deny: ['Bash(touch secret)'], ask: ['Bash(touch asked)'] },
    });
    await user({ approvalMode: 'yolo', permissions: { allow: ['Bash'] } });
    const { grants } = await openGrants({ root: workspace, tenonHome });
    await grants.addProject(['Bash(touch secret)', 'Bash(touch asked)']);
    for (const name of ['secret', 'asked']) {
      const { code, stderr } = await call(`touch ${name}`, '--allow', `Bash(touch ${name})`, '--approval-mode', 'yolo');
      expect([code, await isThere(name)]).toEqual([4, false]);
      expect(stderr).toContain(
        `--approval-mode is ignored: it may be stricter than in the managed settings (${file}:1:`,
      );
      expect(stderr).toContain('which say "auto_edit", never looser.');
    }
    expect((await call('touch free')).code).toBe(0);
    expect(await isThere('free')).toBe(true);
  });

  it('is shown with its file by config, explain and lint', async () => {
    await managed({ approvalMode: 'auto_edit', limits: { maxTurns: 7 }, permissions: { deny: ['Bash(git push *)'] } });
    await user({ permissions: { allow: ['Bash(git push *)'] }, limits: { maxTurns: 100 } });
    const { stdout, stderr } = await tenon(['config', '--approval-mode', 'plan', '--max-turns', '9']);
    expect(stderr).toContain(`"limits.maxTurns" is ignored here`);
    expect(stderr).toContain(`--max-turns is ignored`);
    expect(stdout).toContain(`Settings   ${file} (managed)\n`);
    expect(stdout).toMatch(
      /^approvalMode +plan {2}\(command line; never looser than "auto_edit" of managed settings \(/m,
    );
    expect(stdout).toMatch(/^limits\.maxTurns +7 {2}\(managed settings \(/m);
    expect(stdout).toMatch(/^sandbox +off {2}\(default\)$/m);
    expect(stdout).toContain(`deny   Bash(git push *)  (managed settings (${file}:1:`);
    const json = JSON.parse((await tenon(['config', '--json'])).stdout) as { settings: unknown[] };
    expect(json).toMatchObject({ files: [{ layer: 'managed', file, found: true }, {}, {}] });
    expect(json.settings).toContainEqual({
      key: 'approvalMode',
      value: 'default',
      origin: 'default',
      bound: { value: 'auto_edit', origin: `managed settings (${file}:1:2)` },
    });
    expect((await tenon(['policy', 'explain', 'git push', '--mode', 'yolo'])).stdout).toMatch(
      /call: "run_shell_command" \(mode: auto_edit\)[^]*decision: deny, because deny rule Bash\(git push \*\) \(managed settings \(/,
    );
    const lint = await tenon(['policy', 'lint']);
    expect(lint.stdout).toMatch(
      /error contradicted: allow rule Bash\(git push \*\) \(user settings.*managed settings \(/,
    );
  });

  it('fixes the model against --model, and counts in a run', async () => {
    const server = await startScriptedModel([
      { toolCalls: [{ name: 'write_file', arguments: { file_path: path.join(workspace, 'a.txt'), content: 'x' } }] },
      { text: 'done' },
    ]);
    const { baseUrl } = server;
    await managed({ model: { name: server.model, provider: 'openai', baseUrl }, approvalMode: 'plan' });
    const run = await tenon(['-p', 'go', '--model', 'other', '--approval-mode', 'yolo'], { OPENAI_API_KEY: 'k' });
    await server.close();
    expect(run.stderr).toContain('--model is ignored: it is fixed by the managed settings (');
    expect(await isThere('a.txt')).toBe(false);
    expect(server.requests.map(({ body }) => (body as { model?: unknown }).model)).toEqual([
      server.model,
      server.model,
    ]);
  });

  it('judges a recorded session in no looser mode than is allowed', async () => {
    const events = [{ type: 'session-start', sessionId: 's', roots: [workspace], approvalMode: 'yolo', tools: [] }];
    const log = path.join(folder, 'session.jsonl');
    const lines = events.map((event) => JSON.stringify({ sequence: 1, time: '2026-01-01T00:00:00.000Z', event }));
    await writeFile(log, `${lines.join('\n')}\n`);
    await managed({ approvalMode: 'default' });
    for (const mode of [[], ['--mode', 'auto_edit']])
      expect((await tenon(['policy', 'simulate', log, ...mode])).stdout).toContain('0 calls in default mode');
  });

  it('stops every start when its file is broken or not the administrator’s', async () => {
    await managed('{"permissions": {"deny": ["Ba');
    for (const args of [['config'], ['policy', 'lint'], ['call', 'glob', '{"pattern": "*"}'], ['-p', 'go']]) {
      const { code, stderr, stdout } = await tenon(args);
      expect([args, code, stdout]).toEqual([args, 7, '']);
      expect(stderr).toContain(`${file}:1:`);
      expect(stderr).toContain('nothing starts before its administrator mends it.');
    }
    await managed({});
    if (process.getuid === undefined) return;
    await chmod(file, 0o666);
    expect(await tenon(['config'])).toMatchObject({ code: 7, stderr: expect.stringContaining('is not believed') });
  });

  it.each(['deny', 'ask', 'allow'])('stops the start for a broken %s rule as well', async (list) => {
    await managed({ permissions: { [list]: ['Bash('] } });
    const { code, stderr } = await call('ls');
    expect([code, stderr.includes('managed settings (')]).toEqual([7, true]);
  });
});

describe('permissions.grantDays', () => {
  it('lets grants end, and the list says when', async () => {
    await managed({ permissions: { grantDays: 30 } });
    await user({ permissions: { grantDays: 90 } });
    const day = 24 * 60 * 60 * 1000;
    const { grants } = await openGrants({ root: workspace, tenonHome, days: 10 });
    await grants.addProject(['Bash(make)'], 'make');
    const { grants: endless } = await openGrants({ root: workspace, tenonHome });
    await endless.addProject(['Bash(touch *)']);
    const { stdout } = await tenon(['policy', 'grants']);
    const until = (days: number): string => new Date(Date.now() + days * day).toISOString().slice(0, 10);
    expect(stdout).toMatch(new RegExp(`^ {2}1 {2}Bash\\(make\\) .*, for make, until ${until(10)}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^ {2}2 {2}Bash\\(touch \\*\\) .*, until ${until(30)}$`, 'm'));
    expect(await call('touch granted')).toMatchObject({ code: 0 });
    const given = [{ rule: 'Bash(touch *)', time: new Date(Date.now() - 31 * day).toISOString() }];
    const { readdir } = await import('node:fs/promises');
    const [name = ''] = await readdir(path.join(tenonHome, 'projects'));
    const stored = path.join(tenonHome, 'projects', name, 'grants.json');
    await writeFile(stored, JSON.stringify({ version: 1, allow: ['Bash(touch *)'], given }));
    expect((await tenon(['policy', 'grants'])).stdout).toMatch(new RegExp(`ended ${until(-1)}$`, 'm'));
    expect(await call('touch late')).toMatchObject({ code: 4 });
    expect((await tenon(['policy', 'explain', 'touch late'])).stdout).toContain('decision: ask');
    expect(await tenon(['policy', 'revoke', '1'])).toMatchObject({ code: 0 });
  });
});
