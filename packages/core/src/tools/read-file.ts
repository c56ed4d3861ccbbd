import type { FileHandle } from 'node:fs/promises';
import type { Effect } from '../effects/effect.js';
import type { Refusal } from '../files/workspace-types.js';
import { displayPath } from '../files/display-path.js';
import { describeBinary, readBase64, sniffMedia, type Media } from '../files/media.js';
import { explainMissingFile } from '../files/explain-missing-file.js';
import { readHead, readTextWindow, type TextWindow } from '../files/read-text-window.js';
import type { ReadHandle } from '../files/workspace-gate.js';
import { fitWindow } from '../output/fit-window.js';
import { numberLines } from '../output/numbered-lines.js';
import type { ToolRuntime } from '../runtime.js';
import { Failure } from '../util/failure.js';
import { JudgedPaths } from './judged-paths.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  toParts,
  type Part,
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
}

/** `data` of a result for a text file. */
export interface ReadFileData {
  readonly path: string;
  readonly encoding: string;
  readonly firstLine: number;
  readonly lineCount: number;
  readonly totalLines: number;
  readonly totalIsExact: boolean;
  readonly nextOffset?: number;
}

const DEFAULT_LIMIT = 2000;
/** Both stay below what the scheduler lets through of one result, so that no window is ever cut in its middle. */
const MAX_BYTES = 46 * 1024;
const MAX_TOKENS = 11_400;
const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

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

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { absolute_path: path } = this.params;
    const [gate, files] = [this.#config.getWorkspaceGate(), this.#config.getFileService()];
    try {
      return await gate.withFile(path, (handle) => this.#open(handle, signal), this.#judged.expectation(path));
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== ToolErrorType.FILE_NOT_FOUND) throw thrown;
      const isIgnored = (name: string): boolean => files.shouldQwenIgnoreFile(name) || files.shouldGitIgnoreFile(name);
      throw new ToolError(ToolErrorType.FILE_NOT_FOUND, await explainMissingFile({ gate, isIgnored, path }));
    }
  }

  async #open(handle: ReadHandle, signal: AbortSignal): Promise<ToolResult> {
    const file = await handle.open();
    try {
      const { size } = handle.stat;
      const head = await readHead(file, size);
      const media = sniffMedia(head);
      const gitIgnored = this.#config.getFileService().shouldGitIgnoreFile(handle.resolved.path);
      const notes = gitIgnored ? ['This file is ignored by .gitignore.'] : [];
      if (media !== undefined && media.kind !== 'svg') return await this.#readMedia(file, media, notes);
      const text = await this.#readText({ file, size, head, notes, signal });
      return media === undefined ? text : await this.#withImage(text, file, media);
    } finally {
      await file.close();
    }
  }

  async #readText(source: TextSource): Promise<ToolResult> {
    const { absolute_path: name, offset = 0, limit = DEFAULT_LIMIT, column = 0 } = this.params;
    let window: TextWindow;
    try {
      window = await readTextWindow({ ...source, name, offset, limit, column, maxBytes: MAX_BYTES });
    } catch (thrown) {
      throw binaryFile(thrown, name, source);
    }
    const fitted = fitWindow(window, { offset, maxBytes: MAX_BYTES, maxTokens: MAX_TOKENS });
    const notes = [...windowNotes(fitted, offset, name), ...source.notes];
    const numbered = numberLines(fitted.lines, offset + 1);
    const closing = notes.map((note) => `[${note}]`).join('\n');
    const { lines, encoding, totalLines, totalIsExact, nextOffset } = fitted;
    const next = nextOffset === undefined ? {} : { nextOffset };
    const data: ReadFileData = {
      path: name,
      encoding,
      firstLine: offset,
      lineCount: lines.length,
      totalLines,
      totalIsExact,
      ...next,
    };
    return {
      llmContent: [numbered, closing].filter((part) => part !== '').join(lines.length === 0 ? '' : '\n\n'),
      returnDisplay: displayOf(fitted, offset),
      data,
    };
  }

  async #readMedia(file: FileHandle, media: Media, notes: readonly string[]): Promise<ToolResult> {
    const { absolute_path: path } = this.params;
    const { size } = await file.stat();
    if (size > MAX_MEDIA_BYTES) {
      const advice = media.kind === 'pdf' ? 'Extract its text or some of its pages first.' : 'Make it smaller first.';
      const limit = `${media.mimeType} of ${size} bytes; at most ${MAX_MEDIA_BYTES} can be shown`;
      throw new ToolError(ToolErrorType.FILE_TOO_LARGE, `${path} is too large: ${limit}. ${advice}`);
    }
    const image = { inlineData: { data: await readBase64(file, size), mimeType: media.mimeType } };
    const texts: Part[] = notes.map((note) => ({ text: `[${note}]` }));
    const returnDisplay = `Read ${media.kind === 'pdf' ? 'PDF' : 'image'} (${media.mimeType}, ${size} bytes)`;
    return { llmContent: texts.length === 0 ? image : [image, ...texts], returnDisplay };
  }

  /** An SVG is text and picture; who asks for certain lines wants only those. */
  async #withImage(text: ToolResult, file: FileHandle, media: Media): Promise<ToolResult> {
    const { offset, limit, column } = this.params;
    const { size } = await file.stat();
    if ((offset ?? limit ?? column) !== undefined || size > MAX_MEDIA_BYTES) return text;
    const image = { inlineData: { data: await readBase64(file, size), mimeType: media.mimeType } };
    return { ...text, llmContent: [...toParts(text.llmContent), image] };
  }
}

