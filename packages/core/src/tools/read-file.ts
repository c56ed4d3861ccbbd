import { join } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import { besideOf } from '../files/beside-encoding.js';
import type { Refusal } from '../files/workspace-types.js';
import { displayPath } from '../files/display-path.js';
import { isNotebookName, sniffMedia } from '../files/media.js';
import { explainMissingFile } from '../files/explain-missing-file.js';
import type { ReadHandle } from '../files/workspace-gate.js';
import type { ToolRuntime } from '../runtime.js';
import { Failure } from '../util/failure.js';
import { hiddenNames } from './hidden-names.js';
import { JudgedPaths } from './judged-paths.js';
import {
  asShown,
  remember,
  rememberRefused,
  withSource,
  type Reader,
  type Reading,
  type ReadSource,
} from './read-source.js';
import { readText } from './read-text.js';
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

export interface ReadFileToolParams {
  absolute_path: string;
  /** 0-based. */
  offset?: number;
  limit?: number;
  /** Bytes to skip in the first line, to go on in one that was cut. */
  column?: number;
  /** Of a PDF, as text, or cells of a notebook; from 1, such as `2-5`, `3` or `4-`. */
  pages?: string;
}

class ReadFileInvocation extends RunInvocation<ReadFileToolParams> {
  readonly #config: ToolRuntime;
  readonly #judged: JudgedPaths;

  constructor(config: ToolRuntime, params: ReadFileToolParams) {
    super(params);
    this.#config = config;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  getDescription(): string {
    const { absolute_path: path, offset, limit } = this.params;
    const short = displayPath(path, this.#config.getTargetDir());
    if (offset === undefined && limit === undefined) return short;
    const first = (offset ?? 0) + 1;
    return limit === undefined ? `${short} from line ${first}` : `${short} lines ${first}-${first + limit - 1}`;
  }

  override toolLocations(): ToolLocation[] {
    const { absolute_path: path, offset } = this.params;
    return [offset === undefined ? { path } : { path, line: offset + 1 }];
  }

  effects(): Effect[] {
    return this.#judged.state([{ kind: 'read', path: this.params.absolute_path }]);
  }

  protected async run(signal: AbortSignal, _update?: unknown, context?: CallContext): Promise<ToolResult> {
    const { absolute_path: path } = this.params;
    const reader = { versions: this.#config.getFileVersions(), context };
    const beside = besideOf(this.#config.getWorkspaceGate(), path);
    const read = (handle: ReadHandle): Promise<ToolResult> =>
      withSource(handle, path, signal, async (source) =>
        this.#readAndRemember(await asShown({ ...source, beside }, this.#config.getShownTexts()), reader),
      );
    try {
      return await this.#config.getWorkspaceGate().withFile(path, read, this.#judged.expectation(path));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      if (thrown.code === ToolErrorType.TARGET_IS_DIRECTORY)
        throw new ToolError(thrown.code, `${thrown.message} See what is in it with ${ToolNames.LS}.`);
      if (thrown.code !== ToolErrorType.FILE_NOT_FOUND) throw thrown;
      throw new ToolError(thrown.code, await this.#explainMissing(path, signal));
    }
  }

  async #readAndRemember(source: ReadSource, reader: Reader): Promise<ToolResult> {
    try {
      return remember(reader, source, await this.#read(source));
    } catch (thrown) {
      if (thrown instanceof Failure && tellsWhatItIs(thrown, source)) await rememberRefused(reader, source);
      throw thrown;
    }
  }

  async #read(source: ReadSource): Promise<Reading> {
    const { offset, limit, column, pages } = this.params;
    const gitIgnored = this.#config.getFileService().shouldGitIgnoreFile(source.path);
    const notes = gitIgnored ? ['This file is ignored by git.'] : [];
    const media = sniffMedia(source.head);
    const asksForLines = (offset ?? limit ?? column) !== undefined;
    const wish = { pages, place: { offset: offset ?? 0, column: column ?? 0 } };
    if (media !== undefined && media.kind !== 'svg') {
      if (asksForLines && pages === undefined) notes.push('offset, limit and column are for text, and were ignored.');
      const { readMedia } = await import('./read-media.js');
      return readMedia(source, media, wish, notes);
    }
    if (isNotebookName(source.name) && (pages !== undefined || !asksForLines)) {
      const { readNotebook } = await import('./read-notebook.js');
      const notebook = await readNotebook(source, wish, notes);
      if (notebook !== undefined) return notebook;
      notes.push('No notebook with cells could be read from this file: these are its lines.');
    } else if (pages !== undefined) notes.push('pages is for PDFs and notebooks, and was ignored.');
    const reading = await readText(source, this.params, this.#config.getLineIndexes(), notes);
    // Who asks for certain lines of an SVG wants only those.
    if (media === undefined || asksForLines) return reading;
    const { withPicture } = await import('./read-media.js');
    return { ...reading, result: await withPicture(reading.result, source, media) };
  }

  #explainMissing(path: string, signal: AbortSignal): Promise<string> {
    const gate = this.#config.getWorkspaceGate();
    const isIgnored = hiddenNames(this.#config, ToolNames.READ_FILE);
    const findElsewhere = async (name: string) => (await import('./read-elsewhere.js')).findByName(gate, name, signal);
    return explainMissingFile({ gate, isIgnored, path, findElsewhere });
  }
}

/** No text, or an image that cannot be shown. */
function tellsWhatItIs({ code }: Failure, { head }: ReadSource): boolean {
  return code === ToolErrorType.BINARY_FILE || sniffMedia(head)?.kind === 'image';
}

/** Reads one file (S68–S76). */
export class ReadFileTool extends BaseDeclarativeTool<ReadFileToolParams, ToolResult> {
  static readonly Name = ToolNames.READ_FILE;
  override readonly parameterAliases = { file_path: 'absolute_path', path: 'absolute_path' };
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      ReadFileTool.Name,
      ToolDisplayNames.READ_FILE,
      'Reads a file. Text comes as numbered lines (12→text), by default up to 2000 lines or 46 KB; a notice says how to go on. Images (PNG, JPG, GIF, WEBP, SVG, BMP) and PDFs come as media, notebooks by cells.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          absolute_path: { type: 'string', description: 'Absolute path.' },
          offset: { type: 'integer', minimum: 0, description: 'First line, 0-based. Default: 0.' },
          limit: { type: 'integer', minimum: 1, description: 'Number of lines. Default: 2000.' },
          column: {
            type: 'integer',
            minimum: 0,
            description: 'Byte to start at in the first line, to go on in one that was cut.',
          },
          pages: {
            type: 'string',
            pattern: '^[0-9]+(-[0-9]*)?$',
            description: 'Of a PDF as text, or cells of a notebook, such as 1-5.',
          },
        },
        required: ['absolute_path'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override get example(): ReadFileToolParams {
    return { absolute_path: join(this.#config.getTargetDir(), 'src/file.ts') };
  }

  protected override validateToolParamValues({ absolute_path: path }: ReadFileToolParams): Refusal | null {
    return this.#config.getWorkspaceGate().checkRead(path);
  }

  protected createInvocation(params: ReadFileToolParams): ToolInvocation<ReadFileToolParams, ToolResult> {
    return new ReadFileInvocation(this.#config, params);
  }
}
