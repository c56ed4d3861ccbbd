import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { RuleList } from '../policy/rule.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';

let root: TempWorkspace;
let own: TempWorkspace;
let temp: TempWorkspace;
let folders: string[];
let gate: WorkspaceGate;

beforeEach(async () => {
  [root, own, temp] = await Promise.all([
    createTempWorkspace({ 'a.txt': 'a' }),
    createTempWorkspace({
      'pdf/SKILL.md': 'x',
      'pdf/deep/form.md': 'the form',
      'pdf/out': { linkTo: '../other' },
      'other/x.md': 'x',
    }),
    createTempWorkspace(),
  ]);
  folders = [];
  const ignore = new IgnoreRules(QWEN_IGNORE, [root.root]);
  gate = new WorkspaceGate({ roots: [root.root], tempDir: temp.root, ignore, alsoFolders: () => folders });
});
afterEach(async () => {
  for (const each of [root, own, temp]) await each.remove();
});

describe('the folder of a skill outside the workspace', () => {
  it('is outside until it is opened, and is read then, with all below it', async () => {
    const form = own.path('pdf/deep/form.md');
    expect(gate.check(form)?.code).toBe('path_not_in_workspace');
    folders.push(own.path('pdf'));
    expect(gate.resolve(form)).toMatchObject({ zone: 'skill', kind: 'file' });
    expect(await gate.withFile(form, async (handle) => handle.readSmall()?.toString())).toBe('the form');
    const names = await gate.withFolder(own.path('pdf'), async (folder) =>
      (await folder.list()).map(({ name }) => name),
    );
    expect(names.toSorted()).toEqual(['SKILL.md', 'deep', 'out']);
    expect(gate.resolve(root.path('a.txt')).zone).toBe('workspace');
    expect(gate.resolve(temp.path('x')).zone).toBe('temp');
    // What commands touch is judged as before.
    expect(gate.contains(form)).toBe(false);
  });

  it('leads nowhere else: neither by a link, nor by "..", nor to a folder of a like name', () => {
    folders.push(own.path('pdf'));
    for (const path of ['pdf/out/x.md', 'pdf/../other/x.md', 'pdf2/x', 'other/x.md'])
      expect(gate.check(own.path('pdf').replace(/pdf$/, path))?.code).toBe('path_not_in_workspace');
  });

  it('is written by nobody', async () => {
    folders.push(own.path('pdf'));
    const refused = { code: 'path_not_in_workspace' };
    const never = (): never => {
      throw new Error('it is not held');
    };
    await expect(gate.withTarget(own.path('pdf/SKILL.md'), never)).rejects.toMatchObject(refused);
    await expect(gate.withTarget(own.path('pdf/new.md'), never)).rejects.toMatchObject(refused);
    await expect(gate.removeEmptyFolder(own.path('pdf/deep'))).rejects.toMatchObject(refused);
  });

  it('that is gone by now is a path that cannot be followed, and no error', () => {
    folders.push('/nowhere/at/all');
    expect(gate.check('/nowhere/at/all/x')).not.toBeNull();
    expect(gate.check(own.path('pdf/SKILL.md'))?.code).toBe('path_not_in_workspace');
  });
});

describe('the policy on it', () => {
  const judge = (kind: 'read' | 'write', mode: ApprovalMode, ...rules: (readonly [RuleList, string])[]) =>
    decide(
      { toolName: 'read_file', effects: [{ kind, path: '/own/pdf/x', requested: '/own/pdf/x', zone: 'skill' }] },
      {
        mode,
        rules: rules.map(([list, text]) => ({ list, text, origin: 'test' })),
        roots: ['/w'],
        home: '/h',
      },
    ).decision;

  it('lets it be read in every mode, but where a rule speaks of it', () => {
    for (const mode of Object.values(ApprovalMode)) expect(judge('read', mode)).toBe('allow');
    expect(judge('read', ApprovalMode.YOLO, ['deny', 'Read(//own/**)'])).toBe('deny');
    expect(judge('read', ApprovalMode.YOLO, ['ask', 'Read(//own/pdf/x)'])).toBe('ask');
  });

  it('treats writing there as writing outside', () => {
    expect(judge('write', ApprovalMode.PLAN)).toBe('deny');
    expect(judge('write', ApprovalMode.DEFAULT)).toBe('ask');
    expect(judge('write', ApprovalMode.AUTO_EDIT)).toBe('ask');
  });
});
