import type { Zone } from '../effects/effect.js';

/** Whose a skill is: the person's own, in every project, or that of a project which they trust. */
export type SkillOrigin = 'user' | 'project';

/** A folder in which skills are looked for. */
export interface SkillPlace {
  /** Absolute; need not exist. */
  readonly folder: string;
  /** For people: `.tenon/skills`. */
  readonly label: string;
  readonly origin: SkillOrigin;
  /** True: it may be a skill itself, not only hold some. */
  readonly mayBeOne?: true;
  /** Of a project or an extension, canonical: what leads out of it is left out. */
  readonly within?: string;
}

/** What the file says of a skill before anybody calls it. */
export interface SkillHead {
  readonly name: string;
  /** One line, cleaned: what it does and when to use it. */
  readonly description: string;
  readonly license?: string;
  /** What follows the name, for people. */
  readonly argumentHint?: string;
  /** Globs: models are told of it only once a file that one of them means was touched. */
  readonly paths?: readonly string[];
  /** False: only the person says it. */
  readonly isForModel: boolean;
  /** False: only the model calls it. */
  readonly isForPerson: boolean;
  /** What of it does not count here, a sentence each, for the person. */
  readonly notes: readonly string[];
}

export interface Skill extends SkillHead {
  readonly origin: SkillOrigin;
  /** Of its place: `.tenon/skills`. */
  readonly label: string;
  /** Its `SKILL.md`, absolute, as it was found. */
  readonly file: string;
  /** The same, canonical. */
  readonly real: string;
  /** Canonical folder that it lies in, with all that belongs to it. */
  readonly folder: string;
  /** Where reading it counts. */
  readonly zone: Zone;
  /** Of a project or an extension, canonical: what it must lie in. */
  readonly within?: string;
  /** Of the file. */
  readonly bytes: number;
}

/** A skill that was found and is not there, or of which something does not count. */
export interface SkillProblem {
  readonly file: string;
  /** A whole sentence. */
  readonly message: string;
}

/** A skill of a project that is not trusted: nothing of it was read. */
export interface WithheldSkill {
  /** Of its folder. */
  readonly name: string;
  readonly file: string;
  readonly label: string;
}

export interface FoundSkills {
  /** In the order of their places: of several with one name the first. */
  readonly skills: readonly Skill[];
  readonly withheld: readonly WithheldSkill[];
  readonly problems: readonly SkillProblem[];
}

/** When the model is told of a skill: with every request, once a file was touched, or never. */
export type SkillState = 'offered' | 'waits' | 'person-only';

/** A skill as a person looks at it. */
export interface ListedSkill extends Skill {
  readonly state: SkillState;
}

export interface SkillsOverview {
  readonly skills: readonly ListedSkill[];
  readonly withheld: readonly WithheldSkill[];
  readonly problems: readonly SkillProblem[];
  /** Where skills are looked for, existing or not, absolute. */
  readonly places: readonly SkillPlace[];
  readonly isTrusted: boolean;
}

/** For the person. */
export interface SkillNotice {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

/** A skill that was called. */
export interface OpenedSkill {
  readonly skill: Skill;
  /** What it says, its blanks filled. */
  readonly body: string;
  /** What else lies in its folder. */
  readonly files: readonly SkillFile[];
  /** Files that are not named for want of room; true: at least so many. */
  readonly more: { readonly files: number; readonly isLeast: boolean };
  /** It holds commands that other agents run when they load it. */
  readonly hasCommands: boolean;
}

export interface SkillFile {
  /** Relative to the folder of the skill, with `/`. */
  readonly path: string;
  readonly bytes: number;
}
