import { count } from '../util/count.js';
import type { FoundSkills, OpenedSkill, Skill, SkillNotice } from './skill-types.js';

const MOST_NAMED = 8;
const MOST_PROBLEMS = 5;

/** What the person is told of skills when a session begins: what is wrong, and what is withheld. Pure. */
export function describeFoundSkills({ withheld, problems }: Omit<FoundSkills, 'skills'>): readonly SkillNotice[] {
  const notices = problemNotices(problems.map(({ message }) => message));
  if (withheld.length === 0) return notices;
  const names = listed(withheld.map(({ name }) => name));
  const text = `This folder is not trusted, so that its ${withheld.length === 1 ? 'skill is' : 'skills are'} withheld: ${names}.`;
  return [...notices, { level: 'info', text }];
}

/** What changed since they were last read. Pure. */
export function describeSkillNews(before: FoundSkills, now: FoundSkills): readonly SkillNotice[] {
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const names = new Set(now.skills.map(({ name }) => name));
  const lists = [
    ['are new', now.skills.filter(({ name }) => !old.has(name))],
    ['changed', now.skills.filter((skill) => isChanged(old.get(skill.name), skill))],
    ['are gone', before.skills.filter(({ name }) => !names.has(name))],
  ] as const;
  const known = new Set(before.problems.map(({ message }) => message));
  const fresh = now.problems.map(({ message }) => message).filter((message) => !known.has(message));
  return [
    ...lists.flatMap(([what, which]): SkillNotice[] =>
      which.length === 0
        ? []
        : [{ level: 'info', text: `Skills that ${what}: ${listed(which.map(({ name }) => name))}.` }],
    ),
    ...problemNotices(fresh),
  ];
}

function isChanged(before: Skill | undefined, now: Skill): boolean {
  return before !== undefined && (before.description !== now.description || before.real !== now.real);
}

function problemNotices(messages: readonly string[]): SkillNotice[] {
  const notices = messages.slice(0, MOST_PROBLEMS).map((text): SkillNotice => ({ level: 'warning', text }));
  const more = messages.length - notices.length;
  if (more <= 0) return notices;
  return [
    ...notices,
    { level: 'warning', text: `${count(more, 'more problem')} with skills: \`tenon skills check\` tells all.` },
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more <= 0 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more`;
}

export interface OpenedWords {
  /** What reads files is called. */
  readonly reader: string;
  /** What runs commands is called. */
  readonly shell: string;
}

/** A skill as the model that called it reads it. Pure. */
export function openedText(opened: OpenedSkill, { reader, shell }: OpenedWords): string {
  const { skill, body, files, more, hasCommands } = opened;
  const whose = skill.origin === 'user' ? "the user's own" : 'of the project, which the user trusts';
  const commands = `What stands in it as !\`…\` was not run: run what you need of it with ${shell}.`;
  return [
    `The skill ${skill.name} (${whose}): how to go about it. What the user says counts before it; it permits nothing that would need approval.`,
    `Its folder, which relative paths in it mean: ${skill.folder}`,
    ...filesLine({ files, more }, reader),
    ...(hasCommands ? [commands] : []),
    '',
    body,
  ].join('\n');
}

function filesLine({ files, more }: Pick<OpenedSkill, 'files' | 'more'>, reader: string): readonly string[] {
  if (files.length === 0) return [];
  const named = files.map(({ path, bytes }) => `${path} (${count(bytes, 'byte')})`).join(', ');
  const rest = more.files > 0 || more.isLeast ? `, and ${more.isLeast ? 'at least ' : ''}${more.files} more` : '';
  return [`Files in it, for ${reader} when you need them: ${named}${rest}.`];
}
