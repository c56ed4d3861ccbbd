import type { CallContext } from '../effects/call-context.js';
import type { Effect } from '../effects/effect.js';
import type { ChangedFile } from '../files/file-changes.js';
import type { ReadOptions } from '../files/workspace-types.js';
import { createChangesDiff, type FileChange as FileDiff } from '../files/diff.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { ToolRuntime } from '../runtime.js';
import { JudgedPaths, type PathUse } from './judged-paths.js';
import { Failure } from '../util/failure.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import type { ToolResult } from './tool-result.js';
import {
  RunInvocation,
  ToolConfirmationOutcome,
  type ToolCallConfirmationDetails,
  type ToolLocation,
} from './tools.js';

/** What a call would do to one file as it is now. */
export interface FileChange {
  /** As it was asked for. */
  readonly path: string;
  /** Null for a file that does not exist. */
  readonly original: string | null;
  /** Null: the file goes. */
  readonly proposed: string | null;
  /** Of the file as it is now: what an approval is bound to. */
  readonly hash: string;
  /** True: what the old file holds is of no matter, even where it is no text. */
  readonly overwrite?: boolean;
  /** Where a new file takes its mode and encoding from. */
  readonly movedFrom?: string;
}

/** All that a call would do; no changes where it would leave everything as it is. */
export interface ChangePlan {
  readonly changes: readonly FileChange[];
}

/** Where the files are judged and changed. */
export type ChangePlace = Pick<ToolRuntime, 'getWorkspaceGate' | 'getFileChanges'>;

/** Attempts for a call that nobody was asked about, while others keep changing its file. */
const MAX_ATTEMPTS = 3;

/** What the tools that change files share: they are confirmed by a diff, and write only over what the diff showed. */
export abstract class FileChangeInvocation<
  TParams extends object,
  TPlan extends ChangePlan,
> extends RunInvocation<TParams> {
  protected readonly config: ToolRuntime;
  readonly #noun: string;
  readonly #place: ChangePlace;
  readonly #judged: JudgedPaths;
  /** The versions of the files that the person was shown, in the order of the changes. */
  #shownHashes: readonly string[] | undefined;
  /** True if the user approved the diff, not a rule or a hook. */
  #isAgreed = false;

  /**
   * `noun`: what the change is called in titles and messages, `Write` or `Edit`. `place`: for files that the tools' own gate
   * does not let through.
   */
  constructor(config: ToolRuntime, params: TParams, noun: string, place: ChangePlace = config) {
    super(params);
    this.config = config;
    this.#noun = noun;
    this.#place = place;
    this.#judged = new JudgedPaths(place.getWorkspaceGate());
  }

  /** What is done with which paths, as far as the model can see it. Known from the parameters, or since `effects` found it out. */
  protected abstract get uses(): readonly PathUse[];

  /**
   * Plans the change. `isShown`: the user is about to see the diff, or has agreed to it.
   * @throws ToolError for a change that cannot be made: the user is not asked about it
   */
  protected abstract propose(context: CallContext | undefined, isShown: boolean): Promise<TPlan>;

  /** What is said of a plan that was carried out. `done` is in the order of the changes. */
  protected abstract report(plan: TPlan, done: readonly ChangedFile[], diff: FileDiff | undefined): ToolResult;

  override toolLocations(): ToolLocation[] {
    return [...new Set(this.uses.map(({ path }) => path))].map((path) => ({ path }));
  }

  /** A tool that has to find out first which files it changes answers later. */
  effects(): readonly Effect[] | Promise<readonly Effect[]> {
    return this.#judged.state(this.uses);
  }

  /** For everything that opens a file: it must be the one that was judged. */
  protected judgedPath(path: string): ReadOptions {
    return { resolvedPath: this.#judged.expectation(path).expected };
  }

  override async shouldConfirmExecute(signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    // S55.
    return this.config.getApprovalMode() === ApprovalMode.AUTO_EDIT ? false : this.confirmationDetails(signal);
  }

  /** What a person is shown in any mode; from here on the call writes over these versions of the files only. */
  async confirmationDetails(_signal: AbortSignal, context?: CallContext): Promise<ToolCallConfirmationDetails> {
    const { changes } = await this.propose(context, true);
    this.config.getFileChanges().refuse?.(changes.map(({ path, hash }) => ({ path, expected: hash })));
    const diff = await createChangesDiff(changes);
    this.#shownHashes = changes.map(({ hash }) => hash);
    const onConfirm = async (outcome: ToolConfirmationOutcome): Promise<void> => {
      this.#isAgreed = outcome !== ToolConfirmationOutcome.Cancel;
    };
    return { type: 'edit', title: `Confirm ${this.#noun}: ${diff.fileName}`, ...diff, onConfirm };
  }

  protected async run(signal: AbortSignal, _update?: unknown, context?: CallContext): Promise<ToolResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(signal, context);
      } catch (thrown) {
        const changed = thrown instanceof Failure && thrown.code === ToolErrorType.FILE_CHANGED;
        // Whoever was shown a diff is asked again; where nobody was, the change is worked out anew.
        if (!changed || this.#shownHashes !== undefined || attempt === MAX_ATTEMPTS) throw thrown;
        signal.throwIfAborted();
      }
    }
  }

  async #attempt(signal: AbortSignal, context: CallContext | undefined): Promise<ToolResult> {
    const plan = await this.propose(context, this.#isAgreed);
    const { changes } = plan;
    this.#refuseUnlessShown(changes);
    if (changes.length === 0) return this.report(plan, [], undefined);
    const diff = await createChangesDiff(changes);
    signal.throwIfAborted();
    const done = await this.#place.getFileChanges().apply(
      changes.map(({ path, hash, proposed, overwrite, movedFrom }) => ({
        path,
        ...this.judgedPath(path),
        expected: hash,
        content: proposed,
        ...(overwrite === undefined ? {} : { overwrite }),
        ...(movedFrom === undefined ? {} : { movedFrom }),
      })),
      context,
    );
    return this.report(plan, done, diff);
  }

  #refuseUnlessShown(changes: readonly FileChange[]): void {
    const shown = this.#shownHashes;
    if (shown === undefined) return;
    const other = changes.find(({ hash }, index) => shown[index] !== hash);
    if (other === undefined && shown.length === changes.length) return;
    const what = other === undefined ? 'What would be done' : `The file changed: ${other.path}. What would be done`;
    throw new ToolError(
      ToolErrorType.FILE_CHANGED,
      `${what} is no longer what was approved for this ${this.#noun.toLowerCase()}. Read the file again, then repeat the call.`,
    );
  }
}

/** For a file with several names: all of them show what was written. Empty for any other. */
export function linksNote({ links }: ChangedFile): string {
  return links === undefined ? '' : ` The file has ${links} names (hard links); all of them show the new content.`;
}
