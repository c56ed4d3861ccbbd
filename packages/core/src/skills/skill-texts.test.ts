import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeSkills, listSkills, skillNote, SKILL_BUDGET } from './describe-skills.js';
import { fillSkill } from './fill-skill.js';
import { filesMeant, pathGlob } from './match-paths.js';
import type { Skill } from './skill-types.js';

function skill(name: string, description: string): Skill {
  return {
    name,
    description,
    isForModel: true,
    isForPerson: true,
    notes: [],
    origin: 'user',
    label: 'x',
    file: '/f',
    real: '/f',
    folder: '/',
    zone: 'skill',
    bytes: 1,
  };
}

describe('the list of skills', () => {
  it('holds whole descriptions while there is room, then shorter ones, then names, then a count', () => {
    const many = (amount: number, length: number) =>
      Array.from({ length: amount }, (_, index) => skill(`skill-${index}`, 'd'.repeat(length)));
    expect(describeSkills(many(3, 300), 0)).toContain(`- skill-2: ${'d'.repeat(300)}`);
    expect(describeSkills(many(20, 300), 0)).toMatch(
      /- skill-19: d{139}…\n\(Descriptions are shortened; name "\*" tells all/,
    );
    expect(describeSkills(many(150, 300), 0)).toMatch(/skill-148, skill-149\. \(name "\*" tells what each is for/);
    expect(describeSkills(many(2000, 300), 5)).toMatch(/ and \d+ more\. [^]*\(5 more are told once/);
  });

  it('never takes more than its budget (law)', () => {
    const any = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,64}$/), fc.string({ maxLength: 1024 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(any, fc.nat(1000), (all, waiting) => {
        const skills = all.map(([name, description]) => skill(name, description));
        expect(describeSkills(skills, waiting).length).toBeLessThanOrEqual(SKILL_BUDGET);
        expect(skillNote(skills).length).toBeLessThanOrEqual(SKILL_BUDGET);
      }),
    );
  });

  it('can be searched by words', () => {
    const skills = [skill('pdf', 'Reads forms'), skill('git', 'Writes commits')];
    expect(listSkills(skills, 'READS pdf')).toBe('- pdf: Reads forms');
    expect(listSkills(skills, '')).toContain('- git: Writes commits');
    for (const words of ['', 'zebra']) expect(listSkills([], words)).toMatch(/^There are no skills here\. .*SKILL\.md/);
    expect(listSkills(skills, 'zebra')).toBe('No skill of 2 holds these words: zebra');
  });
});

describe('blanks of a skill', () => {
  it.each([
    ['Fix $ARGUMENTS.', 'a b', 'Fix a b.'],
    ['{{args}}|$ARGUMENTS[0]|$ARGUMENTS[1]|$ARGUMENTS[7]', 'a "b c"', 'a "b c"|a|b c|'],
    ['${CLAUDE_SKILL_DIR}/x ${SKILL_DIR} ${QWEN_SKILL_DIR}', '', '/s/x /s /s'],
    ["awk '{print $1}'", 'a', "awk '{print $1}'\n\nArguments: a"],
    ['No blanks', '', 'No blanks'],
    ['${HOME} $ARGUMENTSX', '', '${HOME} $ARGUMENTSX'],
  ])('%j with %j is %j', (body, args, filled) => {
    expect(fillSkill(body, args, '/s').text).toBe(filled);
  });

  it('take what is typed as it is (law)', () => {
    fc.assert(
      fc.property(fc.string(), (args) => {
        expect(fillSkill('<$ARGUMENTS>', args, '/s').text).toBe(`<${args}>`);
      }),
    );
    expect(fillSkill('$ARGUMENTS', '${SKILL_DIR} {{args}}', '/s').text).toBe('${SKILL_DIR} {{args}}');
  });

  it('are no commands: these are seen and left', () => {
    expect(fillSkill('Now: !`git status`', '', '/s')).toEqual({ text: 'Now: !`git status`', hasCommands: true });
    expect(fillSkill('a!`x`', '', '/s').hasCommands).toBe(false);
  });
});

describe('paths of a skill', () => {
  it.each([
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/**/*.{ts,tsx}', 'src/a/b.tsx', true],
    ['src/**/*.{ts,tsx}', 'lib/a.ts', false],
    ['./src/', 'src/x/y', true],
    ['/a.md', 'a.md', true],
    ['{a,b{c,d}}.md', 'bd.md', true],
    ['docs/*.md', 'docs/x/y.md', false],
  ])('%j means %j: %j', (glob, path, isMeant) => {
    expect(filesMeant([glob])(`/root/${path}`, '/root')).toBe(isMeant);
  });

  it('are refused where they would be too many, or too long', () => {
    expect(pathGlob('{a,b}'.repeat(20))).toBeUndefined();
    expect(pathGlob('x'.repeat(301))).toBeUndefined();
    expect(pathGlob('')).toBeUndefined();
    expect(pathGlob('[')).toBeUndefined();
  });
});
