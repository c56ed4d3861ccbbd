import { BaseDeclarativeTool, Kind, RunInvocation } from '@tenon/core';
import type { CallContext, Config, Effect, ToolInvocation, ToolResult, UpdateOutput } from '@tenon/core';

export interface SortLinesParams {
  file_path: string;
}

class SortLinesInvocation extends RunInvocation<SortLinesParams> {
  /** Where the path led when it was judged; a link that is put in its way later changes nothing. */
  #judged: string | undefined;

  constructor(
    private readonly config: Config,
    params: SortLinesParams,
  ) {
    super(params);
  }

  getDescription(): string {
    return this.params.file_path;
  }

  // The policy, the order of calls and the question to the person all come from this.
  effects(): Effect[] {
    const { path, requested, zone } = this.config.getWorkspaceGate().resolve(this.params.file_path);
    this.#judged = path;
    return [
      { kind: 'read', path, requested, zone },
      { kind: 'write', path, requested, zone },
    ];
  }

  protected override async run(
    signal: AbortSignal,
    _update?: UpdateOutput,
    context?: CallContext,
  ): Promise<ToolResult> {
    const path = this.params.file_path;
    const resolvedPath = this.#judged;
    const { text, hash } = await this.config.getFileSystemService().readTextFile(path, { resolvedPath });
    const [first = ''] = text.split('\n', 1);
    const lineEnd = first.endsWith('\r') ? '\r\n' : '\n';
    const isEnded = text.endsWith('\n');
    const lines = (isEnded ? text.slice(0, -1) : text).split('\n').map((line) => line.replace(/\r$/, ''));
    const sorted = lines.toSorted().join(lineEnd) + (isEnded ? lineEnd : '');
    signal.throwIfAborted();
    if (sorted === text) return { llmContent: `${path} is sorted already.` };
    // All of it or nothing, written down so that it can be undone, and refused when the file is no longer `expected`.
    await this.config.getFileChanges().apply([{ path, resolvedPath, expected: hash, content: sorted }], context);
    return { llmContent: `Sorted ${lines.length} lines of ${path}.` };
  }
}

/** Changes a file as the built-in tools do: `tenon undo` takes it back. */
export class SortLinesTool extends BaseDeclarativeTool<SortLinesParams, ToolResult> {
  static readonly Name = 'sort_lines';

  constructor(private readonly config: Config) {
    super(SortLinesTool.Name, 'SortLines', 'Sorts the lines of a text file.', Kind.Edit, {
      type: 'object',
      properties: { file_path: { type: 'string', description: 'Absolute path of the file' } },
      required: ['file_path'],
      additionalProperties: false,
    });
  }

  protected override validateToolParamValues({ file_path }: SortLinesParams): string | null {
    return this.config.getWorkspaceGate().check(file_path)?.message ?? null;
  }

  protected createInvocation(params: SortLinesParams): ToolInvocation<SortLinesParams, ToolResult> {
    return new SortLinesInvocation(this.config, params);
  }
}
