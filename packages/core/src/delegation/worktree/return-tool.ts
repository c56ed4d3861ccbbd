import type { CallContext } from '../../effects/call-context.js';
import type { PathEffect } from '../../effects/effect.js';
import { createChangesDiff } from '../../files/diff.js';
import { MISSING } from '../../files/write-handle.js';
import { FileJournal } from '../../journal/file-journal.js';
import { journalCall } from '../../journal/journal-entry.js';
import { markLive } from '../../journal/live-sessions.js';
import type { ToolRuntime } from '../../runtime.js';
import { JudgedPaths } from '../../tools/judged-paths.js';
import { ToolDisplayNames, ToolNames } from '../../tools/tool-names.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from '../../tools/tools.js';
import { Failure } from '../../util/failure.js';
import { shownContent, type ReturnedFile, type ReturnPlan } from './plan-return.js';

export interface ReturnParams {
  /** Names the worktree, for whoever reads the log. */
  worktree: string;
}

/** Where the changes go, and what they are. */
export interface ReturnTarget {
  /** Of the agent above. */
  readonly config: ToolRuntime;
  readonly journalDir: string;
  /** Looks anew at what is to be done. */
  readonly plan: () => Promise<ReturnPlan>;
  /** A few words on what it is, for people. */
  readonly title: string;
}

/** Attempts for a call that nobody was asked about, while others keep changing a file. */
const MAX_ATTEMPTS = 3;

class ReturnInvocation extends RunInvocation<ReturnParams> {
  readonly #target: ReturnTarget;
  readonly #judged: JudgedPaths;
  /** The versions of the files that the person was shown. */
  #shown: string | undefined;

  constructor(params: ReturnParams, target: ReturnTarget) {
    super(params);
    this.#target = target;
    this.#judged = new JudgedPaths(target.config.getWorkspaceGate());
  }

  getDescription(): string {
    return this.#target.title;
  }

  override toolLocations(): ToolLocation[] {
    return [];
  }

  async effects(): Promise<PathEffect[]> {
    const { files, problems } = await this.#target.plan();
    // Nothing is done then, and nobody is asked.
    if (problems.length > 0) return [];
    return this.#judged.state(
      files.map(({ path, proposed }) => ({ kind: proposed === null ? 'delete' : 'write', path })),
    );
  }

  async confirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const files = await this.#plan();
    this.#target.config.getFileChanges().refuse?.(files.map(({ path, expected }) => ({ path, expected })));
    const changes = [];
    for (const { path, original, proposed } of files) {
      const [before, after] = [await shownContent(original, path), await shownContent(proposed, path)];
      changes.push({ path, original: before, proposed: after });
    }
    const diff = await createChangesDiff(changes);
    this.#shown = versionsOf(files);
    return { type: 'edit', title: 'Confirm Taking Over', ...diff };
  }

  protected async run(signal: AbortSignal, _update?: unknown, context?: CallContext): Promise<ToolResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#apply(signal, context);
      } catch (thrown) {
        const isChanged = thrown instanceof Failure && thrown.code === ToolErrorType.FILE_CHANGED;
        // Whoever was shown a diff is asked again.
        if (!isChanged || this.#shown !== undefined || attempt === MAX_ATTEMPTS) throw thrown;
      }
    }
  }

  async #plan(): Promise<readonly ReturnedFile[]> {
    const { files, problems } = await this.#target.plan();
    if (problems.length > 0) throw new ToolError('worktree_conflict', problems.join('\n'));
    return files;
  }

  async #apply(signal: AbortSignal, context: CallContext | undefined): Promise<ToolResult> {
    const files = await this.#plan();
    if (this.#shown !== undefined && this.#shown !== versionsOf(files))
      throw new ToolError(ToolErrorType.FILE_CHANGED, 'What would be done is no longer what was approved.');
    const { config, journalDir } = this.#target;
    // What runs in the background has changed files until now, which is not this change.
    await config.getFileChanges().catchUp();
    if (context?.sessionId !== undefined) await markLive(journalDir, context.sessionId);
    signal.throwIfAborted();
    const journal = new FileJournal({ gate: config.getWorkspaceGate(), folder: journalDir });
    const { done } = await journal.commit({
      kind: 'change',
      ...(context === undefined ? {} : { call: journalCall(context) }),
      changes: files.map(({ path, expected, proposed, mode }) => ({
        path,
        resolvedPath: this.#judged.expectation(path).expected,
        expected,
        content: proposed,
        ...(mode === undefined ? {} : { mode }),
      })),
    });
    if (context !== undefined) config.getFileChanges().noteChange?.(context);
    for (const { path, after } of done) {
      const hash = after.kind === 'missing' ? MISSING : after.hash;
      if (context !== undefined) config.getFileVersions().noteWrite(path, hash, context);
    }
    const text = `${files.length} ${files.length === 1 ? 'file is' : 'files are'} taken over.`;
    return { llmContent: text, returnDisplay: text, data: { files: done.map(({ path }) => path) } };
  }
}

function versionsOf(files: readonly ReturnedFile[]): string {
  return files.map(({ path, expected, mode }) => `${path}\0${expected}\0${mode ?? ''}`).join('\0\0');
}

/**
 * Takes over what an agent changed in a worktree of its own, as one change: judged, approved and undone as a patch is, whose
 * name it has for rules. No model is told of it.
 */
export class ReturnTool extends BaseDeclarativeTool<ReturnParams, ToolResult> {
  readonly #target: ReturnTarget;

  constructor(target: ReturnTarget) {
    super(ToolNames.APPLY_PATCH, ToolDisplayNames.APPLY_PATCH, 'Takes over the changes of a worktree.', Kind.Edit, {
      type: 'object',
      properties: { worktree: { type: 'string' } },
      required: ['worktree'],
      additionalProperties: false,
    });
    this.#target = target;
  }

  protected createInvocation(params: ReturnParams): ToolInvocation<ReturnParams, ToolResult> {
    return new ReturnInvocation(params, this.#target);
  }
}
