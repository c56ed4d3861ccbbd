import { basename, join } from 'node:path';
import { uniformLineEnding, withLineEnding } from '../editing/line-endings.js';
import type { CallContext } from '../effects/call-context.js';
import type { FileChange as FileDiff } from '../files/diff.js';
import { displayPath } from '../files/display-path.js';
import type { ChangedFile } from '../files/file-changes.js';
import { readTextIfExists } from '../files/local-file-system.js';
import type { FileFacts, ReadOptions, Refusal, TextFile } from '../files/workspace-types.js';
import { Failure } from '../util/failure.js';
import { contentHash } from '../files/write-handle.js';
import type { ToolRuntime } from '../runtime.js';
import { FileChangeInvocation, linksNote, type ChangePlan } from './file-change-invocation.js';
import type { PathUse } from './judged-paths.js';
import type { ModifiableDeclarativeTool, ModifyContext } from './modifiable-tool.js';
import { refuseUnread } from './refuse-unread.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, ToolError, ToolErrorType, type ToolInvocation, type ToolResult } from './tools.js';

export interface WriteFileToolParams {
  file_path: string;
  content: string;
}

/** What a write would do to a file as it is now. */
interface WritePlan extends ChangePlan {
  readonly original: string | null;
  readonly proposed: string;
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
  const plan = (original: string | null, proposed: string, hash: string, convertedToCrlf = false): WritePlan => {
    const isSame = original === proposed;
    const changes = isSame ? [] : [{ path, original, proposed, hash, overwrite: true }];
    return { changes, original, proposed, convertedToCrlf };
  };
  if (existing === null) return plan(null, content, contentHash(null));
  if ('kind' in existing) {
    const original = `[Not shown: ${sizeAndKind(existing)}. It is replaced as a whole.]\n`;
    const changes = [{ path, original, proposed: content, hash: existing.hash, overwrite: true }];
    return { changes, original, proposed: content, convertedToCrlf: false, replaced: existing };
  }
  const { text, hash, bom } = existing;
  const given = bom && content.startsWith('\ufeff') && !text.startsWith('\ufeff') ? content.slice(1) : content;
  const toCrlf = !verbatim && given.includes('\n') && !given.includes('\r\n') && uniformLineEnding(text) === '\r\n';
  return plan(text, toCrlf ? withLineEnding(given, '\r\n') : given, hash, toCrlf);
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

class WriteFileInvocation extends FileChangeInvocation<WriteFileToolParams, WritePlan> {
  readonly #verbatim: boolean;

  constructor(config: ToolRuntime, params: WriteFileToolParams, verbatim: boolean) {
    super(config, params, 'Write');
    this.#verbatim = verbatim;
  }

  getDescription(): string {
    return displayPath(this.params.file_path, this.config.getTargetDir());
  }

  protected get uses(): readonly PathUse[] {
    return [{ kind: 'write', path: this.params.file_path }];
  }

  protected async propose(context: CallContext | undefined, isShown: boolean): Promise<WritePlan> {
    const { config } = this;
    const { file_path: path, content } = this.params;
    const plan = await planWrite({ config, path, content, verbatim: this.#verbatim, options: this.judgedPath(path) });
    const [change] = plan.changes;
    if (change === undefined) return plan;
    const text = plan.replaced === undefined ? (change.original ?? undefined) : undefined;
    const overwrite = { config, path, hash: change.hash, text, context, isShown: isShown || this.#verbatim };
    if (change.original !== null) await refuseUnread(overwrite);
    // A person's own words are taken as they are; more than this no model writes, but a program that means all of it.
    if (!this.#verbatim && plan.proposed.length <= MAX_JUDGED_CHARS) await refuseOmission(plan.proposed, text ?? '');
    return plan;
  }

  protected report(plan: WritePlan, done: readonly ChangedFile[], diff: FileDiff | undefined): ToolResult {
    const { file_path: path } = this.params;
    const [file] = done;
    if (file === undefined || diff === undefined) {
      const message = `${path} has exactly this content already; nothing was written.`;
      return { llmContent: message, returnDisplay: `No change: ${basename(path)}`, data: { path, changed: false } };
    }
    const { replaced, convertedToCrlf, proposed } = plan;
    const notes = [
      replaced === undefined ? '' : ` It was ${sizeAndKind(replaced)}; now it is UTF-8 text.`,
      replaced === undefined && convertedToCrlf
        ? ' Its line endings stay CRLF; the LF of the content were converted.'
        : '',
      linksNote(file),
    ];
    const created = file.change === 'created';
    const { bytes } = file;
    const size = [...lineCount(proposed), `${bytes} bytes`].join(', ');
    return {
      llmContent: `${created ? 'Created' : 'Overwrote'} ${path} (${size}).${notes.join('')}`,
      returnDisplay: diff,
      data: { path, changed: true, created, bytes },
    };
  }
}

const MAX_COUNTED_CHARS = 4 * 1024 * 1024;

/** A model's whole answer is shorter. */
const MAX_JUDGED_CHARS = 1024 * 1024;

/** @throws ToolError for a content that stands for more than it says: what is left out would be lost */
async function refuseOmission(content: string, existing: string): Promise<void> {
  const [{ findOmission }, { explainRefused }] = await Promise.all([
    import('../editing/find-omission.js'),
    import('../output/edit-report.js'),
  ]);
  const omission = findOmission(content, existing, existing);
  if (omission === undefined) return;
  const other = omission.reason === 'omission' ? ` Or change parts of the file with ${ToolNames.EDIT}.` : '';
  throw new ToolError(
    ToolErrorType.INVALID_TOOL_PARAMS,
    `Nothing was written. ${explainRefused(omission, 'content')}${other}`,
  );
}

/** Nothing for a text in which counting would take longer than writing it. */
function lineCount(text: string): string[] {
  if (text.length > MAX_COUNTED_CHARS) return [];
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return [count === 1 ? '1 line' : `${count} lines`];
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
          file_path: { type: 'string', description: 'Absolute path.' },
          content: { type: 'string', description: 'The whole new content.' },
        },
        required: ['file_path', 'content'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override get example(): WriteFileToolParams {
    return { file_path: join(this.#config.getTargetDir(), 'notes.md'), content: 'text\n' };
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
