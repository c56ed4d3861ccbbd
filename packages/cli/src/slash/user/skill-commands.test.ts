import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { startScriptedModel, type ScriptedModel, type ScriptedTurn } from '@tenon/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExitCode } from '../../exit-codes.js';
import { runInProcess, type Finished } from '../../testing/run-in-process.js';

let folder: string;
let model: ScriptedModel | undefined;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tenon-skills-')));
  mkdirSync(path.join(folder, 'work'));
});
afterEach(async () => {
  await model?.close();
  model = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\nBe ${name} with $ARGUMENTS: !\`touch made\` and @work/x.`;

async function run(turns: readonly ScriptedTurn[], args: readonly string[], input = ''): Promise<Finished> {
  model = await startScriptedModel(turns);
  const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: model.model };
  return runInProcess(folder, args, {
    env,
    stdin: () => {
      const stdin = new PassThrough();
      stdin.end(input);
      return stdin;
    },
  });
}
const said = (at = 0): string => JSON.stringify(model?.requests[at]?.body.messages.slice(1));

describe('a prompt of a program that begins with a slash', () => {
  it('says a skill of the person, whose text goes along; nothing in it is run, and what its fields want is told', async () => {
    put('home/.tenon/skills/pdf/SKILL.md', skill('pdf', 'disable-model-invocation: true\nallowed-tools: Bash\n'));
    const { code, stdout, stderr } = await run([{ text: 'done' }], ['-p', '/PDF two words'], 'piped\n');
    expect([code, stdout]).toEqual([ExitCode.OK, 'done\n']);
    expect(stderr).toContain('/pdf: allowed-tools grants nothing');
    expect(said()).toContain('/pdf two words');
    expect(said()).toContain('[The user said /pdf: what follows is the skill of that name.]');
    expect(said()).toContain('Be pdf with two words: !`touch made` and @work/x.');
    expect(said()).toContain('<stdin>\\npiped');
    expect(said()).toContain('was not run: run what you need of it with run_shell_command');
    expect(model?.requests[0]?.body.tools?.some((tool) => tool.function.name === 'skill')).toBe(false);
  });

  it('says a command that a user wrote as well; any other is said as it is', async () => {
    put('home/.tenon/commands/say.md', 'Say $1 loudly');
    put('home/.tenon/skills/say/SKILL.md', skill('say'));
    await run([{ text: 'ok' }], ['-p', '/say this']);
    expect(said()).toContain('Say this loudly');
    await model?.close();
    await run([{ text: 'ok' }], ['-p', '/skill:say this']);
    expect(said()).toContain('Be say with this');
    await model?.close();
    await run([{ text: 'ok' }], ['-p', '/usr/bin/x is broken']);
    expect(said()).toContain('/usr/bin/x is broken');
    await model?.close();
    await run([{ text: 'ok' }], ['-p', '/nothing of the sort']);
    expect(said()).toContain('/nothing of the sort');
  });

  it('is not said where its skill came with a folder that is not trusted, or is the model\u2019s alone', async () => {
    put('work/.tenon/skills/evil/SKILL.md', skill('evil'));
    put('home/.tenon/skills/inner/SKILL.md', skill('inner', 'user-invocable: false\n'));
    const { code, stderr } = await run([{ text: 'ok' }], ['-p', '/evil']);
    expect(code).toBe(ExitCode.USAGE);
    expect(stderr).toContain('tenon trust --yes');
    expect(model?.requests).toHaveLength(0);
    await model?.close();
    await run([{ text: 'ok' }], ['-p', '/inner']);
    expect(said()).not.toContain('Be inner');
  });

  it('comes as a line just so', async () => {
    put('home/.tenon/skills/pdf/SKILL.md', skill('pdf'));
    put('work/.tenon/skills/evil/SKILL.md', skill('evil'));
    const lines = [
      { type: 'user', text: '/pdf a' },
      { type: 'user', text: '/evil' },
      { type: 'user', text: 'plain' },
    ];
    const { code, stdout } = await run(
      [{ text: 'one' }, { text: 'two' }],
      ['--input-format', 'stream-json', '--output-format', 'stream-json'],
      lines.map((line) => JSON.stringify(line)).join('\n'),
    );
    expect(code).toBe(ExitCode.USAGE);
    expect(said(0)).toContain('Be pdf with a');
    expect(model?.requests).toHaveLength(2);
    expect(said(1)).toContain('plain');
    expect(stdout).toMatch(/"input-error","line":2,"message":"The skill evil comes with this folder/);
  });
});

describe('tenon skills', () => {
  beforeEach(() => {
    put('home/.tenon/skills/pdf/SKILL.md', skill('pdf', 'license: MIT\nargument-hint: FILE\n'));
    put('home/.claude/skills/own/SKILL.md', skill('own', 'disable-model-invocation: true\n'));
    put('home/.claude/skills/ts/SKILL.md', skill('ts', 'paths: "*.ts"\nuser-invocable: false\n'));
    put('work/.tenon/skills/evil/SKILL.md', skill('evil'));
  });

  it('lists them by when models are told of them', async () => {
    const { code, stdout } = await run([], ['skills']);
    expect(code).toBe(ExitCode.OK);
    expect(stdout.split('\n')).toEqual([
      'The model is told of:',
      '  /pdf: About pdf. (yours, ~/.tenon/skills)',
      'Told once a file is touched that they are for:',
      '  ts: About ts. (yours, ~/.claude/skills, for the model alone, for *.ts)',
      'For you alone:',
      '  own: About own. (yours, ~/.claude/skills)',
      'Withheld, for this folder is not trusted (`tenon trust`):',
      '  evil (.tenon/skills)',
      '',
    ]);
    const json = JSON.parse((await run([], ['skills', 'list', '--json'])).stdout) as { skills: { name: string }[] };
    expect(json.skills.map(({ name }) => name)).toEqual(['pdf', 'own', 'ts']);
  });

  it('shows one, and says which is meant', async () => {
    const { stdout } = await run([], ['skills', 'show', 'pdf']);
    expect(stdout).toContain('Said as /pdf FILE.');
    expect(stdout).toContain('License: MIT');
    expect(stdout).toContain('Be pdf with $ARGUMENTS');
    const { code, stderr } = await run([], ['skills', 'show', 'pfd']);
    expect([code, stderr]).toEqual([ExitCode.USAGE, expect.stringContaining('Did you mean pdf?') as string]);
    expect((await run([], ['skills', 'show', 'evil'])).stderr).toContain('nothing of it is read');
  });

  it('checks them: what is wrong ends with 1, made safe to read', async () => {
    expect(await run([], ['skills', 'check'])).toMatchObject({ code: 0, stdout: '3 skills: nothing is wrong.\n' });
    put('home/.tenon/skills/a\u001b[2Jb/SKILL.md', '---\nname: a\u001b[2Jb\n---\n');
    const { code, stdout } = await run([], ['skills', 'check']);
    expect(code).toBe(1);
    expect(stdout).toContain('is no skill');
    expect(stdout).not.toContain('\u001b');
  });

  it('takes nothing else', async () => {
    for (const words of [['show'], ['list', 'x'], ['more']])
      expect((await run([], ['skills', ...words])).code).toBe(ExitCode.USAGE);
  });
});
