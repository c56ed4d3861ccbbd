import { MAIN_AGENT } from '../effects/call-context.js';
import type { PathEffect } from '../effects/effect.js';
import type { IgnoreRules } from '../files/ignore-rules.js';
import type { ReadRules } from '../effects/withheld.js';
import { Failure } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';
import { canonicalPath } from '../util/real-path.js';
import { describeSkills, listSkills, skillNote } from './describe-skills.js';
import type { SkillGatherer } from './gather-skills.js';
import { filesMeant } from './match-paths.js';
import { skillPlaces, type SkillSettings } from './skill-places.js';
import type {
  FoundSkills,
  ListedSkill,
  OpenedSkill,
  Skill,
  SkillNotice,
  SkillPlace,
  SkillsOverview,
  SkillState,
} from './skill-types.js';
import { describeFoundSkills, describeSkillNews } from './skill-words.js';

export interface SkillsOptions extends SkillSettings {
  /** Canonical. */
  readonly roots: readonly string[];
  readonly tempDir: string;
  /** Tenon's own folder. Undefined: there is none. */
  readonly home: string | undefined;
  readonly userHome: string | undefined;
  /** `.qwenignore` of the roots. */
  readonly ignore: IgnoreRules;
  /** What rules keep from being read. */
  readonly readRules?: ReadRules | undefined;
}

const NOTHING: FoundSkills = { skills: [], withheld: [], problems: [] };

/** The skills of the person and of the project, read anew before each prompt (S142). Nothing in a skill is run by reading it. */
export class Skills {
  readonly isTrusted: boolean;
  readonly places: readonly SkillPlace[];
  readonly #options: SkillsOptions;
  readonly #settingProblems: readonly string[];
  readonly #listeners = new Set<() => void>();
  /** Skills that were called, by their canonical folder. */
  readonly #called = new Map<string, Skill>();
  /** Skills for certain files, by their canonical file, once such a file was touched. */
  readonly #touched = new Set<string>();
  /** Judges of skills for certain files; a skill that was read anew is another object. */
  readonly #meant = new WeakMap<Skill, (path: string, root: string) => boolean>();
  #gatherer: SkillGatherer | undefined;
  #found: FoundSkills = NOTHING;
  /** As the person was told; undefined before the first time. */
  #told: FoundSkills | undefined;
  #waiting: readonly Skill[] = [];
  /** By the agent that touched such a file. */
  readonly #news = new Map<string, Skill[]>();
  #description = describeSkills([], 0);

  constructor(options: SkillsOptions) {
    const { places, problems } = skillPlaces(options);
    this.isTrusted = options.isTrusted === true;
    this.places = places;
    this.#settingProblems = problems;
    this.#options = options;
  }

