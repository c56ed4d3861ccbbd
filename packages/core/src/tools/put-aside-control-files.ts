import { controlFileReason } from '../policy/control-files.js';
import { putAside } from '../sandbox/put-aside.js';

/**
 * Takes control files that a command in the sandbox made out of the workspace, so that nothing obeys them unasked: those
 * that the sandbox found (`told`) and those among the files that came into existence. What to say of each.
 */
export async function putAsideControlFiles(
  told: readonly string[],
  created: readonly string[],
  folder: string,
): Promise<string[]> {
  const made = created.filter(
    (path) => controlFileReason({ kind: 'write', path, requested: path, zone: 'workspace' }) !== undefined,
  );
  const notes: string[] = [];
  for (const path of new Set([...told, ...made])) {
    const moved = await putAside(path, folder).catch(() => undefined);
    notes.push(
      moved === undefined
        ? `Note: the command changed ${path}, a control file. Tell the user.`
        : `Note: the command made ${path}, a control file, which needs the user's approval. It is in ${moved} now; write it with the file tools if it is wanted.`,
    );
  }
  return notes;
}
