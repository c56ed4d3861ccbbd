import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import type { SkillTool } from './skill.js';
import { ToolNames } from './tool-names.js';

let bench: TempConfig;
const file = (name: string, more = '', body = 'Do it.'): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n${body}`;

beforeEach(async () => {
  bench = await createTempConfig({
    skills: { isTrusted: true },
    entries: {
      '.tenon/skills/commit/SKILL.md': file('commit', '', 'Write $ARGUMENTS.'),
      '.tenon/skills/mine/SKILL.md': file('mine', 'disable-model-invocation: true\n'),
    },
  });
  await bench.config.getSkills().load();
});
afterEach(async () => bench.remove());

function tool(): SkillTool {
  const found = bench.config.getToolRegistry().getTool(ToolNames.SKILL);
  if (found === undefined) throw new Error('it is registered');
  return found as SkillTool;
}
const signal = new AbortController().signal;
const run = (name: string, args?: string) => tool().execute({ name, ...(args !== undefined && { args }) }, signal);

describe('the tool for skills', () => {
  it('tells what there is, and gives what is called, with its folder', async () => {
    expect(tool().isOffered).toBe(true);
    expect(tool().description).toContain('- commit: About commit.');
    expect(tool().description).not.toContain('mine');
    const result = await run('/Commit', 'a message');
    expect(result.llmContent).toContain('Write a message.');
    expect(result.llmContent).toContain(bench.workspace.path('.tenon/skills/commit'));
    expect(result.data).toMatchObject({ skill: 'commit' });
    expect(result.returnDisplay).toBe('Skill commit (of the project, .tenon/skills)');
  });

  it('states that it reads the file, and nothing for the list', () => {
    const path = bench.workspace.path('.tenon/skills/commit/SKILL.md');
    expect(tool().build({ name: 'commit' }).effects?.()).toEqual([
      { kind: 'read', path, requested: path, zone: 'workspace' },
    ]);
    expect(tool().build({ name: '*' }).effects?.()).toEqual([]);
  });

  it('lists them all, and finds some by words', async () => {
    expect((await run('*')).llmContent).toBe('- commit: About commit.');
    expect((await run('*', 'zebra')).llmContent).toContain('No skill');
  });

  it('says what is there when a name is not, and whom a skill is for that is not the model\u2019s', async () => {
    expect((await run('comit')).error?.message).toBe(
      'There is no skill "comit". Like it: commit. The name "*" lists them all.',
    );
    expect((await run('zebra')).error?.message).toBe('There is no skill "zebra". There are: commit.');
    expect((await run('mine')).error?.message).toContain('is for the user alone, who says /mine');
  });

  it('is not offered once there are none any more', async () => {
    await bench.workspace.remove();
    await bench.config.getSkills().load();
    expect(tool().isOffered).toBe(false);
    expect((await run('commit')).error?.message).toMatch(/^There are no skills here\. .*SKILL\.md/);
  });

  it('that went away between the look and the call says so', async () => {
    const invocation = tool().build({ name: 'commit' });
    await bench.workspace.write({ '.tenon/skills/commit/SKILL.md': new Uint8Array([0, 1, 0, 2]) });
    expect((await invocation.execute(signal)).error).toEqual({
      type: 'skill_unreadable',
      message: 'The skill commit cannot be used now: it is no text.',
    });
  });
});
