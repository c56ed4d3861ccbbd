import type { IgnoreRules } from '../files/ignore-rules.js';
import { Failure } from '../util/failure.js';
import { fillSkill } from './fill-skill.js';
import { listSkillFiles } from './list-skill-files.js';
import { parseSkill } from './parse-skill.js';
import { readSkill } from './read-skill.js';
import type { OpenedSkill, Skill } from './skill-types.js';

export interface OpenSkillWish {
  readonly skill: Skill;
  /** What was said behind its name. */
  readonly args: string;
  readonly tempDir: string;
  readonly ignore: IgnoreRules;
}

/** What a skill says now, with what lies beside it. @throws Failure `skill_unreadable` */
export async function openSkillFile(wish: OpenSkillWish): Promise<OpenedSkill> {
  const { skill, args } = wish;
  const { name, folder } = skill;
  const parsed = await parseSkill(await skillText(wish), name);
  if ('problem' in parsed) throw unreadable(name, parsed.problem);
  const { text, hasCommands } = fillSkill(parsed.body, args, folder);
  return { skill, body: text, hasCommands, ...(await listSkillFiles(folder)) };
}

/** All that stands in its file, whatever its encoding. @throws Failure `skill_unreadable` */
export async function skillText({ skill, tempDir, ignore }: Omit<OpenSkillWish, 'args'>): Promise<string> {
  const { file, real, origin, label, folder, name, within } = skill;
  const place = { folder, label, origin, ...(within !== undefined && { within }) };
  const read = await readSkill({ file, place }, real, { tempDir, ignore });
  if (read.kind === 'refused') throw unreadable(name, read.why);
  return read.text;
}

function unreadable(name: string, why: string): Failure {
  return new Failure('skill_unreadable', `The skill ${name} cannot be used now: ${why}.`);
}
