import { join } from 'node:path';
import type { CallContext } from '../effects/call-context.js';
import type { FileChange as FileDiff } from '../files/diff.js';
import { displayPath } from '../files/display-path.js';
import type { ChangedFile } from '../files/file-changes.js';
import type { Refusal } from '../files/workspace-types.js';
import { reportEdit } from '../output/edit-report.js';
import type { ToolRuntime } from '../runtime.js';
import { isObject } from '../util/is-object.js';
import { calculateEdit, type CalculatedEdit, type EditToolParams } from './calculate-edit.js';
import { FileChangeInvocation, linksNote, type ChangePlan } from './file-change-invocation.js';
import type { PathUse } from './judged-paths.js';
import type { ModifiableDeclarativeTool, ModifyContext } from './modifiable-tool.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, ToolError, type Mended, type ToolInvocation, type ToolResult } from './tools.js';

export { applyReplacement, type CalculatedEdit, type EditToolParams } from './calculate-edit.js';

interface PlannedEdit extends ChangePlan {
  readonly edit: CalculatedEdit;
}

class EditInvocation extends FileChangeInvocation<EditToolParams, PlannedEdit> {
  readonly #verbatim: boolean;

  constructor(config: ToolRuntime, params: EditToolParams, verbatim: boolean) {
    super(config, params, 'Edit');
    this.#verbatim = verbatim;
  }

  getDescription(): string {
    return displayPath(this.params.file_path, this.config.getTargetDir());
  }

  /** A miss is explained with lines of the file, so an edit reads as well (S94). */
  protected get uses(): readonly PathUse[] {
    const { file_path: path } = this.params;
    return [
      { kind: 'read', path },
      { kind: 'write', path },
    ];
  }

  protected async propose(context: CallContext | undefined): Promise<PlannedEdit> {
    const { config, params } = this;
    const { file_path: path } = params;
    const options = this.judgedPath(path);
    const edit = refuseFailed(await calculateEdit({ config, params, options, context, verbatim: this.#verbatim }));
    const { currentContent: original, newContent: proposed, hash } = edit;
    return { edit, changes: [{ path, original, proposed, hash }] };
  }

  protected report({ edit }: PlannedEdit, done: readonly ChangedFile[], diff: FileDiff | undefined): ToolResult {
    const { file_path: path } = this.params;
    const { isNewFile, changed, steps } = edit;
    const notes = done.map((file) => linksNote(file).trim()).filter((note) => note !== '');
    return {
      llmContent: [reportEdit({ path, ...edit }), ...notes].join('\n'),
      ...(diff === undefined ? {} : { returnDisplay: diff }),
      data: { path, steps, isNewFile, changed },
    };
  }
}

function refuseFailed(edit: CalculatedEdit): CalculatedEdit {
  if (edit.error !== undefined) throw new ToolError(edit.error.type, edit.error.raw);
  return edit;
}

const ITEM_PROPERTIES = {
  old_string: { type: 'string', description: 'Text to replace, without line numbers. Empty: create a new file.' },
  new_string: { type: 'string', description: 'What takes its place.' },
  replace_all: { type: 'boolean', description: 'Every occurrence.' },
  expected_replacements: { type: 'integer', minimum: 1, description: 'Exactly so many occurrences.' },
};

/** Makes the first of `edits` the call's own. Edit tools of other agents take a list of all replacements. */
function withFirstOfEdits(args: Readonly<Record<string, unknown>>): Mended {
  const { edits, ...others } = args;
  const [first, ...rest]: unknown[] = Array.isArray(edits) ? edits : [];
  const hasOwn = Object.keys(others).some((name) => Object.hasOwn(ITEM_PROPERTIES, name));
  if (!isObject(first) || hasOwn) return { value: args, repairs: [] };
  const value = { ...others, ...first, ...(rest.length > 0 && { edits: rest }) };
  return { value, repairs: ['The first of `edits` was read as `old_string` and `new_string`.'] };
}

function exampleIn(folder: string): EditToolParams {
  return { file_path: join(folder, 'src/file.ts'), old_string: 'const a = 1;', new_string: 'const a = 2;' };
}

function misused({ edits = [], ...first }: EditToolParams): string | null {
  const [next] = edits;
  const isRepeated = next?.old_string === first.old_string && next.new_string === first.new_string;
  return isRepeated ? 'edits repeats old_string and new_string. Give each replacement once.' : null;
}

/** Replaces text in a file (S84–S97). */
export class EditTool
  extends BaseDeclarativeTool<EditToolParams, ToolResult>
  implements ModifiableDeclarativeTool<EditToolParams>
{
  static readonly Name = ToolNames.EDIT;
  override readonly parameterAliases = { absolute_path: 'file_path', path: 'file_path' };
  override readonly mend = withFirstOfEdits;
  readonly #config: ToolRuntime;
  /** Parameters that hold a person's own version. */
  readonly #modified = new WeakSet<EditToolParams>();

  constructor(config: ToolRuntime) {
    super(
      EditTool.Name,
      ToolDisplayNames.EDIT,
      'Replaces text in a file. Read the file first. old_string must be its exact text, indentation included, and occur once: give at least 3 lines of context before and after the change, or set replace_all. Nothing else in the file changes. edits: more replacements after it, in order, all or none.',
      Kind.Edit,
      {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'Absolute path.' },
          ...ITEM_PROPERTIES,
          edits: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              properties: {
                old_string: { type: 'string' },
                new_string: { type: 'string' },
                replace_all: { type: 'boolean' },
                expected_replacements: { type: 'integer', minimum: 1 },
              },
              required: ['old_string', 'new_string'],
              additionalProperties: false,
            },
          },
        },
        required: ['file_path', 'old_string', 'new_string'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override get example(): EditToolParams {
    return exampleIn(this.#config.getTargetDir());
  }

  protected override validateToolParamValues(params: EditToolParams): string | Refusal | null {
    return misused(params) ?? this.#config.getWorkspaceGate().check(params.file_path);
  }

  protected createInvocation(params: EditToolParams): ToolInvocation<EditToolParams, ToolResult> {
    return new EditInvocation(this.#config, params, this.#modified.has(params));
  }

  calculateEdit(params: EditToolParams): Promise<CalculatedEdit> {
    return calculateEdit({ config: this.#config, params });
  }

  getModifyContext(_signal: AbortSignal): ModifyContext<EditToolParams> {
    return {
      getFilePath: (params) => params.file_path,
      getCurrentContent: async (params) => (await this.calculateEdit(params)).currentContent ?? '',
      getProposedContent: async (params) => (await this.calculateEdit(params)).newContent,
      // The whole file by the person's version: nothing is left to matching, not even line endings.
      createUpdatedParams: (oldContent, modified, { file_path }) => {
        const params = { file_path, old_string: oldContent, new_string: modified };
        this.#modified.add(params);
        return params;
      },
    };
  }
}
