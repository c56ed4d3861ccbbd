import { basename } from 'node:path';
import { uniformLineEnding, withLineEnding } from '../editing/line-endings.js';
import { createFileDiff } from '../files/diff.js';
import { readTextIfExists } from '../files/local-file-system.js';
import type { FileFacts, ReadOptions, Refusal, TextFile } from '../files/workspace-types.js';
import { Failure } from '../util/failure.js';
import { contentHash } from '../files/write-handle.js';
import type { ToolRuntime } from '../runtime.js';
import { FileChangeInvocation, type FileChange } from './file-change-invocation.js';
import type { ModifiableDeclarativeTool, ModifyContext } from './modifiable-tool.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from './tools.js';

export interface WriteFileToolParams {
  file_path: string;
  content: string;
}

/** What a write would do to a file as it is now. */
interface WritePlan extends FileChange {
  readonly convertedToCrlf: boolean;
  /** What is in the file, when it cannot be shown as text; `original` says so in its place. */
  readonly replaced?: FileFacts;
}

interface WriteRequest {
  readonly config: ToolRuntime;
  readonly path: string;
  readonly content: string;
  /** A person's own words: not one line ending is changed. */
  readonly verbatim: boolean;
  readonly options?: ReadOptions;
}

async function planWrite({ config, path, content, verbatim, options }: WriteRequest): Promise<WritePlan> {
  const existing = await lookAt(config, path, options);
  if (existing === null) return { original: null, proposed: content, hash: contentHash(null), convertedToCrlf: false };
  if ('kind' in existing) {
    const original = `[Not shown: ${sizeAndKind(existing)}. It is replaced as a whole.]\n`;
    return { original, proposed: content, hash: existing.hash, convertedToCrlf: false, replaced: existing };
  }
  const { text, hash, bom } = existing;
  const given = bom && content.startsWith('\ufeff') && !text.startsWith('\ufeff') ? content.slice(1) : content;
  const convertedToCrlf =
    !verbatim && given.includes('\n') && !given.includes('\r\n') && uniformLineEnding(text) === '\r\n';
  return { original: text, proposed: convertedToCrlf ? withLineEnding(given, '\r\n') : given, hash, convertedToCrlf };
}

/** The text that is overwritten, or what else is; null when there is nothing. */
async function lookAt(config: ToolRuntime, path: string, options?: ReadOptions): Promise<TextFile | FileFacts | null> {
  const files = config.getFileSystemService();
  try {
    return await readTextIfExists(files, path, options);
  } catch (thrown) {
    const isNoText = thrown instanceof Failure && (thrown.code === 'binary_file' || thrown.code === 'file_too_large');
    if (!isNoText || files.describeFile === undefined) throw thrown;
    return files.describeFile(path, options);
  }
}

function sizeAndKind({ kind, bytes }: FileFacts): string {
  return `${kind} of ${bytes} bytes`;
}

/** What stands in the file as text (empty when there is none) and what a write would put there (S57). */
export async function getCorrectedFileContent(
  config: ToolRuntime,
  filePath: string,
  content: string,
): Promise<{ originalContent: string; correctedContent: string }> {
  const plan = await planWrite({ config, path: filePath, content, verbatim: false });
  return { originalContent: originalText(plan), correctedContent: plan.proposed };
}

function originalText({ original, replaced }: WritePlan): string {
  return replaced === undefined ? (original ?? '') : '';
}

class WriteFileInvocation extends FileChangeInvocation<WriteFileToolParams> {
  readonly #verbatim: boolean;

  constructor(config: ToolRuntime, params: WriteFileToolParams, verbatim: boolean) {
    super(config, params, 'Write');
    this.#verbatim = verbatim;
  }

  protected propose(): Promise<WritePlan> {
    const { file_path: path, content } = this.params;
    return planWrite({ config: this.config, path, content, verbatim: this.#verbatim, options: this.judgedPath });
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { file_path: path } = this.params;
    const { original, proposed, hash: expected, convertedToCrlf, replaced } = await this.propose();
    this.refuseUnlessShown(expected);
    if (original === proposed && replaced === undefined) {
      const message = `${path} has exactly this content already; nothing was written.`;
      return { llmContent: message, returnDisplay: `No change: ${basename(path)}`, data: { path, changed: false } };
    }
    const returnDisplay = await createFileDiff({ filePath: path, original, proposed });
    signal.throwIfAborted();
    const options = { expected, overwrite: true, ...this.judgedPath };
    const { created, bytes } = await this.config.getFileSystemService().writeTextFile(path, proposed, options);
    const endings = convertedToCrlf ? ' Its line endings stay CRLF; the LF of the content were converted.' : '';
    const note = replaced === undefined ? endings : ` It was ${sizeAndKind(replaced)}; now it is UTF-8 text.`;
    const size = `${countLines(proposed)} lines, ${bytes} bytes`;
    return {
      llmContent: `${created ? 'Created' : 'Overwrote'} ${path} (${size}).${note}`,
      returnDisplay,
      data: { path, changed: true, created, bytes },
    };
  }
}

function countLines(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
}

/** Writes a whole file (S77–S83). */
export class WriteFileTool
  extends BaseDeclarativeTool<WriteFileToolParams, ToolResult>
  implements ModifiableDeclarativeTool<WriteFileToolParams>
{
  static readonly Name = ToolNames.WRITE_FILE;
  override readonly parameterAliases = { absolute_path: 'file_path', path: 'file_path' };
  readonly #config: ToolRuntime;
  /** Parameters that hold a person's own content. */
  readonly #modified = new WeakSet<WriteFileToolParams>();

  constructor(config: ToolRuntime) {
    super(
      WriteFileTool.Name,
      ToolDisplayNames.WRITE_FILE,
      `Writes a file: creates it with any missing folders, or replaces all of its content. To change parts of a file use ${ToolNames.EDIT}. An existing file keeps its BOM, encoding and CRLF line endings.`,
      Kind.Edit,
      {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'Absolute path of the file.' },
          content: { type: 'string', description: 'The whole new content.' },
        },
        required: ['file_path', 'content'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: WriteFileToolParams): Refusal | null {
    return this.#config.getWorkspaceGate().check(params.file_path);
  }

  protected createInvocation(params: WriteFileToolParams): ToolInvocation<WriteFileToolParams, ToolResult> {
    return new WriteFileInvocation(this.#config, params, this.#modified.has(params));
  }

  /** `createUpdatedParams` must go to `build` as it is: the tool knows the object as the person's. */
  getModifyContext(_signal: AbortSignal): ModifyContext<WriteFileToolParams> {
    const config = this.#config;
    return {
      getFilePath: (params) => params.file_path,
      getCurrentContent: async ({ file_path: path, content }) =>
        originalText(await planWrite({ config, path, content, verbatim: true })),
      getProposedContent: async (params) => {
        const { file_path: path, content } = params;
        return (await planWrite({ config, path, content, verbatim: this.#modified.has(params) })).proposed;
      },
      createUpdatedParams: (_oldContent, content, original) => {
        const params = { ...original, content };
        this.#modified.add(params);
        return params;
      },
    };
  }
}
