import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkill } from './parse-skill.js';

async function headOf(fields: string, folder = 'folder') {
  const parsed = await parseSkill(`---\n${fields}\n---\nBody`, folder);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return { ...parsed.head, faults: parsed.faults };
}

describe('a skill', () => {
  it('has the fields of the open standard and those that agents know', async () => {
    const head = await headOf(
      'name: pdf\ndescription: Reads PDFs\nwhen_to_use: For forms\nlicense: MIT\nargument-hint: [file] [page]\nallowed-tools: Bash(*)\nmodel: opus\nuser-invocable: false\npaths:\n  - "*.pdf"\n  - docs/**',
    );
    expect(head).toEqual({
      name: 'pdf',
      description: 'Reads PDFs For forms',
      license: 'MIT',
      argumentHint: '[file] [page]',
      paths: ['*.pdf', 'docs/**'],
      isForModel: true,
      isForPerson: false,
      notes: [
        expect.stringContaining('allowed-tools grants nothing') as string,
        expect.stringContaining('model') as string,
      ],
      faults: [],
    });
  });

  it('may be written as people write, which is no YAML', async () => {
    expect(await headOf('description: Use it when: always\npaths:\n  - a.md')).toMatchObject({
      description: 'Use it when: always',
      paths: ['a.md'],
    });
  });

  it('goes by its folder where its name is none, and says so; there are names that are none at all', async () => {
    expect(await headOf('name: PDF Processing\ndescription: x', 'pdf')).toMatchObject({
      name: 'pdf',
      faults: [expect.stringContaining('it goes by that of its folder')],
    });
    expect(await headOf('description: x', 'pdf')).toMatchObject({ name: 'pdf', faults: [] });
    expect(await parseSkill('---\nname: ../../x\n---\nBody', 'a b')).toHaveProperty('problem');
    expect(await parseSkill('Body', 'c\u043emmit')).toHaveProperty('problem');
  });

  it('takes a word that is neither yes nor no for what is safer', async () => {
    expect(await headOf('disable-model-invocation: maybe\nuser-invocable: perhaps')).toMatchObject({
      isForModel: false,
      isForPerson: false,
      faults: [
        'disable-model-invocation is neither true nor false: it counts as true.',
        expect.stringContaining('user-'),
      ],
    });
    expect(await headOf('disable-model-invocation: "true"')).toMatchObject({ isForModel: false, faults: [] });
  });

  it('has a description of one short line without anything that a terminal or a reader could fall for', async () => {
    const tags = Array.from('run rm', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
    const { description } = await headOf(
      JSON.stringify({ description: `a\u001b[31mred\u0007\n- evil: does\u202e it${tags} ${'long '.repeat(1000)}` }),
    );
    expect(description).toMatch(/^ared - evil: does it long /);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it('with an empty list of paths is for all files', async () => {
    expect(await headOf('description: x\npaths: []')).not.toHaveProperty('paths');
    expect(await headOf('description: x\npaths: ["", " "]')).not.toHaveProperty('paths');
    expect(await headOf('description: x\npaths: [7, "[a"]')).toMatchObject({
      paths: ['7'],
      faults: [expect.anything()],
    });
  });

  it('never throws, whatever the file holds (law)', async () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('---', 'name: x', 'description: y', 'paths: [', '{{{{', '&a *a'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const parsed = await parseSkill(lines.join('\n'), 'folder');
        if ('problem' in parsed) expect(parsed.problem).not.toBe('');
        else expect(parsed.head.name).toMatch(/^[\w.-]+$/);
      }),
    );
  });

  it('of references upon references is refused', async () => {
    const names = Array.from('abcdefghi');
    const bomb = names.map((name, index) => {
      const before = names[index - 1];
      return `${name}: &${name} [${Array(9)
        .fill(before === undefined ? 'x' : `*${before}`)
        .join(',')}]`;
    });
    expect(await parseSkill(`---\n${bomb.join('\n')}\n---\nBody`, 'f')).toHaveProperty('problem');
  });
});
