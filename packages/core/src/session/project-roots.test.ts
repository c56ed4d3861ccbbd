import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectFolders } from './project-folders.js';
import { projectRoots } from './project-roots.js';

let home = '';
afterEach(async () => rm(home, { recursive: true, force: true }));

async function newHome(): Promise<string> {
  home = await realpath(await mkdtemp(join(tmpdir(), 'tenon-roots-')));
  return home;
}

async function log(root: string, name: string, roots: readonly string[]): Promise<void> {
  const { sessions } = projectFolders(home, root);
  const event = { type: 'session-start', sessionId: 'x', version: '0', model: 'm', roots, approvalMode: 'default' };
  await writeFile(join(sessions, name), `${JSON.stringify({ sequence: 1, time: 't', event })}\n`);
}

describe('the workspaces that have a session', () => {
  it('are named by their logs, each once, with any characters in their names', async () => {
    await newHome();
    const strange = join(home, 'a "b"\\c é');
    await mkdir(strange);
    await log(home, '1.jsonl', [home]);
    await log(home, '2.jsonl', [home, '/other']);
    await log(strange, '1.jsonl', [strange]);
    expect([...(await projectRoots(home))].toSorted()).toEqual([home, strange].toSorted());
  });

  it('are none where there is no session, and damaged logs are passed over', async () => {
    await newHome();
    expect(await projectRoots(home)).toEqual([]);
    await log(home, '1.jsonl', [home]);
    await writeFile(join(projectFolders(home, home).sessions, '2.jsonl'), '{"sequence":1,"ti');
    expect(await projectRoots(home)).toEqual([home]);
  });
});
