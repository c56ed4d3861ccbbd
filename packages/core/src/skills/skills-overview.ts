import { SHELL_TOOL, toolNamed } from '../policy/tool-aliases.js';
import { Failure } from '../util/failure.js';
import type { ListedSkill, SkillsOverview } from './skill-types.js';
import { openedText } from './skill-words.js';
import type { Skills } from './skills.js';

/** What holds the skills of a session: `Config`. */
export interface WithSkills {
  getSkills(): Skills;
}

/** The skills that are there, what is wrong with others and where they are looked for; read anew. */
export async function skillsOverview(config: WithSkills): Promise<SkillsOverview> {
  return config.getSkills().overview();
}

/** A skill that a person says, in the words in which the model reads it. */
export interface SaidSkill {
  readonly skill: ListedSkill;
  readonly text: string;
}

/**
 * What a skill says to the model when the person calls it by its name. What lies in its folder may be read from here on.
 * @throws Failure `no_such_skill`, `skill_unreadable`
 */
export async function saySkill(config: WithSkills, name: string, args: string): Promise<SaidSkill> {
  const { skills } = await skillsOverview(config);
  const skill = skills.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (skill === undefined)
    throw new Failure(
      'no_such_skill',
      `There is no skill ${name} any more. \`tenon skills\` lists those that there are.`,
    );
  const opened = await config.getSkills().open(skill, args);
  const text = openedText(opened, { reader: toolNamed('Read'), shell: SHELL_TOOL });
  return { skill, text: `[The user said /${skill.name}: what follows is the skill of that name.]\n${text}` };
}
