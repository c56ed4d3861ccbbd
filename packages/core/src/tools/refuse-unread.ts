import type { CallContext } from '../effects/call-context.js';
import { createFileDiff } from '../files/diff.js';
import { stampOf, type Acquaintance } from '../files/file-versions.js';
import type { ToolRuntime } from '../runtime.js';
import { ToolError, ToolErrorType } from './tool-error.js';
import { ToolNames } from './tool-names.js';

export interface Overwrite {
  readonly config: ToolRuntime;
  /** As it was asked for. */
  readonly path: string;
  /** Of the file as it is now, SHA-256 (hex). */
  readonly hash: string;
  /** The file as it is now; undefined where it is no text. */
  readonly text: string | undefined;
  readonly context: CallContext | undefined;
  /** True if the user is about to see what would be lost, or has agreed to it. */
  readonly isShown: boolean;
}

const MAX_DIFF_CHARS = 4000;

/**
 * Refuses an overwrite unless the model has seen the whole current file, or the user agrees to the loss (S79). A user or a program that
 * makes the call itself may overwrite anything.
 * @throws ToolError `file_not_read`, `file_changed_since_read`
 */
export async function refuseUnread({ config, path, hash, text, context, isShown }: Overwrite): Promise<void> {
  if (context?.agent === undefined || text === '') return;
  const gate = config.getWorkspaceGate();
  const canonical = gate.resolve(path).path;
  // A large file was remembered by its stamp only.
  const stamp = await gate.withFile(canonical, async ({ stat }) => stampOf(stat));
  const acquaintance = config.getFileVersions().acquaintance(context.agent, canonical, { hash, stamp });
  if (acquaintance.known === 'all') return;
  if (acquaintance.known === 'older') throw await changed(path, text, acquaintance);
  if (isShown) return;
  const read = ToolNames.READ_FILE;
  const missing =
    acquaintance.known === 'part'
      ? `You have read only a part of it. Read on from offset ${acquaintance.next} (${read})`
      : `You have not read it. Read it first (${read})`;
  throw new ToolError(
    ToolErrorType.FILE_NOT_READ,
    `The file exists: ${path}. ${missing}, or change a part of it with ${ToolNames.EDIT}. Nothing was written.`,
  );
}

async function changed(
  path: string,
  text: string | undefined,
  { seen, author }: Extract<Acquaintance, { known: 'older' }>,
): Promise<ToolError> {
  const by = author === undefined ? '' : ` by another call (${author.title})`;
  const head = `The file changed${by} since you read it: ${path}. Nothing was written. Read it again (${ToolNames.READ_FILE}), then repeat the call.`;
  const diff = seen === undefined || text === undefined ? '' : await changesBetween(path, seen, text);
  return new ToolError(ToolErrorType.FILE_CHANGED_SINCE_READ, diff === '' ? head : `${head} What changed:\n${diff}`);
}

async function changesBetween(path: string, seen: string, text: string): Promise<string> {
  const { fileDiff } = await createFileDiff({ filePath: path, original: seen, proposed: text });
  const hunks = fileDiff.slice(fileDiff.indexOf('@@'));
  if (hunks.length <= MAX_DIFF_CHARS) return hunks;
  return `${hunks.slice(0, hunks.lastIndexOf('\n', MAX_DIFF_CHARS))}\n…`;
}
