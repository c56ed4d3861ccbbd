import { chmod, mkdir, writeFile } from 'node:fs/promises';
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

  it('of another agent work as they are: folders with blanks, scripts, references, other encodings (S142)', async () => {
    bench = await createBench([
      call('skill', { skill: 'form-filler', args: '"big file.pdf" 2' }),
      () => call('read_file', { absolute_path: path.join(folder, 'references/field list.md') }),
      () => call('run_shell_command', { command: `"${folder}/scripts/fill it.sh" one` }),
      { text: 'ok' },
    ]);
    const skills = path.join(path.dirname(bench.tenonHome), '.claude/skills');
    const folder = path.join(skills, 'form filler');
    const put = async (name: string, content: string | Uint8Array): Promise<void> => {
      await mkdir(path.dirname(path.join(skills, name)), { recursive: true });
      await writeFile(path.join(skills, name), content);
    };
    await put(
      'form filler/SKILL.md',
      '\ufeff---\r\nname: form-filler\r\ndescription: Use this skill when: a form is to be filled.\r\nallowed-tools: Bash(sh:*), Read\r\nlicense: Apache-2.0\r\nmetadata:\r\n  version: "1.0"\r\n---\r\n\r\n# Forms\r\n\r\nFill $ARGUMENTS[0] on page $ARGUMENTS[1] by `${CLAUDE_SKILL_DIR}/scripts/fill it.sh` with $1.\r\n',
    );
    await put('form filler/references/field list.md', 'Name, then age.');
    await put('form filler/scripts/fill it.sh', '#!/bin/sh\necho "filled $1"\n');
    await chmod(path.join(folder, 'scripts/fill it.sh'), 0o700);
    await put(
      'wide/SKILL.md',
      Buffer.from('\ufeff---\nname: wide\ndescription: \u00fcber\n---\nGanz gro\u00df.', 'utf16le'),
    );
    const { code, stdout } = await bench.run(['-p', 'go', '--approval-mode', 'yolo']);
    expect([code, stdout]).toEqual([0, 'ok\n']);
    expect(JSON.stringify(bench.model.requests[0]?.body.tools)).toContain('form-filler: Use this skill when: a form');
    const said = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
    expect(said).toContain(`Fill big file.pdf on page 2 by \`${folder}/scripts/fill it.sh\` with $1.`);
    expect(said).toContain('references/field list.md (15 bytes), scripts/fill it.sh (27 bytes)');
    expect(said).toContain('Name, then age.');
    expect(said).toContain('filled one');
    const shown = await bench.run(['skills', 'show', 'wide']);
    expect([shown.code, shown.stdout.includes('Ganz gro\u00df.')]).toEqual([0, true]);
    expect((await bench.run(['skills', 'show', 'form-filler'])).stdout).not.toContain('{feff}');
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
