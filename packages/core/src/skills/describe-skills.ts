import { count } from '../util/count.js';
import { cutTo } from './cut-to.js';
import type { Skill } from './skill-types.js';

/** Characters that the list of skills may take in each request. */
export const SKILL_BUDGET = 4000;
/** Descriptions are cut to the largest of these with which all have room; then names alone. */
const LENGTHS = [1024, 512, 300, 200, 140, 100, 70, 50] as const;
/** Instead of a name: lists them all. */
export const ALL_SKILLS = '*';

const INTRO =
  'Loads a skill: instructions, often with files, that the user or their project keeps for one kind of work. When the task is of such a kind, call it first and work by what it says.';

/** What a model is told with every request, within the budget; what is left out is counted. Pure. */
export function describeSkills(skills: readonly Skill[], waiting: number, budget = SKILL_BUDGET): string {
  const later =
    waiting === 0 ? [] : [`(${count(waiting, 'more is', 'more are')} told once a file that they are for is touched.)`];
  const room = budget - INTRO.length - later.join('').length - 120;
  return [INTRO, ...listOf(skills, room), ...later].join('\n');
}

function listOf(skills: readonly Skill[], room: number): readonly string[] {
  if (skills.length === 0) return [];
  for (const most of LENGTHS) {
    const lines = skills.map(({ name, description }) => `- ${name}: ${cutTo(description, most)}`);
    const isCut = skills.some(({ description }) => description.length > most);
    if (sizeOf(lines) <= room)
      return ['Skills:', ...lines, ...(isCut ? [`(Descriptions are shortened; name "${ALL_SKILLS}" tells all.)`] : [])];
  }
  const names: string[] = [];
  let left = room;
  for (const { name } of skills) {
    if (left < name.length + 2) break;
    left -= name.length + 2;
    names.push(name);
  }
  const missing = skills.length - names.length;
  const more = missing === 0 ? '' : ` and ${missing} more`;
  return [
    `Skills: ${names.join(', ')}${more}. (name "${ALL_SKILLS}" tells what each is for; args: words to look for.)`,
  ];
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** Said wherever a skill is asked for and there is none. */
export const NO_SKILLS =
  'There are no skills here. One is a folder with a SKILL.md, in ~/.tenon/skills/ or, once the project is trusted, in its .tenon/skills/.';

/** All skills that a model may call, or those that hold all the words: a line each. Pure. */
export function listSkills(skills: readonly Skill[], words: string): string {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = skills.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (skills.length === 0) return NO_SKILLS;
  if (found.length === 0) return `No skill of ${skills.length} holds these words: ${words}`;
  return found.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
}

/** Behind the results that touched what these are for. Empty for none. Pure. */
export function skillNote(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const lines = listOf(skills, SKILL_BUDGET / 2);
  return [
    '[A note from Tenon: no part of a result, not from the user.]',
    'Files were touched that the user or their project keeps skills for. Call one before you go on where it is of use.',
    ...lines,
  ].join('\n');
}
