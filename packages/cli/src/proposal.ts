import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalRequest } from '@tenon/core';

/** What a person may change before they agree to it. */
export interface Proposal {
  readonly text: string;
  /** The ending tells an editor the language. */
  readonly fileName: string;
}

/** Undefined for a call that has nothing to edit. Pure. */
export function proposalOf({
  canModify,
  details,
}: Pick<ApprovalRequest, 'canModify' | 'details'>): Proposal | undefined {
  if (!canModify) return undefined;
  if (details.type === 'plan') return { text: details.plan, fileName: 'plan.md' };
  if (details.type !== 'edit') return undefined;
  return { text: details.newContent, fileName: details.fileName ?? 'proposal.txt' };
}

export interface ProposalFile {
  readonly file: string;
  /** The folder that it lies in; nothing else is there. */
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Puts a text where an editor can open it: in a folder of the user's alone, outside of any project. */
export async function makeProposalFile({ text, fileName }: Proposal, tempFolder: string): Promise<ProposalFile> {
  const folder = await mkdtemp(path.join(tempFolder, 'tenon-edit-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, harmlessName(fileName));
  try {
    await writeFile(file, text, { mode: 0o600 });
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { file, folder, remove };
}

/** Its name is the model's: only harmless characters stay. */
function harmlessName(fileName: string): string {
  return path
    .basename(fileName)
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^\.*$/, 'proposal');
}
