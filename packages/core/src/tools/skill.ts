import type { PathEffect } from '../effects/effect.js';
import type { ToolRuntime } from '../runtime.js';
import { ALL_SKILLS, NO_SKILLS } from '../skills/describe-skills.js';
import type { Skill } from '../skills/skill-types.js';
import type { Skills } from '../skills/skills.js';
import { nearestNames } from '../util/nearest-names.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

export interface SkillToolParams {
  /** Of a skill; `*` lists them all. */
  name: string;
  args?: string;
}

type Runtime = Pick<ToolRuntime, 'getSkills'>;

const MOST_NAMED = 20;

class SkillListInvocation extends RunInvocation<SkillToolParams> {
  readonly #skills: Skills;

  constructor(params: SkillToolParams, skills: Skills) {
    super(params);
    this.#skills = skills;
  }

  getDescription(): string {
    return 'the list of skills';
  }

  /** What they are for was told before, or could have been. */
  effects(): readonly PathEffect[] {
    return [];
  }

  protected async run(): Promise<ToolResult> {
    return { llmContent: this.#skills.list(this.params.args ?? ''), data: { names: this.#skills.names() } };
  }
}

class SkillInvocation extends RunInvocation<SkillToolParams> {
  readonly #skills: Skills;
  /** Found once: what was judged is what is read. */
  readonly #skill: Skill;

  constructor(params: SkillToolParams, skills: Skills, skill: Skill) {
    super(params);
    this.#skills = skills;
    this.#skill = skill;
  }

  getDescription(): string {
    const [args = ''] = (this.params.args ?? '').trim().split('\n', 1);
    return `${this.#skill.name} ${args}`.trim();
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.#skill.file }];
  }

  effects(): readonly PathEffect[] {
    return [this.#skills.effectOf(this.#skill)];
  }

  protected async run(): Promise<ToolResult> {
    const { openedText } = await import('../skills/skill-words.js');
    const opened = await this.#skills.open(this.#skill, this.params.args ?? '');
    const { name, origin, label, folder } = opened.skill;
    return {
      llmContent: openedText(opened, { reader: ToolNames.READ_FILE, shell: ToolNames.SHELL }),
      returnDisplay: `Skill ${name} (${origin === 'user' ? 'yours' : 'of the project'}, ${label})`,
      data: { skill: name, folder },
    };
  }
}

/** Loads what the person or the project wrote down for a kind of work. Nothing in it is run by that. */
export class SkillTool extends BaseDeclarativeTool<SkillToolParams, ToolResult> {
  static readonly Name = ToolNames.SKILL;
  override readonly parameterAliases = { skill: 'name', command: 'name', arguments: 'args' };
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    super(SkillTool.Name, ToolDisplayNames.SKILL, runtime.getSkills().description, Kind.Read, {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 80, description: 'Name of the skill.' },
        args: { type: 'string', maxLength: 20_000, description: 'What it is to work on, where it asks for that.' },
      },
      required: ['name'],
      additionalProperties: false,
    });
    this.#runtime = runtime;
  }

  /** Where there are no skills, it would only cost every request its description. */
  override get isOffered(): boolean {
    return this.#runtime.getSkills().hasAny;
  }

  protected override validateToolParamValues({ name }: SkillToolParams): string | null {
    if (name === ALL_SKILLS) return null;
    const skills = this.#runtime.getSkills();
    const skill = skills.find(plainName(name));
    if (skill?.isForModel === true) return null;
    if (skill !== undefined)
      return `The skill ${skill.name} is for the user alone, who says /${skill.name}. Suggest that to them if it is of use.`;
    return unknownSkill(name, skills.names());
  }

  protected createInvocation(params: SkillToolParams): ToolInvocation<SkillToolParams, ToolResult> {
    const skills = this.#runtime.getSkills();
    const skill = params.name === ALL_SKILLS ? undefined : skills.find(plainName(params.name));
    return skill === undefined ? new SkillListInvocation(params, skills) : new SkillInvocation(params, skills, skill);
  }
}

/** Some models write it as people do. */
function plainName(name: string): string {
  return name.trim().replace(/^\//, '');
}

function unknownSkill(name: string, names: readonly string[]): string {
  if (names.length === 0) return NO_SKILLS;
  const near = nearestNames(name, names);
  const some = near.length > 0 ? near : names.slice(0, MOST_NAMED);
  const more = near.length > 0 ? ` The name ${JSON.stringify(ALL_SKILLS)} lists them all.` : '';
  const rest = near.length === 0 && names.length > some.length ? ` and ${names.length - some.length} more` : '';
  return `There is no skill ${JSON.stringify(name)}. ${near.length > 0 ? 'Like it' : 'There are'}: ${some.join(', ')}${rest}.${more}`;
}
