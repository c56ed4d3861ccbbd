import { findMentions, saySkill, skillsOverview, type Agent, type ListedSkill, type WithheldSkill } from '@tenon/core';
import type { FilledCommand, UserCommand } from './user-command.js';

type Skilled = Pick<Agent, 'config'>;

const LONGEST = 100;
/** As every door reads a command's name. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u;

/**
 * Skills that a person may say, as commands: `/name`, and `/skill:name` where that is taken. Those of a folder that is not
 * trusted refuse to run; nothing of them was read.
 */
export async function skillCommands(
  { config }: Skilled,
  isTaken: (name: string) => boolean,
): Promise<readonly UserCommand[]> {
  const { skills, withheld } = await skillsOverview(config);
  return [
    ...skills.filter(({ isForPerson }) => isForPerson).map((skill) => commandOf(skill, nameFor(skill, isTaken))),
    ...withheld
      .filter(({ name }) => NAME.test(name) && !isTaken(name))
      .filter(({ name }, index, all) => all.findIndex((each) => each.name === name) === index)
      .filter(({ name }) => !skills.some((skill) => skill.name.toLowerCase() === name.toLowerCase()))
      .map(refusing),
  ];
}

function nameFor({ name }: ListedSkill, isTaken: (name: string) => boolean): string {
  return isTaken(name) ? `skill:${name}` : name;
}

function commandOf({ name, description, argumentHint, origin, label }: ListedSkill, typed: string): UserCommand {
  const whose = origin === 'user' ? 'yours' : 'of the project';
  const short = description.length > LONGEST ? `${description.slice(0, LONGEST - 1)}…` : description;
  return {
    name: typed,
    ...(argumentHint !== undefined && { usage: argumentHint }),
    sentence: `${short} (skill, ${whose}, ${label})`,
    open: async () => ({ wantsTools: false, template: '', skill: name }),
  };
}

function refusing({ name, label }: WithheldSkill): UserCommand {
  return {
    name,
    sentence: `A skill of this project (${label}), whose folder is not trusted.`,
    open: async () => ({
      refusal:
        `The skill ${name} comes with this folder, which is not trusted: it could say anything in your name. ` +
        '`tenon trust` shows what trusting it means, `tenon trust --yes` trusts it; then start anew.',
    }),
  };
}

/** What a skill comes to that the person says: its text goes along with their words. @throws Failure */
export async function fillSkill(agent: Skilled, name: string, typed: string): Promise<FilledCommand> {
  const { skill, text } = await saySkill(agent.config, name, typed);
  return {
    notes: skill.notes.map((note) => `/${name}: ${note}`),
    // Not from what the skill says: that names its own files.
    prompt: { text: `/${name} ${typed}`.trim(), attach: findMentions(typed), content: [{ text }] },
  };
}
