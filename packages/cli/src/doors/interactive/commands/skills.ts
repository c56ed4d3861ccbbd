import { safeText, skillsOverview, type ListedSkill, type SkillsOverview } from '@tenon/core';
import { skillNamed, skillsText, skillText } from '../../../commands/skills.js';
import { pickFromList } from '../panels/pick-from-list.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** `/skills [NAME|list]`: a list to choose from, one of them, or all with what is wrong. */
export const skillsCommand: CommandBody = {
  run: async (typed, context) => {
    const overview = await skillsOverview(context.agent.config);
    if (typed === 'list' || overview.skills.length === 0) return say(skillsText(overview));
    if (typed !== '') {
      const skill = skillNamed(typed, overview);
      return typeof skill === 'string' ? say(skill) : shown(skill, context);
    }
    return pick(overview, context);
  },
  complete: async (typed, { agent }) => {
    const { skills } = await skillsOverview(agent.config);
    const list = { word: 'list', detail: 'all of them, with what is wrong' };
    return completionsOf(
      [list, ...skills.map(({ name, description }) => ({ word: name, detail: description }))],
      typed,
    );
  },
};

async function shown(skill: ListedSkill, { agent }: CommandContext): Promise<CommandAnswer> {
  return say(skillText(skill, await agent.config.getSkills().textOf(skill)));
}

const STATES: Readonly<Record<ListedSkill['state'], string>> = {
  offered: '',
  waits: ', waits for its files',
  'person-only': ', for you alone',
};

async function pick(overview: SkillsOverview, context: CommandContext): Promise<CommandAnswer> {
  const { skills, withheld, problems } = overview;
  const items = skills.map((value) => ({
    label: value.name,
    detail: `${value.description} (${value.label}${STATES[value.state]})`,
    value,
  }));
  const isAll = withheld.length + problems.length === 0;
  const title = isAll ? safeText`Which skill?` : safeText`Which skill? /skills list tells of those that are left out.`;
  const skill = await pickFromList(context.stage, { title, items, filterable: true }, context.signal);
  return skill === undefined ? {} : shown(skill, context);
}
