import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ExitCode, ExitFailure } from '../../exit-codes.js';

/** Lets the person change a text in their editor. @throws ExitFailure when there is none or it failed */
export type EditText = (text: string, fileName: string, signal: AbortSignal) => Promise<string>;

/** $VISUAL, then $EDITOR, as a shell would run it, so that `code --wait` works. The text lies in a folder of the user's alone. */
export function createEditText(env: Readonly<Record<string, string | undefined>>, tempFolder: string): EditText {
  return async (text, fileName, signal) => {
    const editor = env['VISUAL'] || env['EDITOR'];
    if (editor === undefined || editor === '') {
      throw new ExitFailure(ExitCode.USAGE, 'There is no editor to open: set VISUAL or EDITOR.');
    }
    const folder = await mkdtemp(path.join(tempFolder, 'tenon-edit-'));
    try {
      // The file's ending tells the editor the language. Its name is the model's: only harmless characters stay.
      const file = path.join(
        folder,
        path
          .basename(fileName)
          .replaceAll(/[^\w.-]/g, '_')
          .replace(/^\.*$/, 'proposal'),
      );
      await writeFile(file, text, { mode: 0o600 });
      await runEditor(editor, file, signal);
      return await readFile(file, 'utf8');
    } finally {
      await rm(folder, { recursive: true, force: true });
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
