import { isAbsolute } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import { displayPath } from '../files/display-path.js';
import type { ToolRuntime } from '../runtime.js';
import { leftOutPhrase } from '../search/report/search-text.js';
import { newWalkCounts, type WalkCounts } from '../search/tree/walked-folder.js';
import { count } from '../util/count.js';
import { JudgedPaths } from './judged-paths.js';
import { LeftOut } from './left-out.js';
import { namedByGlobs } from './named-by-globs.js';
import { resolveSources, type Skip, type Source } from './read-many-sources.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

export interface ReadManyFilesToolParams {
  paths: string[];
  include?: string[];
  exclude?: string[];
}

class ReadManyFilesInvocation extends RunInvocation<ReadManyFilesToolParams> {
  readonly #config: ToolRuntime;
  readonly #judged: JudgedPaths;
  readonly #leftOut: LeftOut;
  /** Why something was not read → what. */
  readonly #skipped = new Map<string, Skipped>();

  constructor(config: ToolRuntime, params: ReadManyFilesToolParams) {
    super(params);
    this.#config = config;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
    this.#leftOut = new LeftOut(config, ToolNames.READ_MANY_FILES);
  }

  getDescription(): string {
    const { paths } = this.params;
    const root = this.#config.getTargetDir();
    const shown = paths.slice(0, 3).map((path) => (isAbsolute(path) ? displayPath(path, root) : path));
    return `${shown.join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
  }

  override toolLocations(): ToolLocation[] {
    return this.#sources(() => undefined).map(({ path }) => ({ path }));
  }

  effects(): Effect[] {
    const sources = this.#sources(() => undefined);
    const leavesOut = this.#leftOut.isKnown;
    const asked = this.#leftOut.askedFor(
      sources.map(({ path, pattern }) => ({
        place: path,
        names: pattern === undefined ? undefined : namedByGlobs([pattern]),
      })),
    );
    return this.#judged.state([
      ...sources.map(({ path, pattern }) => {
        return { kind: 'read', path, leavesOut, ...(pattern !== undefined && { tree: 'always' }) } as const;
      }),
      ...asked.map((path) => ({ kind: 'read', path }) as const),
    ]);
  }

  protected async run(signal: AbortSignal, _update?: unknown, context?: CallContext): Promise<ToolResult> {
    const [{ collectFiles }, { joinFiles, newRoom }] = await Promise.all([
      import('./collect-files.js'),
      import('./read-joined.js'),
    ]);
    this.#skipped.clear();
    const counts = newWalkCounts();
    const { include = [], exclude = [] } = this.params;
    const skip: Skip = (...why) => this.#skip(...why);
    const gate = this.#config.getWorkspaceGate();
    const sources = this.#sources(skip);
    const candidates = await collectFiles({
      sources,
      gate,
      judged: this.#judged,
      leftOut: this.#leftOut,
      include,
      exclude,
      counts,
      gitUser: this.#config.getGitUser(),
      skip,
      signal,
    });
    const reader = { versions: this.#config.getFileVersions(), context };
    const shown = this.#config.getShownTexts();
    const root = this.#config.getTargetDir();
    const files = await joinFiles({ candidates, gate, shown, reader, root, room: newRoom(), skip, signal });
    const read = files.map(({ path }) => path);
    const ignored = read.filter((path) => this.#config.getFileService().shouldGitIgnoreFile(path));
    const ofGit = ignored.length === 0 ? '' : ` Ignored by git: ${someOf(ignored)}.`;
    const summary = `${this.#summary(read.length, counts)}${ofGit}`;
    if (read.length === 0) throw new ToolError(ToolErrorType.FILE_NOT_FOUND, summary);
    const leftOutByRules = this.#leftOut.counts();
    const data = {
      read,
      ...(leftOutByRules.length > 0 && { leftOutByRules }),
      skipped: Object.fromEntries(Array.from(this.#skipped, ([reason, { names }]) => [reason, names])),
      skippedCounts: Object.fromEntries(Array.from(this.#skipped, ([reason, { count: many }]) => [reason, many])),
    };
    const parts = files.flatMap((file) => file.parts);
    return { llmContent: [...parts, { text: `\n[${summary}]` }], returnDisplay: summary, data };
  }

  #sources(skip: Skip): Source[] {
    const gate = this.#config.getWorkspaceGate();
    return resolveSources({ paths: this.params.paths, base: this.#config.getTargetDir(), gate, skip });
  }

  #skip(reason: string, what: string, one = reason): void {
    const { count: before, names } = this.#skipped.get(reason) ?? { count: 0, names: [] };
    this.#skipped.set(reason, { count: before + 1, one, names: before < MAX_NAMES_KEPT ? [...names, what] : names });
  }

  #summary(amount: number, counts: WalkCounts): string {
    const reasons = Array.from(
      this.#skipped,
      ([reason, { count: many, one, names }]) => `${count(many, one, reason)} (${someOf(names)})`,
    );
    const leftOut = leftOutPhrase(counts);
    if (leftOut !== '') reasons.push(leftOut);
    reasons.push(...this.#leftOut.phrases());
    const files = amount === 0 ? 'No file was read.' : `Read ${count(amount, 'file')}.`;
    return reasons.length === 0 ? files : `${files} Left out: ${reasons.join('; ')}.`;
  }
}

/** What was left out for one reason. */
interface Skipped {
  readonly count: number;
  /** The reason, of a single thing. */
  readonly one: string;
  /** The first of it. */
  readonly names: readonly string[];
}

const MAX_NAMES_KEPT = 100;
const MAX_NAMES = 3;
const MAX_NAME_CHARS = 200;

/** A few names; of a very long one its end, which tells more. */
function someOf(list: readonly string[]): string {
  const names = list.slice(0, MAX_NAMES).map((name) => {
    const characters = Array.from(name);
    return characters.length > MAX_NAME_CHARS ? `…${characters.slice(-MAX_NAME_CHARS).join('')}` : name;
  });
  return `${names.join(', ')}${list.length > MAX_NAMES ? ', …' : ''}`;
}

/** Reads and joins several files (S118). */
export class ReadManyFilesTool extends BaseDeclarativeTool<ReadManyFilesToolParams, ToolResult> {
  static readonly Name = ToolNames.READ_MANY_FILES;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      ReadManyFilesTool.Name,
      ToolDisplayNames.READ_MANY_FILES,
      'Reads several files at once and joins them, each under "--- path ---". All share one size budget: large files are cut with a notice of how to go on, what is left out is counted. Best for several small files.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          paths: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            minItems: 1,
            description: 'Files, folders or globs such as src/**/*.ts, absolute or relative to the workspace.',
          },
          include: {
            type: 'array',
            items: { type: 'string' },
            description: 'In folders and globs only files matching one of these.',
          },
          exclude: {
            type: 'array',
            items: { type: 'string' },
            description: 'In folders and globs no files matching one of these.',
          },
        },
        required: ['paths'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected createInvocation(params: ReadManyFilesToolParams): ToolInvocation<ReadManyFilesToolParams, ToolResult> {
    return new ReadManyFilesInvocation(this.#config, params);
  }
}
