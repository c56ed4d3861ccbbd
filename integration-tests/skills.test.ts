import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => bench?.end());

const skill = '---\nname: pdf\ndescription: Reads forms.\n---\nRead $ARGUMENTS as form.md says.';
const home = { 'skills/pdf/SKILL.md': skill, 'skills/pdf/form.md': 'Line by line.' };
const call = (name: string, args: Readonly<Record<string, unknown>>) => ({ toolCalls: [{ name, arguments: args }] });

describe('skills in the built program', () => {
  it('are called by the model, with what lies beside them, where nobody can be asked (S142)', async () => {
    let form = '';
    bench = await createBench(
      [call('skill', { name: 'pdf', args: 'a.pdf' }), () => call('read_file', { absolute_path: form }), { text: 'ok' }],
      { home },
    );
    form = path.join(bench.tenonHome, 'skills/pdf/form.md');
    const { code, stdout } = await bench.run(['-p', 'go']);
    expect([code, stdout]).toEqual([0, 'ok\n']);
    const said = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
    expect(said).toContain('Read a.pdf as form.md says.');
    expect(said).toContain('Line by line.');
  });

  it('are said by the person, listed and checked', async () => {
    bench = await createBench([{ text: 'ok' }], { home });
    expect(await bench.run(['-p', '/pdf b.pdf'])).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(JSON.stringify(bench.model.requests[0]?.body.messages)).toContain('Read b.pdf as form.md says.');
    expect((await bench.run(['skills'])).stdout).toContain('/pdf: Reads forms. (yours, ~/.tenon/skills)');
    expect((await bench.run(['skills', 'check'])).stdout).toBe('1 skill: nothing is wrong.\n');
  });

  it('of a cloned folder are withheld until the person trusts it, and are there from then on', async () => {
    bench = await createBench([{ text: 'ok' }, call('skill', { name: 'theirs' }), { text: 'ok' }]);
    const file = path.join(bench.workspace, '.claude/skills/theirs/SKILL.md');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, skill.replace('pdf', 'theirs'));
    await bench.run(['-p', 'go']);
    expect(JSON.stringify(bench.model.requests[0]?.body)).not.toContain('Reads forms');
    expect((await bench.run(['skills'])).stdout).toContain('theirs (.claude/skills)');
    expect((await bench.run(['trust', '--yes'])).code).toBe(0);
    expect((await bench.run(['-p', 'go'])).code).toBe(0);
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain(
      'of the project, which the user trusts',
    );
  });
});
