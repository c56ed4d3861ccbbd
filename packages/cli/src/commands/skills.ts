import { createToolSystem, nearestName, skillsOverview, type ListedSkill, type SkillsOverview } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import type { ExitCode } from '../exit-codes.js';
import { prepareSession, toolSystemOptions } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { catalogueCommand } from './catalogue-command.js';

/**
 * `tenon skills [list|show NAME|check] [--json]`: the skills that are there, one of them, or what is wrong with some; `check`
 * ends with 1 when something is.
 */
export function skillsCommand(
  surroundings: Surroundings,
  words: readonly string[],
  options: Options,
): Promise<ExitCode> {
  return catalogueCommand<ReadSkills>(surroundings, words, options, {
    noun: 'skill',
    one: 'a skill',
    read: (name) => readSkills(surroundings, options, name),
    list: ({ overview }) => ({ value: overview, text: skillsText(overview) }),
    check: ({ overview }) => ({
      amount: overview.skills.length,
      problems: overview.problems,
      text: problemLines(overview),
    }),
    show: (name, { overview, text }) => {
      const skill = skillNamed(name, overview);
      return typeof skill === 'string' ? skill : { value: { ...skill, text }, text: skillText(skill, text) };
    },
  });
}

interface ReadSkills {
  readonly overview: SkillsOverview;
  /** All that stands in the file of the skill that was named; empty without one. */
  readonly text: string;
}

async function readSkills(surroundings: Surroundings, options: Options, name: string | undefined): Promise<ReadSkills> {
  const system = await createToolSystem(toolSystemOptions(surroundings, await prepareSession(surroundings, options)));
  const takeOff = surroundings.exits.register(system.endCommands);
  try {
    const overview = await skillsOverview(system.config);
    const skill = name === undefined ? name : skillNamed(name, overview);
    return { overview, text: typeof skill === 'object' ? await system.config.getSkills().textOf(skill) : '' };
  } finally {
    await system.close();
    takeOff();
  }
}

/** The skill of that name, or a sentence where there is none. Pure. */
export function skillNamed(name: string, { skills, withheld }: SkillsOverview): ListedSkill | string {
  const wanted = name.replace(/^\//, '').toLowerCase();
  const skill = skills.find((each) => each.name.toLowerCase() === wanted);
  if (skill !== undefined) return skill;
  if (withheld.some((each) => each.name.toLowerCase() === wanted))
    return `The skill ${name} came with this folder, which is not trusted: nothing of it is read.`;
  const meant = nearestName(
    wanted,
    skills.map((each) => each.name),
  );
  return `There is no skill ${JSON.stringify(name)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

const GROUPS = [
  ['offered', 'The model is told of:'],
  ['waits', 'Told once a file is touched that they are for:'],
  ['person-only', 'For you alone:'],
] as const;

/** All of them for people, also for a session's `/skills`; lines end with a line feed. Untrusted text. Pure. */
export function skillsText(overview: SkillsOverview): string {
  const { skills, withheld, problems, places } = overview;
  const groups = GROUPS.flatMap(([state, heading]) => {
    const those = skills.filter((skill) => skill.state === state);
    return those.length === 0 ? [] : [heading, ...those.map((skill) => `  ${lineOf(skill)}`)];
  });
  const none = `No skills. Looked for: ${places.map(({ label }) => label).join(', ')}.`;
  const held = withheld.map(({ name, label }) => `  ${name} (${label})`);
  return [
    ...(skills.length === 0 ? [none] : groups),
    ...(held.length === 0 ? [] : ['Withheld, for this folder is not trusted (`tenon trust`):', ...held]),
    ...(problems.length === 0 ? [] : ['Problems:', problemLines(overview).trimEnd()]),
    '',
  ].join('\n');
}

function lineOf({ name, description, isForPerson, isForModel, origin, label, paths }: ListedSkill): string {
  const said = isForPerson && isForModel ? `/${name}` : name;
  const short = description.length > 160 ? `${description.slice(0, 159)}…` : description;
  const whose = origin === 'user' ? 'yours' : 'of the project';
  const only = isForPerson ? '' : ', for the model alone';
  const files = paths === undefined ? '' : `, for ${paths.join(' ')}`;
  return `${said}: ${short} (${whose}, ${label}${only}${files})`;
}

function problemLines({ problems }: SkillsOverview): string {
  return problems.map(({ message }) => `  ${message}\n`).join('');
}

const STATES: Readonly<Record<ListedSkill['state'], string>> = {
  offered: 'The model is told of it with every request.',
  waits: 'The model is told of it once a file is touched that it is for.',
  'person-only': 'Only you call it.',
};

/** One of them with all that stands in its file. Pure. */
export function skillText(skill: ListedSkill, text: string): string {
  const { name, description, file, state, isForPerson, license, argumentHint, paths, notes } = skill;
  return [
    `${name}: ${description}`,
    file,
    STATES[state] + (isForPerson ? ` Said as /${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}.` : ''),
    ...(paths === undefined ? [] : [`For: ${paths.join(', ')}`]),
    ...(license === undefined ? [] : [`License: ${license}`]),
    ...notes,
    '',
    text.trimEnd(),
    '',
  ].join('\n');
}