  /** Reads them anew. */
  async load(): Promise<void> {
    const isAnywhere = this.places.some(({ folder }) => canonicalPath(folder) !== undefined);
    const found = isAnywhere ? await this.#gather() : NOTHING;
    const ofSetting = this.#settingProblems.map((message) => ({ file: 'settings', message }));
    this.#found = { ...found, problems: [...ofSetting, ...found.problems] };
    this.#waiting = found.skills.filter((skill) => stateOf(skill, this.#touched) === 'waits');
    const folders = new Set(found.skills.map(({ folder }) => folder));
    for (const folder of this.#called.keys()) if (!folders.has(folder)) this.#called.delete(folder);
    const description = describeSkills(this.#offered(), this.#waiting.length);
    const isOther = description !== this.#description;
    this.#description = description;
    if (isOther) for (const listener of this.#listeners) listener();
  }

  /** The same, before each prompt. Returns what the person should know: at first what is wrong, later what changed. */
  async refresh(): Promise<readonly SkillNotice[]> {
    await this.load();
    const before = this.#told;
    this.#told = this.#found;
    return before === undefined ? describeFoundSkills(this.#found) : describeSkillNews(before, this.#found);
  }

  async overview(): Promise<SkillsOverview> {
    await this.load();
    const { skills, withheld, problems } = this.#found;
    const listed = skills.map((skill): ListedSkill => ({ ...skill, state: stateOf(skill, this.#touched) }));
    return { skills: listed, withheld, problems, places: this.places, isTrusted: this.isTrusted };
  }

  /** Called when `description` is another one; never while that is asked for. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** What models are told with every request. */
  get description(): string {
    return this.#description;
  }

  /** Whether there is any that a model may call. */
  get hasAny(): boolean {
    return this.#found.skills.some(({ isForModel }) => isForModel);
  }

  /** For a model that wants to know them all, or those of which some words speak. */
  list(words: string): string {
    return listSkills(this.#callable(), words);
  }

  /** Names that a model may call, in their order. */
  names(): readonly string[] {
    return this.#callable().map(({ name }) => name);
  }

  /** By name, in any case. */
  find(name: string): Skill | undefined {
    const wanted = name.toLowerCase();
    return this.#found.skills.find((skill) => skill.name.toLowerCase() === wanted);
  }

  /** What calling it does. */
  effectOf({ real, file, zone }: Skill): PathEffect {
    return { kind: 'read', path: real, requested: file, zone };
  }

  /**
   * What it says now. From here on what lies in its folder may be read.
   * @throws Failure `skill_unreadable`, `file_changed` when the file leads elsewhere than `skill` says
   */
  async open(skill: Skill, args: string): Promise<OpenedSkill> {
    const { openSkillFile } = await import('./open-skill-file.js');
    if (canonicalPath(skill.file) !== skill.real)
      throw new Failure('file_changed', `The skill ${skill.name} leads elsewhere than when it was judged. Try again.`);
    const { tempDir, ignore } = this.#options;
    const opened = await openSkillFile({ skill, args, tempDir, ignore });
    this.#called.set(skill.folder, skill);
    return opened;
  }

  /** All that stands in its file now, for a person. @throws Failure `skill_unreadable` */
  async textOf(skill: Skill): Promise<string> {
    const { skillText } = await import('./open-skill-file.js');
    const { tempDir, ignore } = this.#options;
    return skillText({ skill, tempDir, ignore });
  }

  /** Folders outside the workspace that may be read: canonical. Of skills of the person's own, once they were called. */
  openFolders(): readonly string[] {
    return [...this.#called.values()].filter(({ zone }) => zone === 'skill').map(({ folder }) => folder);
  }

  /** Canonical folders of all that were called in this session: their scripts may be run by name. */
  calledFolders(): readonly string[] {
    return [...this.#called.keys()];
  }

  /** A file was read or changed by a tool of an agent. @param path canonical */
  noteTouched(path: string, agent = MAIN_AGENT): void {
    if (this.#waiting.length === 0) return;
    const root = this.#options.roots.find((each) => isWithin(path, each));
    if (root === undefined) return;
    const met = this.#waiting.filter((skill) => this.#judge(skill)(path, root));
    if (met.length === 0) return;
    for (const { real } of met) this.#touched.add(real);
    this.#news.set(agent, [...(this.#news.get(agent) ?? []), ...met]);
    this.#waiting = this.#waiting.filter((skill) => !met.includes(skill));
  }

  /** Skills for files that the agent touched since it was asked last, for its model; undefined for none. */
  takeNote(agent = MAIN_AGENT): string | undefined {
    const news = this.#news.get(agent);
    this.#news.delete(agent);
    return news === undefined ? undefined : skillNote(news);
  }

  #judge(skill: Skill): (path: string, root: string) => boolean {
    const known = this.#meant.get(skill);
    if (known !== undefined) return known;
    const judge = filesMeant(skill.paths ?? []);
    this.#meant.set(skill, judge);
    return judge;
  }

  #offered(): readonly Skill[] {
    return this.#found.skills.filter((skill) => stateOf(skill, this.#touched) === 'offered');
  }

  #callable(): readonly Skill[] {
    return this.#found.skills.filter(({ isForModel }) => isForModel);
  }

  async #gather(): Promise<FoundSkills> {
    const { SkillGatherer } = await import('./gather-skills.js');
    this.#gatherer ??= new SkillGatherer();
    return this.#gatherer.gather({ ...this.#options, places: this.places, isTrusted: this.isTrusted });
  }
}

function stateOf({ isForModel, paths, real }: Skill, touched: ReadonlySet<string>): SkillState {
  if (!isForModel) return 'person-only';
  return paths === undefined || touched.has(real) ? 'offered' : 'waits';
}
