import { MAX_CANDIDATES, type MatchTier } from '../editing/find-target.js';
import { planEdit, type EditPlan, type LineSpan } from '../editing/plan-edit.js';
import type { FileChange as FileDiff } from '../files/diff.js';
import { displayPath } from '../files/display-path.js';
import type { ChangedFile } from '../files/file-changes.js';
import { readTextIfExists } from '../files/local-file-system.js';
import { explainMissingFile } from '../files/explain-missing-file.js';
import type { ReadOptions, Refusal } from '../files/workspace-types.js';
import { contentHash } from '../files/write-handle.js';
import { reportEdit, reportMiss } from '../output/edit-report.js';
import type { ToolRuntime } from '../runtime.js';
import { FileChangeInvocation, type ChangePlan } from './file-change-invocation.js';
import type { PathUse } from './judged-paths.js';
import type { ModifiableDeclarativeTool, ModifyContext } from './modifiable-tool.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, ToolError, ToolErrorType, type ToolInvocation, type ToolResult } from './tools.js';

export interface EditToolParams {
  file_path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

/** What an edit would do to a file as it is now (S96). */
export interface CalculatedEdit {
  /** Null for a file that does not exist. */
  readonly currentContent: string | null;
  /** Equal to the current content when there is an error. */
  readonly newContent: string;
  readonly isNewFile: boolean;
  /** Of the file as it is now: what an approval is bound to. */
  readonly hash: string;
  readonly tier: MatchTier;
  readonly changed: readonly LineSpan[];
  readonly error?: { readonly raw: string; readonly type: ToolErrorType };
}

/** Every `oldString` of the text replaced, taken literally: `$&` in `newString` is just text (S96). */
export function applyReplacement(
  currentContent: string | null,
  oldString: string,
  newString: string,
  isNewFile: boolean,
): string {
  if (isNewFile) return newString;
  if (oldString === '') return currentContent ?? '';
  return (currentContent ?? '').split(oldString).join(newString);
}

async function calculateEdit(
  config: ToolRuntime,
  params: EditToolParams,
  options?: ReadOptions,
): Promise<CalculatedEdit> {
  const { file_path: path, old_string: oldText, new_string: newText, replace_all: replaceAll = false } = params;
  const existing = await readTextIfExists(config.getFileSystemService(), path, options);
  const currentContent = existing?.text ?? null;
  const isNewFile = existing === null;
  const hash = existing?.hash ?? contentHash(null);
  const plan = planEdit({ text: currentContent, oldText, newText, replaceAll });
  if (plan.outcome === 'edit') {
    const newContent = isNewFile ? applyReplacement(null, oldText, newText, isNewFile) : plan.newContent;
    return { currentContent, newContent, isNewFile, hash, tier: plan.tier, changed: plan.changed };
  }
  const error = await explain({ config, params, plan, text: currentContent ?? '' });
  return { currentContent, newContent: currentContent ?? '', isNewFile, hash, tier: 'exact', changed: [], error };
}

interface FailedEdit {
  readonly config: ToolRuntime;
  readonly params: EditToolParams;
  readonly plan: Exclude<EditPlan, { outcome: 'edit' }>;
  readonly text: string;
}

/** Cause and next step for the model (S92–S94). */
async function explain({ config, params, plan, text }: FailedEdit): Promise<{ raw: string; type: ToolErrorType }> {
  const path = params.file_path;
  if (plan.outcome === 'missing-file') {
    const files = config.getFileService();
    const isIgnored = (name: string): boolean => files.shouldQwenIgnoreFile(name) || files.shouldGitIgnoreFile(name);
    const missing = await explainMissingFile({ gate: config.getWorkspaceGate(), isIgnored, path });
    return { type: ToolErrorType.FILE_NOT_FOUND, raw: `${missing} An empty old_string creates a new file.` };
  }
  if (plan.outcome === 'file-exists') {
    const raw = `File already exists: ${path}. Use ${ToolNames.WRITE_FILE} to overwrite it, or provide old_string to change a part of it.`;
    return { type: ToolErrorType.ATTEMPT_TO_CREATE_EXISTING_FILE, raw };
  }
  if (plan.outcome === 'several') {
    const count = plan.count >= MAX_CANDIDATES ? `at least ${plan.count}` : String(plan.count);
    const lines = `${plan.lines.join(', ')}${plan.count > plan.lines.length ? ', …' : ''}`;
    const how = plan.tier === 'exact' ? '' : ` (${TIER_NOTES[plan.tier]})`;
    const raw = `old_string matches ${count} places in ${path}${how}, at lines ${lines}. Nothing was changed. Add more lines of context to make it unique, or set replace_all to true.`;
    return { type: ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH, raw };
  }
  if (plan.outcome === 'no-change') {
    const raw = `No change: the edit would leave ${path} as it is. old_string and new_string must differ.`;
    return { type: ToolErrorType.EDIT_NO_CHANGE, raw };
  }
  const { explainMiss } = await import('../editing/explain-miss.js');
  const miss = explainMiss({ text, oldText: params.old_string, newText: params.new_string });
  const raw = reportMiss({ path, ...miss, readTool: ToolNames.READ_FILE });
  return { type: ToolErrorType.EDIT_NO_OCCURRENCE_FOUND, raw };
}

const TIER_NOTES: Readonly<Record<MatchTier, string>> = {
  exact: 'exact match',
  'line-endings': 'matched with the line endings of the file',
  'trailing-space': 'matched without white space at line ends',
  indentation: 'matched with another indentation',
};

interface PlannedEdit extends ChangePlan {
  readonly edit: CalculatedEdit;
}

class EditInvocation extends FileChangeInvocation<EditToolParams, PlannedEdit> {
  constructor(config: ToolRuntime, params: EditToolParams) {
    super(config, params, 'Edit');
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

  protected async propose(): Promise<PlannedEdit> {
    const { file_path: path } = this.params;
    const edit = refuseFailed(await calculateEdit(this.config, this.params, this.judgedPath(path)));
    const { currentContent: original, newContent: proposed, hash } = edit;
    return { edit, changes: [{ path, original, proposed, hash }] };
  }

  protected report({ edit }: PlannedEdit, _done: readonly ChangedFile[], diff: FileDiff | undefined): ToolResult {
    const { file_path: path } = this.params;
    const { newContent, isNewFile, changed, tier } = edit;
    const fitted = tier === 'indentation' ? '; new_string was indented to fit' : '';
    const how = tier === 'exact' ? '' : TIER_NOTES[tier] + fitted;
    return {
      llmContent: reportEdit({ path, isNewFile, newContent, changed, how }),
      ...(diff === undefined ? {} : { returnDisplay: diff }),
      data: { path, tier, isNewFile, changed },
    };
  }
}

function refuseFailed(edit: CalculatedEdit): CalculatedEdit {
  if (edit.error !== undefined) throw new ToolError(edit.error.type, edit.error.raw);
  return edit;
}

/** Replaces text in a file (S84–S97). */
export class EditTool
  extends BaseDeclarativeTool<EditToolParams, ToolResult>
  implements ModifiableDeclarativeTool<EditToolParams>
{
  static readonly Name = ToolNames.EDIT;
  override readonly parameterAliases = { absolute_path: 'file_path', path: 'file_path' };
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(
      EditTool.Name,
      ToolDisplayNames.EDIT,
      'Replaces text in a file. Read the file first. old_string must be its exact text, indentation included, and occur once: give at least 3 lines of context before and after the change, or set replace_all. Nothing else in the file changes.',
      Kind.Edit,
      {
        type: 'object',
        properties: {
          file_path: { type: 'string', description: 'Absolute path of the file.' },
          old_string: {
            type: 'string',
            description: 'Text to replace, without line numbers. Empty: create a new file.',
          },
          new_string: { type: 'string', description: 'Text to put in its place.' },
          replace_all: { type: 'boolean', description: 'Replace every occurrence. Default: false.' },
        },
        required: ['file_path', 'old_string', 'new_string'],
        additionalProperties: false,
      },
    );
    this.#config = config;
  }

  protected override validateToolParamValues(params: EditToolParams): Refusal | null {
    return this.#config.getWorkspaceGate().check(params.file_path);
  }

  protected createInvocation(params: EditToolParams): ToolInvocation<EditToolParams, ToolResult> {
    return new EditInvocation(this.#config, params);
  }

  calculateEdit(params: EditToolParams): Promise<CalculatedEdit> {
    return calculateEdit(this.#config, params);
  }

  getModifyContext(_signal: AbortSignal): ModifyContext<EditToolParams> {
    return {
      getFilePath: (params) => params.file_path,
      getCurrentContent: async (params) => (await this.calculateEdit(params)).currentContent ?? '',
      getProposedContent: async (params) => (await this.calculateEdit(params)).newContent,
      // The whole file by the person's version: nothing is left to matching, not even line endings.
      createUpdatedParams: (oldContent, modified, { file_path }) => ({
        file_path,
        old_string: oldContent,
        new_string: modified,
      }),
    };
  }
}
