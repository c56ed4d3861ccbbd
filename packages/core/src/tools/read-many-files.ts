import { isAbsolute } from 'node:path';
import type { Effect } from '../effects/effect.js';
import { displayPath } from '../files/display-path.js';
import { readBase64, sniffMedia } from '../files/media.js';
import { readHead, readTextWindow } from '../files/read-text-window.js';
import type { ReadHandle } from '../files/workspace-gate.js';
import { estimateTokens } from '../output/estimate-tokens.js';
import { fairShare } from '../output/fair-share.js';
import { fitWindow } from '../output/fit-window.js';
import type { ToolRuntime } from '../runtime.js';
import { leftOutPhrase } from '../search/search-text.js';
import { newWalkCounts, type WalkCounts } from '../search/walk.js';
import {
  collectFiles,
  resolveSources,
  skipFailed,
  type Candidate,
  type Skip,
  type Source,
} from './read-many-sources.js';
import { JudgedPaths } from './judged-paths.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type Part,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools.js';

export interface ReadManyFilesToolParams {
  paths: string[];
  include?: string[];
  exclude?: string[];
}

/** All files share these, which stay below what the scheduler lets through of one result. */
const MAX_BYTES = 44 * 1024;
const MAX_TOKENS = 11_000;
const MAX_MEDIA_BYTES = 10 * 1024 * 1024;
const MAX_LINES_OF_ONE = 2000;
/** Less of a file than this is of no use; files beyond are only counted. */
const MIN_SHARE_BYTES = 1024;
interface Budget {
  bytes: number;
  tokens: number;
  media: number;
}

class ReadManyFilesInvocation extends RunInvocation<ReadManyFilesToolParams> {
  readonly #config: ToolRuntime;
  readonly #judged: JudgedPaths;
  /** Why something was not read → what. */
  readonly #skipped = new Map<string, string[]>();

