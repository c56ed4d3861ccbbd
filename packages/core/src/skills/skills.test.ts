import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { Skills, type SkillsOptions } from './skills.js';

let root: TempWorkspace;
let home: TempWorkspace;
let temp: TempWorkspace;

beforeEach(async () => {
  [root, home, temp] = await Promise.all([createTempWorkspace(), createTempWorkspace(), createTempWorkspace()]);
});
afterEach(async () => {
  for (const each of [root, home, temp]) await each.remove();
});

function skillsOf(options: Partial<SkillsOptions> = {}): Skills {
  return new Skills({
    roots: [root.root],
    tempDir: temp.root,
    home: home.path('.tenon'),
    userHome: home.root,
    ignore: new IgnoreRules(QWEN_IGNORE, [root.root]),
    isTrusted: true,
    ...options,
  });
}
const text = (name: string, body = 'Do it.', more = ''): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n${body}\n`;
async function found(options: Partial<SkillsOptions> = {}) {
  const overview = await skillsOf(options).overview();
  return {
    ...overview,
    names: overview.skills.map(({ name, label }) => `${name} ${label}`),
    told: overview.problems.map(({ message }) => message.replaceAll(root.root, '<root>').replaceAll(home.root, '~')),
  };
}

describe('skills', () => {
  it.skipIf(process.platform !== 'linux')('are told where their file is called otherwise', async () => {
    await home.write({
      '.claude/skills/a/skill.md': text('a'),
      '.claude/skills/b/SKILL.md': text('b'),
      '.claude/skills/b/deep/skill.md': text('no'),
      '.claude/skills/Skill.md': text('no'),
    });
    const { names, told } = await found();
    expect(names).toEqual(['b ~/.claude/skills']);
    expect(told).toEqual(['~/.claude/skills/a/skill.md is no skill: it has to be called SKILL.md, in capitals.']);
  });

  it('are shown as they stand in their files, whatever the encoding', async () => {
    await home.write({ '.claude/skills/wide/x': '', '.claude/skills/bom/SKILL.md': `\ufeff${text('bom')}` });
    await writeFile(
      home.path('.claude/skills/wide/SKILL.md'),
      Buffer.from(`\ufeff${text('wide', '\u00fc')}`, 'utf16le'),
    );
    const skills = skillsOf();
    const listed = (await skills.overview()).skills;
    expect(await Promise.all(listed.map(async (skill) => skills.textOf(skill)))).toEqual([
      text('bom'),
      text('wide', '\u00fc'),
    ]);
    await rm(home.path('.claude/skills/bom/SKILL.md'));
    const [bom] = listed;
    await expect(bom && skills.textOf(bom)).rejects.toMatchObject({ code: 'skill_unreadable' });
  });

  it('are found in all places, the person\u2019s own first, Tenon\u2019s before those of others (S142)', async () => {
    await home.write({
      '.tenon/skills/a/SKILL.md': text('a'),
      '.qwen/skills/b/SKILL.md': text('b'),
      '.claude/skills/c/SKILL.md': text('c'),
      '.agents/skills/d/SKILL.md': text('d'),
      'more/e/SKILL.md': text('e'),
    });
    await root.write({
      '.tenon/skills/f/SKILL.md': text('f'),
      '.qwen/skills/g/SKILL.md': text('g'),
      '.claude/skills/h/SKILL.md': text('h'),
      '.agents/skills/i/SKILL.md': text('i'),
    });
    const { names, told, skills } = await found({ directories: ['~/more', 'relative'] });
    expect(names).toEqual([
      'a ~/.tenon/skills',
      'b ~/.qwen/skills',
      'c ~/.claude/skills',
      'd ~/.agents/skills',
      'e ~/more',
      'f .tenon/skills',
      'g .qwen/skills',
      'h .claude/skills',
      'i .agents/skills',
    ]);
    expect(told).toEqual(['skills.directories names "relative", which is neither absolute nor begins with "~/".']);
    expect(new Set(skills.map(({ zone, origin }) => `${origin} ${zone}`))).toEqual(
      new Set(['user skill', 'project workspace']),
    );
  });

  it('of one name are one: the first counts, what says something else is told', async () => {
    await home.write({ '.tenon/skills/x/SKILL.md': text('x'), '.claude/skills/x/SKILL.md': text('x') });
    await root.write({ '.tenon/skills/x/SKILL.md': text('X', 'Another.') });
    const { names, told } = await found();
    expect(names).toEqual(['x ~/.tenon/skills']);
    expect(told).toEqual(['<root>/.tenon/skills/x/SKILL.md is not used: the skill x is ~/.tenon/skills/x/SKILL.md.']);
  });

  it('may lie in folders by kind; what belongs to a skill is searched for no other', async () => {
    await root.write({
      '.tenon/skills/office/pdf/SKILL.md': text('pdf'),
      '.tenon/skills/office/pdf/more/SKILL.md': text('inner'),
      '.tenon/skills/a/b/c/SKILL.md': text('deep'),
      '.tenon/skills/a/b/c2/d/SKILL.md': text('too-deep'),
      '.tenon/skills/.hidden/SKILL.md': text('hidden'),
      '.tenon/skills/note.md': 'no skill',
    });
    expect((await found()).names.toSorted()).toEqual(['deep .tenon/skills', 'pdf .tenon/skills']);
    // A folder that is one itself may be named by the setting.
    await home.write({ 'one/SKILL.md': text('one') });
    expect((await found({ directories: [home.path('one')] })).names).toContain(`one ${home.path('one')}`);
    // In a folder for many a stray file hides none of them.
    await root.write({ '.tenon/skills/SKILL.md': text('stray') });
    expect((await found()).names.toSorted()).toEqual(['deep .tenon/skills', 'pdf .tenon/skills']);
  });

  it('that came with a folder which nobody trusts are named by their folders, and nothing of them is read', async () => {
    await root.write({ '.claude/skills/evil/SKILL.md': text('other-name') });
    await chmod(root.path('.claude/skills/evil/SKILL.md'), 0);
    const { skills, withheld, told } = await found({ isTrusted: false });
    expect([skills, told]).toEqual([[], []]);
    expect(withheld.map(({ name, label }) => [name, label])).toEqual([['evil', '.claude/skills']]);
  });

  it('of the home folder are the person\u2019s own, also where that is the workspace', async () => {
    await home.write({ '.claude/skills/a/SKILL.md': text('a') });
    const { skills } = await found({ roots: [home.root], isTrusted: false });
    expect(skills).toMatchObject([{ origin: 'user', zone: 'workspace' }]);
  });

  it('may be links: the person\u2019s own anywhere, a project\u2019s within the project, round in circles nowhere', async () => {
    await home.write({ 'dot/files/own/SKILL.md': text('own'), '.claude/skills/': '', 'x/y/SKILL.md': text('y') });
    await symlink(home.path('dot/files/own'), home.path('.claude/skills/own'));
    await symlink('..', home.path('.claude/skills/round'));
    await symlink('loop', home.path('.claude/skills/loop'));
    await root.write({
      'shared/in/SKILL.md': text('in'),
      '.tenon/skills/in': { linkTo: '../../shared/in' },
      '.claude/skills': { linkTo: '../.tenon/skills' },
      '.tenon/skills/out': { linkTo: home.path('x') },
      '.tenon/skills/file/SKILL.md': { linkTo: home.path('x/y/SKILL.md') },
      '.tenon/skills/lost/SKILL.md': { linkTo: 'nowhere' },
    });
    const { names, told } = await found();
    expect(names).toEqual(['own ~/.claude/skills', 'in .tenon/skills']);
    expect(told).toEqual([
      '<root>/.tenon/skills/out is left out: it leads out of the project.',
      '<root>/.tenon/skills/file/SKILL.md is no skill: it leads out of the project.',
      '<root>/.tenon/skills/lost/SKILL.md is no skill: it is a link that leads nowhere.',
    ]);
  });

  it('are no way into the whole home', async () => {
    await home.write({ 'SKILL.md': text('home') });
    const { names, told } = await found({ directories: [home.root] });
    expect([names, told]).toEqual([[], ['~/SKILL.md is no skill: its folder holds your home.']]);
  });

  it('that cannot be used are told with the reason, one by one', async () => {
    await root.write({
      '.qwenignore': 'ignored\n',
      '.tenon/skills/binary/SKILL.md': Uint8Array.from([0, 1, 2, 0xff, 0, 0]),
      '.tenon/skills/folder/SKILL.md/': '',
      '.tenon/skills/ignored/SKILL.md': text('ignored'),
      '.tenon/skills/yaml/SKILL.md': '---\nname: [a\n  b: }\n---\nText',
      '.tenon/skills/open/SKILL.md': '---\nname: open\nText',
      '.tenon/skills/empty/SKILL.md': '---\ndescription: x\n---\n',
      '.tenon/skills/b\u001b[31mad/SKILL.md': 'Some text.',
      '.tenon/skills/crlf/SKILL.md': '\uFEFF---\r\nname: crlf\r\ndescription: >\r\n  Two\r\n  lines\r\n---\r\nBody\r\n',
      '.tenon/skills/plain/SKILL.md': '# Does a thing\n\nAnd more.',
      '.tenon/skills/unread/SKILL.md': text('unread'),
    });
    execFileSync('mkfifo', [root.path('.tenon/skills/plain2.fifo')]);
    await mkdir(root.path('.tenon/skills/fifo'));
    execFileSync('mkfifo', [root.path('.tenon/skills/fifo/SKILL.md')]);
    await mkdir(root.path('.tenon/skills/large'));
    const file = await open(root.path('.tenon/skills/large/SKILL.md'), 'w');
    await file.truncate(100 * 1024 * 1024);
    await file.close();
    if (process.getuid?.() !== 0) await chmod(root.path('.tenon/skills/unread/SKILL.md'), 0);
    else await rm(root.path('.tenon/skills/unread'), { recursive: true });
    const { skills, told } = await found();
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ['crlf', 'Two lines'],
      ['plain', 'Does a thing'],
    ]);
    const reasons = told.map((each) => each.replace(/^.*skills\/(.*?)\/SKILL\.md is no skill: /, '$1: '));
    expect(reasons.filter((each) => !each.startsWith('unread'))).toEqual([
      expect.stringMatching(/^b.*is no name for a skill/),
      'binary: it is no text.',
      'empty: it says nothing below its fields.',
      'fifo: it is no regular file.',
      'folder: it is no regular file.',
      'ignored: an ignore file of the project names it.',
      'large: it is larger than 256 KiB.',
      'open: the line of `---` at its top has no second one, so that its fields have no end.',
      expect.stringMatching(/^yaml: its fields are no YAML: /),
    ]);
  }, 20_000);

  it('are bounded: ten thousand of them neither fill the request nor take long', async () => {
    const folder = root.path('.tenon/skills');
    for (let start = 0; start < 10_000; start += 500)
      await Promise.all(
        Array.from({ length: 500 }, async (_, index) => {
          const name = `skill-${start + index}`;
          await mkdir(join(folder, name), { recursive: true });
          await writeFile(join(folder, name, 'SKILL.md'), text(name));
        }),
      );
    const skills = skillsOf();
    const notices = await skills.refresh();
    expect(skills.names()).toHaveLength(500);
    expect(skills.description.length).toBeLessThanOrEqual(4000);
    expect(skills.description).toMatch(/ and \d+ more\. \(name "\*" tells what each is for/);
    expect(notices.map(({ level, text: told }) => [level, told.includes('500 skills')])).toEqual([['warning', true]]);
    const began = performance.now();
    expect(await skills.refresh()).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2000);
  }, 60_000);

  it('are read again only where the file changed', async () => {
    await root.write({ '.tenon/skills/a/SKILL.md': text('a') });
    const skills = skillsOf();
    await skills.load();
    const [first] = (await skills.overview()).skills;
    expect(skills.find('a')).toBe(skills.find('A'));
    const before = skills.find('a');
    await skills.load();
    expect(skills.find('a')).toBe(before);
    await utimes(root.path('.tenon/skills/a/SKILL.md'), new Date(), new Date(0));
    await skills.load();
    expect(skills.find('a')).not.toBe(before);
    expect(first?.state).toBe('offered');
  });

  it('say what they say now, with their folder and what lies in it', async () => {
    await root.write({
      '.tenon/skills/a/SKILL.md': text('a', 'For $ARGUMENTS in ${CLAUDE_SKILL_DIR}: !`rm -rf /`'),
      '.tenon/skills/a/scripts/x.py': 'print()',
      '.tenon/skills/a/.env': 'KEY=1',
      '.tenon/skills/a/e\u001b[2Jvil.md': 'x',
      '.tenon/skills/a/out.md': { linkTo: '/etc/passwd' },
    });
    const skills = skillsOf();
    await skills.load();
    const skill = skills.find('a');
    if (skill === undefined) throw new Error('it is there');
    const opened = await skills.open(skill, 'b c');
    expect(opened.body).toBe(`For b c in ${root.path('.tenon/skills/a')}: !\`rm -rf /\``);
    expect(opened).toMatchObject({ hasCommands: true, files: [{ path: 'scripts/x.py', bytes: 7 }] });
    expect(skills.openFolders()).toEqual([]);
    await root.write({
      '.tenon/skills/b/SKILL.md': text('b'),
      '.tenon/skills/a/SKILL.md': { linkTo: '../b/SKILL.md' },
    });
    await expect(skills.open(skill, '')).rejects.toMatchObject({ code: 'file_changed' });
  });
});
