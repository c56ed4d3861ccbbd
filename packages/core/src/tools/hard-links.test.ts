import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolSystem } from '../agent-types.js';
import { createToolSystem } from '../create-tool-system.js';
import { ApprovalMode } from '../policy/approval-mode.js';

let base: string;
let system: ToolSystem;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-links-')));
  for (const folder of ['work', 'store', 'home']) mkdirSync(join(base, folder));
  writeFileSync(join(base, 'store', 'shared.txt'), 'one\n');
  linkSync(join(base, 'store', 'shared.txt'), join(base, 'work', 'shared.txt'));
  symlinkSync('shared.txt', join(base, 'work', 'alias.txt'));
  writeFileSync(join(base, 'work', 'own.txt'), 'one\n');
});
afterEach(async () => {
  await system.close();
  rmSync(base, { recursive: true, force: true });
});

/** Makes the calls one after the other with no one to ask, and returns how each ended. */
async function statuses(
  mode: ApprovalMode,
  ...calls: readonly (readonly [tool: string, args: Record<string, unknown>])[]
): Promise<readonly string[]> {
  const home = join(base, 'home');
  system = await createToolSystem({
    roots: [join(base, 'work')],
    tenonHome: home,
    userHome: home,
    approvalMode: mode,
    rules: [],
    environment: { PATH: process.env['PATH'] },
  });
  const ended: string[] = [];
  for (const [toolName, args] of calls) {
    const call = { callId: `c${ended.length}`, toolName, argumentsText: JSON.stringify(args) };
    for await (const event of system.runCalls([call], new AbortController().signal))
      if (event.type === 'tool-call-end') ended.push(event.status);
  }
  return ended;
}

const edit = (name: string) =>
  ['edit', { file_path: join(base, 'work', name), old_string: 'one', new_string: 'two' }] as const;
const write = (name: string) => ['write_file', { file_path: join(base, 'work', name), content: 'new\n' }] as const;
const read = (name: string) => ['read_file', { absolute_path: join(base, 'work', name) }] as const;
const shell = (command: string) => ['run_shell_command', { command }] as const;

describe('a file with other names (hard links)', () => {
  it('is written in auto_edit mode only after a question, by whatever tool and name', async () => {
    const patch = '*** Begin Patch\n*** Update File: shared.txt\n@@\n-one\n+two\n*** End Patch';
    const ended = await statuses(
      ApprovalMode.AUTO_EDIT,
      read('shared.txt'),
      edit('shared.txt'),
      edit('alias.txt'),
      write('shared.txt'),
      ['apply_patch', { patch }],
      shell('echo two > shared.txt'),
      shell('echo two >> alias.txt'),
      shell('cp own.txt shared.txt'),
      shell('tee shared.txt < own.txt'),
    );
    expect(ended).toEqual(['success', ...Array.from({ length: 8 }, () => 'denied')]);
  });

  it('is read like any other, and files with one name are written as before', async () => {
    const ended = await statuses(
      ApprovalMode.AUTO_EDIT,
      read('own.txt'),
      edit('own.txt'),
      shell('cat shared.txt'),
      shell('mkdir d'),
      shell('cp shared.txt copy.txt'),
      write('d/new.txt'),
    );
    expect(ended).toEqual(Array.from({ length: 6 }, () => 'success'));
  });

  it('is written in yolo mode, which asks for nothing outside either', async () => {
    expect(await statuses(ApprovalMode.YOLO, read('shared.txt'), edit('shared.txt'))).toEqual(['success', 'success']);
  });
});