  constructor(config: ToolRuntime, params: ReadManyFilesToolParams) {
    super(params);
    this.#config = config;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
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
    return this.#judged.state(
      sources.map(({ path, pattern }) => ({ kind: 'read', path, ...(pattern !== undefined && { tree: 'always' }) })),
    );
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    this.#skipped.clear();
    const counts = newWalkCounts();
    const { include = [], exclude = [] } = this.params;
    const skip: Skip = (reason, what) => this.#skip(reason, what);
    const gate = this.#config.getWorkspaceGate();
    const candidates = await collectFiles({
      sources: this.#sources(skip),
      gate,
      judged: this.#judged,
      include,
      exclude,
      counts,
      skip,
      signal,
    });
    const share = fairShare(
      candidates.map(({ size }) => size),
      MAX_BYTES,
    );
    const budget: Budget = { bytes: MAX_BYTES, tokens: MAX_TOKENS, media: MAX_MEDIA_BYTES };
    const parts: Part[] = [];
    const read: string[] = [];
    for (const candidate of candidates) {
      signal.throwIfAborted();
      const piece = await this.#read(candidate, { share: Math.max(share, MIN_SHARE_BYTES), budget, signal });
      if (piece === undefined) continue;
      parts.push(...piece);
      read.push(candidate.path);
    }
    const summary = this.#summary(read.length, counts);
    if (read.length === 0) throw new ToolError(ToolErrorType.FILE_NOT_FOUND, summary);
    const data = { read, skipped: Object.fromEntries(this.#skipped) };
    return { llmContent: [...parts, { text: `\n[${summary}]` }], returnDisplay: summary, data };
  }

  #sources(skip: Skip): Source[] {
    const gate = this.#config.getWorkspaceGate();
    return resolveSources({ paths: this.params.paths, base: this.#config.getTargetDir(), gate, skip });
  }

  async #read(candidate: Candidate, room: Room): Promise<Part[] | undefined> {
    if (room.budget.bytes < MIN_SHARE_BYTES / 2 || room.budget.tokens < 200) {
      this.#skip('over the budget of one answer', candidate.path);
      return undefined;
    }
    try {
      const { path, canonical: expected } = candidate;
      const gate = this.#config.getWorkspaceGate();
      return await gate.withFile(path, (handle) => this.#readHeld(handle, candidate, room), { expected });
    } catch (thrown) {
      skipFailed(thrown, candidate.path, (reason, what) => this.#skip(reason, what));
      return undefined;
    }
  }

  async #readHeld(
    handle: ReadHandle,
    { path, named }: Candidate,
    { share, budget, signal }: Room,
  ): Promise<Part[] | undefined> {
    const file = await handle.open();
    try {
      const { size } = handle.stat;
      const head = await readHead(file, size);
      const media = sniffMedia(head);
      const title = `--- ${displayPath(path, this.#config.getTargetDir())} ---\n`;
      if (media !== undefined && media.kind !== 'svg') {
        if (!named || size > budget.media) {
          this.#skip(named ? 'media too large' : 'images and PDFs (name them one by one)', path);
          return undefined;
        }
        budget.media -= size;
        return [{ text: title }, { inlineData: { data: await readBase64(file, size), mimeType: media.mimeType } }];
      }
      const maxBytes = Math.min(share, budget.bytes);
      const request = { file, size, head, name: path, signal, offset: 0, column: 0, limit: MAX_LINES_OF_ONE, maxBytes };
      const whole = await readTextWindow(request);
      const window = fitWindow(whole, { offset: 0, maxBytes, maxTokens: Math.min(budget.tokens, MAX_TOKENS) });
      const isCut = window.cutColumn !== undefined || window.nextOffset !== undefined;
      const rest = `[Cut here: ${window.lines.length} of ${window.totalIsExact ? '' : 'at least '}${window.totalLines} lines. For the rest use ${ToolNames.READ_FILE}.]\n`;
      const body = window.lines.join('\n') + (window.lines.length > 0 ? '\n' : '');
      const text = title + body + (isCut ? rest : '');
      budget.bytes -= Buffer.byteLength(text);
      budget.tokens -= estimateTokens(text);
      return [{ text }];
    } finally {
      await file.close();
    }
  }

  #skip(reason: string, what: string): void {
    const list = this.#skipped.get(reason) ?? [];
    list.push(what);
    this.#skipped.set(reason, list);
  }

  #summary(amount: number, counts: WalkCounts): string {
    const reasons = Array.from(this.#skipped, ([reason, list]) => `${list.length} ${reason} (${someOf(list)})`);
    const leftOut = leftOutPhrase(counts);
    if (leftOut !== '') reasons.push(leftOut);
    const files = amount === 0 ? 'No file was read.' : `Read ${amount} ${amount === 1 ? 'file' : 'files'}.`;
    return reasons.length === 0 ? files : `${files} Left out: ${reasons.join('; ')}.`;
  }
}

interface Room {
  readonly share: number;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

function someOf(list: readonly string[]): string {
  return `${list.slice(0, 3).join(', ')}${list.length > 3 ? ', …' : ''}`;
}

/** Reads and joins several files (S118). */
export class ReadManyFilesTool extends BaseDeclarativeTool<ReadManyFilesToolParams, ToolResult> {
  static readonly Name = ToolNames.READ_MANY_FILES;
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      ReadManyFilesTool.Name,
      ToolDisplayNames.READ_MANY_FILES,
      'Reads several files at once and joins them, each under "--- path ---". All share one size budget; large files are cut, and what is left out is listed. Best for several small files.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          paths: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            minItems: 1,
            description: 'Files, folders or globs such as src/**/*.ts, absolute or relative to the workspace root.',
          },
          include: {
            type: 'array',
            items: { type: 'string' },
            description: 'In folders and globs read only files matching one of these globs.',
          },
          exclude: {
            type: 'array',
            items: { type: 'string' },
            description: 'In folders and globs leave out files matching one of these globs.',
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
