import { accessSync, constants, statSync } from 'node:fs';
import { errorMessage, systemErrorCode } from '../util/failure.js';

/** A missing folder and a missing program are both ENOENT to the system; the person must know which. */
export function describeStartError(thrown: unknown, cwd: string, program: string): string {
  const code = systemErrorCode(thrown);
  const folder = problemOfFolder(cwd);
  if (folder !== null) return folder;
  if (code === 'ENOENT') return `Program not found: ${program}. Check the name, or give its absolute path.`;
  if (code === 'EACCES') return `Not permitted to run ${program}. Check that it is executable.`;
  if (code === 'E2BIG') return 'The command is too long for the system. Write it to a file and run the file.';
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') {
    return `The system is out of processes, memory or open files (${code}). Try again when less is running.`;
  }
  return `The command could not be started: ${errorMessage(thrown)}`;
}

function problemOfFolder(cwd: string): string | null {
  try {
    if (!statSync(cwd).isDirectory())
      return `The working directory is not a directory: ${cwd}. Choose a folder that exists.`;
    accessSync(cwd, constants.X_OK);
    return null;
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'EACCES') return `Not permitted to work in the directory: ${cwd}.`;
    return `The working directory does not exist: ${cwd}. Choose a folder that exists.`;
  }
}
