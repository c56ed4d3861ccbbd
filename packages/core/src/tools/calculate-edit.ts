import type { DoneStep, EditFailure, EditPlan, EditStep, LineSpan } from '../editing/edit-plan.js';
import type { CallContext } from '../effects/call-context.js';
import { explainMissingFile } from '../files/explain-missing-file.js';
import type { Acquaintance } from '../files/file-versions.js';
import { readTextIfExists } from '../files/local-file-system.js';
import type { ReadOptions } from '../files/workspace-types.js';
import { contentHash } from '../files/write-handle.js';
import { reportFailedEdit } from '../output/edit-report.js';
import type { ToolRuntime } from '../runtime.js';
import { hiddenNames } from './hidden-names.js';
import { ToolErrorType } from './tool-error.js';
import { ToolNames } from './tool-names.js';

/** One replacement of several. */
export interface EditItem {
  old_string: string;
  new_string: string;
  replace_all?: boolean;
  expected_replacements?: number;
}

/** One replacement (S84), and further ones that follow it: all of them or none. */
export interface EditToolParams extends EditItem {
  file_path: string;
  edits?: EditItem[];
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
  /** One for each replacement asked for. */
  readonly steps: readonly DoneStep[];
  readonly changed: readonly LineSpan[];
  /** The file is another than the one that the agent has seen. */
  readonly elsewhere?: { readonly by: string | undefined };
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

interface EditCall {
  readonly config: ToolRuntime;
  readonly params: EditToolParams;
  readonly options?: ReadOptions;
  readonly context?: CallContext | undefined;
  /** A person's own version of the whole file: nothing in it is judged. */
  readonly verbatim?: boolean;
}

/** What the call would do; nothing is changed. An edit that cannot be made is told of in `error`. */
export async function calculateEdit({ config, params, options, context, verbatim }: EditCall): Promise<CalculatedEdit> {
  const existing = await readTextIfExists(config.getFileSystemService(), params.file_path, options);
  const currentContent = existing?.text ?? null;
  const file = { currentContent, isNewFile: existing === null, hash: existing?.hash ?? contentHash(null) };
  const refused = (error: CalculatedEdit['error']): CalculatedEdit => ({
    ...file,
    newContent: currentContent ?? '',
    steps: [],
    changed: [],
    ...(error === undefined ? {} : { error }),
  });
  if (existing?.faithful === false) return refused(damaged(params.file_path));
  const { old_string: oldText, new_string: own } = params;
  if (verbatim === true && oldText === (currentContent ?? '') && own !== currentContent) {
    return { ...file, newContent: own, steps: [{ tier: 'exact', count: 1 }], changed: wholeOf(own) };
  }
  const older = olderVersion({ config, params, context }, file.hash);
  // Large, and of no use to a session that edits nothing.
  const { planEdits } = await import('../editing/plan-edits.js');
  const plan = planEdits({ text: currentContent, steps: stepsOf(params), seen: older?.seen });
  if (plan.outcome === 'failed') return refused(await explain(config, params, plan));
  const { newContent, steps, changed } = plan;
  const elsewhere = older === undefined ? {} : { elsewhere: { by: older.author?.title } };
  return { ...file, newContent, steps, changed, ...elsewhere };
}

function itemsOf({ edits = [], ...first }: EditToolParams): readonly EditItem[] {
  return [first, ...edits];
}

function stepsOf(params: EditToolParams): EditStep[] {
  return itemsOf(params).map((item) => ({
    oldText: item.old_string,
    newText: item.new_string,
    replaceAll: item.replace_all ?? false,
    expected: item.expected_replacements,
  }));
}

function wholeOf(text: string): LineSpan[] {
  return text === '' ? [] : [{ first: 1, last: text.split('\n').length - (text.endsWith('\n') ? 1 : 0) }];
}

/** What the agent has seen of a file that is another by now. */
function olderVersion({ config, params, context }: EditCall, hash: string): OlderVersion | undefined {
  if (context?.agent === undefined) return undefined;
  const { path } = config.getWorkspaceGate().resolve(params.file_path);
  const acquaintance = config.getFileVersions().acquaintance(context.agent, path, { hash });
  return acquaintance.known === 'older' ? acquaintance : undefined;
}

type OlderVersion = Extract<Acquaintance, { known: 'older' }>;

function damaged(path: string): CalculatedEdit['error'] {
  const raw = `Cannot edit ${path}: it holds bytes that are not valid in its encoding, and writing it as text would change them. Repair the file with a command, or write it anew.`;
  return { type: ToolErrorType.FILE_WRITE_FAILURE, raw };
}

/** Cause and next step for the model (S92–S94). */
async function explain(
  config: ToolRuntime,
  params: EditToolParams,
  { failure, step }: Extract<EditPlan, { outcome: 'failed' }>,
): Promise<{ raw: string; type: ToolErrorType }> {
  const path = params.file_path;
  if (failure.reason === 'missing-file') {
    const isIgnored = hiddenNames(config, ToolNames.EDIT);
    const missing = await explainMissingFile({ gate: config.getWorkspaceGate(), isIgnored, path });
    return { type: FAILURE_TYPES[failure.reason], raw: `${missing} An empty old_string creates a new file.` };
  }
  const items = itemsOf(params);
  const raw = reportFailedEdit({
    path,
    failure,
    expected: items[step]?.expected_replacements,
    edit: step + 1,
    edits: items.length,
    readTool: ToolNames.READ_FILE,
    writeTool: ToolNames.WRITE_FILE,
  });
  return { type: FAILURE_TYPES[failure.reason], raw };
}

const FAILURE_TYPES: Readonly<Record<EditFailure['reason'], ToolErrorType>> = {
  'missing-file': ToolErrorType.FILE_NOT_FOUND,
  'file-exists': ToolErrorType.ATTEMPT_TO_CREATE_EXISTING_FILE,
  'no-change': ToolErrorType.EDIT_NO_CHANGE,
  several: ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH,
  count: ToolErrorType.EDIT_EXPECTED_OCCURRENCE_MISMATCH,
  omission: ToolErrorType.INVALID_TOOL_PARAMS,
  'line-numbers': ToolErrorType.INVALID_TOOL_PARAMS,
  'call-text': ToolErrorType.INVALID_TOOL_PARAMS,
  indentation: ToolErrorType.INVALID_TOOL_PARAMS,
  'not-found': ToolErrorType.EDIT_NO_OCCURRENCE_FOUND,
};
