import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ExitCode, ExitFailure } from '../../exit-codes.js';
import { makeProposalFile } from '../../proposal.js';

/** Lets the person change a text in their editor. @throws ExitFailure when there is none or it failed */
export type EditText = (text: string, fileName: string, signal: AbortSignal) => Promise<string>;

/** $VISUAL, then $EDITOR, as a shell would run it, so that `code --wait` works. The text lies in a folder of the user's alone. */
export function createEditText(env: Readonly<Record<string, string | undefined>>, tempFolder: string): EditText {
  return async (text, fileName, signal) => {
    const editor = env['VISUAL'] || env['EDITOR'];
    if (editor === undefined || editor === '') {
      throw new ExitFailure(ExitCode.USAGE, 'There is no editor to open: set VISUAL or EDITOR.');
    }
    const { file, remove } = await makeProposalFile({ text, fileName }, tempFolder);
    try {
      await runEditor(editor, file, signal);
      return await readFile(file, 'utf8');
    } finally {
      await remove();
    }
  };
}

function runEditor(editor: string, file: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', signal });
    child.on('error', (error) =>
      reject(new ExitFailure(ExitCode.UNEXPECTED, `The editor did not start: ${error.message}`)),
    );
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new ExitFailure(
            ExitCode.UNEXPECTED,
            `The editor ended with code ${code ?? 'unknown'}; nothing was taken over.`,
          ),
        );
    });
  });
}
