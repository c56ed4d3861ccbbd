import type { Effect } from '../effects/effect.js';
import type { ReadOptions } from '../files/workspace-types.js';
import { createFileDiff } from '../files/diff.js';
import { displayPath } from '../files/display-path.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { ToolRuntime } from '../runtime.js';
import { JudgedPaths } from './judged-paths.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import { RunInvocation, type ToolCallConfirmationDetails, type ToolLocation } from './tools.js';

/** What a call would do to one file as it is now. */
export interface FileChange {
  /** Null for a file that does not exist. */
  readonly original: string | null;
  readonly proposed: string;
  /** Of the file as it is now: what an approval is bound to. */
  readonly hash: string;
}

/** What the tools that change one file share: they are confirmed by a diff, and write only over what the diff showed. */
export abstract class FileChangeInvocation<TParams extends { file_path: string }> extends RunInvocation<TParams> {
  protected readonly config: ToolRuntime;
  readonly #noun: string;
  readonly #judged: JudgedPaths;
  /** The hash of the file that the person was shown. */
  #shownHash: string | undefined;

  /** `noun`: what the change is called in titles and messages, `Write` or `Edit`. */
  constructor(config: ToolRuntime, params: TParams, noun: string) {
    super(params);
    this.config = config;
    this.#noun = noun;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
  }

  /** @throws ToolError for a change that cannot be made: nobody is asked about it */
  protected abstract propose(): Promise<FileChange>;

  getDescription(): string {
    return displayPath(this.params.file_path, this.config.getTargetDir());
  }

  override toolLocations(): ToolLocation[] {
    return [{ path: this.params.file_path }];
  }

  effects(): Effect[] {
    const { file_path: path } = this.params;
    return this.#judged.state(this.uses.map((kind) => ({ kind, path })));
  }

  /** What is done with the file, as far as the model can see it. */
  protected get uses(): readonly ('read' | 'write')[] {
    return ['write'];
  }

  /** For everything that opens the file: it must be the one that was judged. */
  protected get judgedPath(): ReadOptions {
    return { resolvedPath: this.#judged.expectation(this.params.file_path).expected };
  }

  override async shouldConfirmExecute(_signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    // S55.
    return this.config.getApprovalMode() === ApprovalMode.AUTO_EDIT ? false : this.confirmationDetails();
  }

  /** What a person is shown in any mode; from here on the call writes over this version of the file only. */
  async confirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const { original, proposed, hash } = await this.propose();
    const change = await createFileDiff({ filePath: this.params.file_path, original, proposed });
    this.#shownHash = hash;
    return { type: 'edit', title: `Confirm ${this.#noun}: ${change.fileName}`, ...change };
  }

  /** @throws ToolError `file_changed` when the file is no longer what the person was shown */
  protected refuseUnlessShown(hash: string): void {
    if (this.#shownHash === undefined || this.#shownHash === hash) return;
    throw new ToolError(
      ToolErrorType.FILE_CHANGED,
      `The file changed after this ${this.#noun.toLowerCase()} was approved: ${this.params.file_path}. Read it again, then repeat the call.`,
    );
  }
}
