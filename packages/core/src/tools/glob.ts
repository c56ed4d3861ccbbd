import { resolve } from 'node:path';
import type { Effect } from '../effects/effect.js';
import type { Refusal } from '../files/workspace-types.js';
import { planGlobs, type GlobPlan } from '../search/globs/glob-plan.js';
import { inFolderPhrase, onOneLine } from '../search/report/search-text.js';
import { realPath } from '../util/real-path.js';
import type { ToolRuntime } from '../runtime.js';
import { errorMessage } from '../util/failure.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut } from './left-out.js';
import { namedByAnchored } from './named-by-globs.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

/** S101. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_PATTERN_LENGTH = 4096;
const MAX_PATTERNS = 50;

export type { GlobData } from './glob-run.js';

export interface GlobToolParams {
  pattern: string | string[];
  path?: string;
  limit?: number;
  offset?: number;
}

function patternsOf({ pattern }: GlobToolParams): readonly string[] {
  return typeof pattern === 'string' ? [pattern] : pattern;
}

/** @throws Failure `invalid_pattern` */
function planOf(params: GlobToolParams, config: ToolRuntime): GlobPlan {
  const { roots } = config.getWorkspaceGate();
  const bases = params.path === undefined ? roots : [resolve(roots[0] ?? '', params.path)];
  const isHidden = (path: string, from: string): boolean => config.getFileService().shouldGitIgnoreFolder(path, from);
  return planGlobs(patternsOf(params), bases, { realOf: realPath, isHidden });
}

class GlobInvocation extends RunInvocation<GlobToolParams> {
  readonly #config: ToolRuntime;
  readonly #plan: GlobPlan;
  readonly #judged: JudgedPaths;
  readonly #leftOut: LeftOut;

  constructor(config: ToolRuntime, params: GlobToolParams, plan: GlobPlan) {
    super(params);
    this.#config = config;
    this.#leftOut = new LeftOut(config, ToolNames.GLOB);
    this.#plan = plan;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  getDescription(): string {
    const root = this.#config.getWorkspaceGate().roots[0] ?? '';
    const patterns = patternsOf(this.params).map((pattern) => `'${onOneLine(pattern)}'`);
    const folder = this.params.path === undefined ? undefined : this.#plan.folders[0]?.path;
    return `${patterns.join(', ')}${inFolderPhrase(folder, root)}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#plan.folders.map(({ path }) => ({ path }));
  }

  effects(): Effect[] {
    const leavesOut = this.#leftOut.isKnown;
    const places = this.#plan.folders.map(({ path }) => path);
    const names = namedByAnchored(this.#plan.globs);
    const asked = this.#leftOut.askedFor(places.map((place) => ({ place, names })));
    return this.#judged.state([
      ...places.map((path) => ({ kind: 'read', path, tree: 'always', leavesOut }) as const),
      ...asked.map((path) => ({ kind: 'read', path }) as const),
    ]);
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { GlobRun } = await import('./glob-run.js');
    const { params } = this;
    const { limit = DEFAULT_LIMIT, offset = 0, pattern } = params;
    const asked = { path: params.path, pattern, patterns: patternsOf(params), limit, offset };
    return new GlobRun(
      { config: this.#config, plan: this.#plan, judged: this.#judged, leftOut: this.#leftOut },
      asked,
    ).answer(signal);
  }
}

/** Finds files by name (S98–S104). */
export class GlobTool extends BaseDeclarativeTool<GlobToolParams, ToolResult> {
  static readonly Name = ToolNames.GLOB;
  readonly #config: ToolRuntime;
  /** What was planned when the parameters were checked last: a call is built right after that. */
  readonly #checked = new WeakMap<GlobToolParams, GlobPlan>();

  constructor(config: ToolRuntime) {
    const pattern = { type: 'string', minLength: 1, maxLength: MAX_PATTERN_LENGTH };
    super(
      GlobTool.Name,
      ToolDisplayNames.GLOB,
      'Finds files by glob pattern. Returns absolute paths, most recently modified first. Hidden files are included; files ignored by .gitignore or .qwenignore are not.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          pattern: {
            anyOf: [pattern, { type: 'array', items: pattern, minItems: 1, maxItems: MAX_PATTERNS }],
            description:
              'Glob relative to path, e.g. "**/*.ts" or "src/**/*.{js,ts}", or a list. * stays within one folder, ** spans folders, ? is one character, [abc] a set, a leading ! excludes. Case-sensitive.',
          },
          path: { type: 'string', description: 'Folder to search. Default: the workspace.' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: `Default: ${DEFAULT_LIMIT}.` },
          offset: { type: 'integer', minimum: 0, description: 'Matches to skip, newest first.' },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: GlobToolParams): string | Refusal | null {
    if (patternsOf(params).some((pattern) => pattern.trim() === ''))
      return 'pattern must not be empty; "**/*" matches every file.';
    const gate = this.#config.getWorkspaceGate();
    try {
      const plan = planOf(params, this.#config);
      for (const { path } of plan.folders) {
        const refusal = gate.check(path);
        if (refusal !== null) return refusal;
      }
      // The first speaks for all: patterns are valid wherever they are searched for.
      plan.folders[0]?.globSet();
      this.#checked.set(params, plan);
      return null;
    } catch (thrown) {
      return `pattern is not a valid glob: ${errorMessage(thrown)}`;
    }
  }

  protected createInvocation(params: GlobToolParams): ToolInvocation<GlobToolParams, ToolResult> {
    const plan = this.#checked.get(params) ?? planOf(params, this.#config);
    return new GlobInvocation(this.#config, params, plan);
  }
}