interface TextSource {
  readonly file: FileHandle;
  readonly size: number;
  readonly head: Uint8Array;
  readonly notes: readonly string[];
  readonly signal: AbortSignal;
}

/** K20: the message says what the file is, with a typed error. Anything else stays as it was thrown. */
function binaryFile(thrown: unknown, path: string, { head, size }: TextSource): unknown {
  if (!(thrown instanceof Failure) || thrown.code !== ToolErrorType.BINARY_FILE) return thrown;
  const what = `${path} cannot be read as text: it is ${describeBinary(head)} of ${size} bytes`;
  return new ToolError(ToolErrorType.BINARY_FILE, `${what}. Use a command that understands it.`);
}

/** What the model must know beside the lines: how to go on, and what is special about the file. */
function windowNotes(window: TextWindow, offset: number, path: string): string[] {
  const { lines, nextOffset, cutColumn, startColumn, encoding } = window;
  const total = `${window.totalIsExact ? '' : 'at least '}${window.totalLines}`;
  if (lines.length === 0) {
    if (window.totalLines === 0) return [`The file is empty: ${path}`];
    return [
      `offset ${offset} is past the end: the file has ${total} lines, the last is offset ${window.totalLines - 1}.`,
    ];
  }
  const notes: string[] = [];
  if (cutColumn !== undefined) {
    const next = nextOffset === undefined ? '' : ` The next line is offset: ${nextOffset}.`;
    notes.push(
      `Line ${offset + 1} is too long to show whole: this is bytes ${startColumn}-${cutColumn} of it. To go on in it, use offset: ${offset}, column: ${cutColumn}.${next}`,
    );
  } else if (nextOffset !== undefined) {
    notes.push(`Lines ${offset + 1}-${nextOffset} of ${total} are shown. To go on, use offset: ${nextOffset}.`);
  } else if (!window.endsWithBreak) {
    notes.push('No newline at the end of the file.');
  }
  if (startColumn > 0 && cutColumn === undefined)
    notes.push(`Line ${offset + 1} is shown from byte ${startColumn} on.`);
  if (encoding !== 'utf-8') notes.push(`The file is encoded in ${encoding}; edits keep that.`);
  return notes;
}

function displayOf({ lines, totalLines, totalIsExact }: TextWindow, offset: number): string {
  if (lines.length === 0) return totalLines === 0 ? 'The file is empty' : 'Nothing there: past the end of the file';
  if (offset === 0 && totalIsExact && lines.length === totalLines) return `Read ${totalLines} lines`;
  return `Read lines ${offset + 1}-${offset + lines.length} of ${totalIsExact ? '' : 'at least '}${totalLines}`;
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
      'Reads a file. Text comes as numbered lines (12→text), by default up to 2000 lines or 46 KB; a notice says how to go on. Images (PNG, JPG, GIF, WEBP, SVG, BMP) and PDFs come as media.',
      Kind.Read,
      {
        type: 'object',
        properties: {
          absolute_path: { type: 'string', description: 'Absolute path of the file.' },
          offset: { type: 'integer', minimum: 0, description: 'First line, 0-based. Default: 0.' },
          limit: { type: 'integer', minimum: 1, description: 'Number of lines. Default: 2000.' },
          column: {
            type: 'integer',
            minimum: 0,
            description: 'Byte to start at in the first line, only to go on in a line that was cut.',
          },
        },
        required: ['absolute_path'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues({ absolute_path: path }: ReadFileToolParams): Refusal | null {
    const config = this.#config;
    return config.getWorkspaceGate().check(path) ?? config.getFileService().refuseGitIgnored(path);
  }

  protected createInvocation(params: ReadFileToolParams): ToolInvocation<ReadFileToolParams, ToolResult> {
    return new ReadFileInvocation(this.#config, params);
  }
}
