import { isAbsolute, resolve } from 'node:path';
import { parsePatch } from '../editing/parse-patch.js';
import { PATCH_EXAMPLE, type FilePatch, type Patch } from '../editing/patch.js';
import type { FileNow, PatchProblem, PlannedFile } from '../editing/plan-patch.js';
import type { CallContext } from '../effects/call-context.js';
import type { FileChange as FileDiff } from '../files/diff.js';
import { displayPath } from '../files/display-path.js';
import { explainMissingFile } from '../files/explain-missing-file.js';
import type { ChangedFile } from '../files/file-changes.js';
import { readTextIfExists } from '../files/local-file-system.js';
import type { Refusal } from '../files/workspace-types.js';
import { contentHash } from '../files/write-handle.js';
import { changedElsewhere } from '../output/edit-report.js';
import type { ToolRuntime } from '../runtime.js';
import { Failure } from '../util/failure.js';
import { FileChangeInvocation, linksNote, type ChangePlan, type FileChange } from './file-change-invocation.js';
import { hiddenNames } from './hidden-names.js';
import type { PathUse } from './judged-paths.js';
import type { DonePatch } from './patch-report.js';
import { refuseUnread, type Overwrite } from './refuse-unread.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';
import { BaseDeclarativeTool, Kind, ToolError, ToolErrorType, type ToolInvocation, type ToolResult } from './tools.js';

export interface ApplyPatchToolParams {
  patch: string;
}

interface PlannedPatch extends ChangePlan {
  readonly files: readonly PlannedFile[];
  /** What is said of files that had changed since the agent read them, by key. */
  readonly stale: ReadonlyMap<string, string>;
  readonly reportPatch: (done: DonePatch) => string;
}

type Asked = Pick<Overwrite, 'context' | 'isShown'>;

/** A file as it is: `text` for the plan, `original` for people. */
interface Existing extends FileNow {
  readonly original: string;
  readonly hash: string;
  /** Somebody changed it since the agent read it; who, when that is known. */
  readonly stale: { readonly by: string | undefined } | undefined;
}

const MISSED_STALE_NOTE = `\nThe file changed since you read it. Read it again (${ToolNames.READ_FILE}).`;

class ApplyPatchInvocation extends FileChangeInvocation<ApplyPatchToolParams, PlannedPatch> {
  readonly #patch: Patch;

  constructor(config: ToolRuntime, params: ApplyPatchToolParams, patch: Patch) {
    super(config, params, 'Patch');
    this.#patch = patch;
  }

