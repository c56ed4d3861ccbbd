import type { CallContext } from '../effects/call-context.js';
import type { ChangedFile, CommandChanges, FileChanges, GoesOn, TextChange } from '../files/file-changes.js';
import { Failure } from '../util/failure.js';
import type { HostBuffers } from './host-buffers.js';

/**
 * Changes to files that an editor shows. Each is a transaction on the disk like any other, so that what was on the disk
 * before can be had again; then the editor is given the new text, which holds what was unsaved in it.
 */
export class FollowedChanges implements FileChanges {
  readonly #changes: FileChanges;
  readonly #buffers: HostBuffers;

  constructor(changes: FileChanges, buffers: HostBuffers) {
    this.#changes = changes;
    this.#buffers = buffers;
  }

  /** @throws Failure also `file_has_unsaved_changes` */
  refuse(changes: readonly Pick<TextChange, 'path' | 'expected'>[]): void {
    if (this.#buffers.canFollow) return;
    const other = changes.find(({ expected }) => this.#buffers.isUnsaved(expected));
    if (other === undefined) return;
    throw new Failure(
      'file_has_unsaved_changes',
      `${other.path} has changes in the editor that are not saved, and the editor cannot be given a new text. Ask the user to save the file, then repeat the call.`,
    );
  }

  async apply(changes: readonly TextChange[], context?: CallContext): Promise<readonly ChangedFile[]> {
    this.refuse(changes);
    const onDisk: TextChange[] = [];
    for (const change of changes) onDisk.push(await this.#onDisk(change));
    const done = await this.#changes.apply(onDisk, context);
    for (const [index, { path, content }] of changes.entries()) {
      const file = done[index];
      // What is gone from the disk the editor notices by itself.
      if (content !== null && file !== undefined) await this.#buffers.follow(path, file.path, content);
    }
    return done;
  }

  watch<T>(
    run: () => Promise<T>,
    context?: CallContext,
    goesOn?: (result: T) => GoesOn | undefined,
  ): Promise<{ readonly result: T; readonly changes: CommandChanges }> {
    return this.#changes.watch(run, context, goesOn);
  }

  changedIn(prompt: Pick<CallContext, 'sessionId' | 'turn'>): boolean {
    return this.#changes.changedIn?.(prompt) === true;
  }

  noteChange(prompt: Pick<CallContext, 'sessionId' | 'turn'>): void {
    this.#changes.noteChange?.(prompt);
  }

  catchUp(): Promise<void> {
    return this.#changes.catchUp();
  }

  /** The same change in the words of the disk. @throws Failure `file_changed` when the person has typed on since */
  async #onDisk(change: TextChange): Promise<TextChange> {
    const below = await this.#buffers.below(change.expected);
    if (below === undefined) return change;
    if (!below.isStill)
      throw new Failure(
        'file_changed',
        `The file changed in the editor meanwhile: ${change.path}. Try the call again.`,
      );
    return { ...change, expected: below.diskHash };
  }
}
