import { stat } from 'node:fs/promises';
import {
  errorMessage,
  Failure,
  ToolNames,
  type CallSurroundings,
  type ServedResult,
  type ToolSystem,
} from '@tenon/core';
import { runServedCall, type Askers } from './served-call.js';

/** A resource is given whole or not at all. In bytes. */
const LARGEST = 1024 * 1024;

/**
 * A file as it is. A call that reads it goes first, so that rules, questions and ignore files count as they do there; what
 * it gives is for models, with line numbers and windows.
 */
export async function readServedFile(
  system: ToolSystem,
  askers: Askers,
  file: string,
  surroundings: CallSurroundings,
): Promise<ServedResult> {
  const { config } = system;
  let path: string;
  try {
    // What was judged is what is read, whatever a link on the way says meanwhile.
    ({ path } = config.getWorkspaceGate().resolve(file));
  } catch (thrown) {
    return failed(errorMessage(thrown));
  }
  const call = { name: ToolNames.READ_FILE, args: { absolute_path: path }, ...surroundings };
  const judged = await runServedCall(system, askers, call);
  if (judged.isError || judged.parts.some((part) => 'inlineData' in part)) return judged;
  try {
    const { size } = await stat(path);
    if (size > LARGEST)
      return failed(`The file has ${size} bytes, more than a resource may have. Read parts of it with ${call.name}.`);
    const { text } = await config.getFileSystemService().readTextFile(path, { resolvedPath: path });
    return { parts: [{ text }], isError: false };
  } catch (thrown) {
    // What is no text and can be shown as text all the same (a PDF, a notebook) is given as the call gave it.
    if (thrown instanceof Failure && thrown.code === 'binary_file') return judged;
    return failed(errorMessage(thrown));
  }
}

function failed(message: string): ServedResult {
  return { parts: [{ text: message }], isError: true };
}