  getDescription(): string {
    const paths = [...new Set(this.#patch.map(({ path }) => this.#shown(path)))];
    return paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
  }

  protected get uses(): readonly PathUse[] {
    const uses = new Map(this.#patch.flatMap(usesOf).map((use) => [`${use.kind} ${use.path}`, use]));
    return [...uses.values()];
  }

  protected async propose(context: CallContext | undefined, isShown: boolean): Promise<PlannedPatch> {
    const gate = this.config.getWorkspaceGate();
    const keys = new Map(pathsOf(this.#patch).map((path) => [path, gate.resolve(path).path]));
    const keyOf = (path: string): string => keys.get(path) ?? path;
    const files = new Map<string, Existing | null>();
    for (const path of keys.keys()) {
      if (!files.has(keyOf(path))) files.set(keyOf(path), await this.#lookAt(path, keyOf(path), context));
    }
    // Large, and of no use to a session that patches nothing.
    const [{ planPatch }, { reportPatch }] = await Promise.all([
      import('../editing/plan-patch.js'),
      import('./patch-report.js'),
    ]);
    const plan = planPatch({ patch: this.#patch, keyOf, files });
    if (!plan.ok) throw await this.#refusal(plan.problems, (path) => files.get(keyOf(path)) ?? null);
    const changes: FileChange[] = [];
    for (const file of plan.files) {
      const now = files.get(file.key) ?? null;
      await this.#refuseOverwriting(file, now, { context, isShown });
      const moved = file.movedFrom === undefined ? {} : { movedFrom: file.movedFrom };
      const hash = now?.hash ?? contentHash(null);
      changes.push({ path: file.path, original: now?.original ?? null, proposed: file.proposed, hash, ...moved });
    }
    const stale = new Map(
      plan.files.flatMap(({ key, movedFrom, proposed }): [string, string][] => {
        const source = files.get(movedFrom === undefined ? key : keyOf(movedFrom));
        return source?.stale === undefined || proposed === null ? [] : [[key, ` ${changedElsewhere(source.stale)}`]];
      }),
    );
    return { changes, files: plan.files, stale, reportPatch };
  }

  /** What the agent has not seen as it is now must not go: a deletion loses all of it. */
  async #refuseOverwriting(file: PlannedFile, now: Existing | null, asked: Asked): Promise<void> {
    const isLost = file.overwrites || (file.change === 'deleted' && now?.stale !== undefined);
    if (now === null || !isLost) return;
    const { path } = file;
    await refuseUnread({ config: this.config, path, hash: now.hash, text: now.text, ...asked });
  }

  async #lookAt(path: string, key: string, context: CallContext | undefined): Promise<Existing | null> {
    const service = this.config.getFileSystemService();
    const options = this.judgedPath(path);
    let found;
    try {
      const file = await readTextIfExists(service, path, options);
      if (file === null) return null;
      found = { text: file.text, original: file.text, hash: file.hash };
    } catch (thrown) {
      const isNoText = thrown instanceof Failure && (thrown.code === 'binary_file' || thrown.code === 'file_too_large');
      if (!isNoText || service.describeFile === undefined) throw thrown;
      const { kind, bytes, hash } = await service.describeFile(path, options);
      found = { text: undefined, original: `[Not shown: ${kind} of ${bytes} bytes.]\n`, hash };
    }
    const agent = context?.agent;
    const versions = this.config.getFileVersions();
    const known = agent === undefined ? undefined : versions.acquaintance(agent, key, { hash: found.hash });
    const stale = known?.known === 'older' ? { by: known.author?.title } : undefined;
    return { ...found, stale, trustHints: stale === undefined };
  }

  async #refusal(problems: readonly PatchProblem[], existing: (path: string) => Existing | null): Promise<ToolError> {
    const isIgnored = hiddenNames(this.config, ToolNames.APPLY_PATCH);
    const missing = new Map<string, string>();
    const notes = new Map<string, string>();
    for (const { path, reason } of problems.slice(0, 10)) {
      const gate = this.config.getWorkspaceGate();
      if (reason === 'missing') missing.set(path, await explainMissingFile({ gate, isIgnored, path }));
      if (existing(path)?.stale !== undefined) notes.set(path, MISSED_STALE_NOTE);
    }
    const { explainProblems } = await import('./patch-report.js');
    const { code, message } = explainProblems({ problems, missing, notes, shown: (path) => this.#shown(path) });
    return new ToolError(code, message);
  }

  protected report(
    { files, stale, reportPatch }: PlannedPatch,
    done: readonly ChangedFile[],
    diff?: FileDiff,
  ): ToolResult {
    const notes = new Map(
      files.map(({ key }, index) => {
        const file = done[index];
        return [key, (stale.get(key) ?? '') + (file === undefined ? '' : linksNote(file))];
      }),
    );
    return {
      llmContent: reportPatch({ files, notes, shown: (path) => this.#shown(path) }),
      ...(diff === undefined ? {} : { returnDisplay: diff }),
      data: {
        files: files.map(({ path, change, movedFrom, changed, tiers }) => ({
          path,
          change,
          changed,
          tiers,
          ...(movedFrom === undefined ? {} : { movedFrom }),
        })),
      },
    };
  }

  #shown(path: string): string {
    return displayPath(path, this.config.getTargetDir());
  }
}

/** A hunk that is not found is explained with lines of the file, so an update reads as well (S94). */
function usesOf(file: FilePatch): PathUse[] {
  const { path } = file;
  if (file.kind === 'add') return [{ kind: 'write', path }];
  if (file.kind === 'delete') return [{ kind: 'delete', path }];
  const target = file.movedTo ?? path;
  const leaves: PathUse[] = target === path ? [] : [{ kind: 'delete', path }];
  return [{ kind: 'read', path }, ...leaves, { kind: 'write', path: target }];
}

function pathsOf(patch: Patch): string[] {
  const paths = patch.flatMap((file) =>
    file.kind === 'update' && file.movedTo !== undefined ? [file.path, file.movedTo] : [file.path],
  );
  return [...new Set(paths)];
}

/** Relative paths are those of the folder that people work in. */
function inFolder(patch: Patch, folder: string): Patch {
  const whole = (path: string): string => (isAbsolute(path) ? path : resolve(folder, path));
  return patch.map((file) =>
    file.kind === 'update' && file.movedTo !== undefined
      ? { ...file, path: whole(file.path), movedTo: whole(file.movedTo) }
      : { ...file, path: whole(file.path) },
  );
}

const DESCRIPTION = `Changes one or more files by a patch, all of it or nothing: add, update, move, delete. Lines of a hunk begin with " " (context, as in the file), "-" (goes) or "+" (comes). Give about 3 lines of context; where they occur more than once, put "@@ " and the line of the class or function above. Example:
*** Begin Patch
*** Update File: src/a.ts
@@ function area() {
   const width = 2;
-  return width;
+  return width * width;
 }
*** Add File: src/b.ts
+export const b = 1;
*** Delete File: src/old.ts
*** End Patch
Below "*** Update File:" a line "*** Move to: new/path" moves the file. "*** End of File" below a hunk: it ends the file.`;

/** Applies a patch to any number of files at once. */
export class ApplyPatchTool extends BaseDeclarativeTool<ApplyPatchToolParams, ToolResult> {
  static readonly Name = ToolNames.APPLY_PATCH;
  override readonly parameterAliases = { input: 'patch', patch_text: 'patch', patchText: 'patch' };
  readonly #config: ToolRuntime;

  constructor(config: ToolRuntime) {
    super(ApplyPatchTool.Name, ToolDisplayNames.APPLY_PATCH, DESCRIPTION, Kind.Edit, {
      type: 'object',
      properties: {
        patch: { type: 'string', description: 'Paths: relative to the first folder of the workspace, or absolute.' },
      },
      required: ['patch'],
      additionalProperties: false,
    });
    this.#config = config;
  }

  protected override get example(): ApplyPatchToolParams {
    return { patch: PATCH_EXAMPLE };
  }

  protected override validateToolParamValues({ patch: text }: ApplyPatchToolParams): string | Refusal | null {
    const parsed = parsePatch(text);
    if (!parsed.ok) return parsed.fault.message;
    const gate = this.#config.getWorkspaceGate();
    for (const path of pathsOf(inFolder(parsed.patch, this.#config.getTargetDir()))) {
      const refusal = gate.check(path);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  protected createInvocation(params: ApplyPatchToolParams): ToolInvocation<ApplyPatchToolParams, ToolResult> {
    const parsed = parsePatch(params.patch);
    if (!parsed.ok) throw new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, parsed.fault.message);
    return new ApplyPatchInvocation(this.#config, params, inFolder(parsed.patch, this.#config.getTargetDir()));
  }
}
