import { Failure } from '../util/failure.js';

/** By its full path: a name alone would be looked for in the working directory first. */
const INTERPRETER = String.raw`C:\Windows\System32\cmd.exe`;

/** Whether Windows runs it only through its command interpreter; `npx` and most programs of npm are such files. */
export function isBatchFile(path: string): boolean {
  return /\.(?:cmd|bat)$/i.test(path);
}

/**
 * The command line, to be given as it is, that runs a batch file with exactly these arguments. Every word stands in
 * quotes, in which the interpreter takes all but `"` and `%` as they are: `"` is doubled, which keeps it inside, and
 * `%` is followed by an expansion to nothing (the first characters of the folder, none of them), so that no
 * variable's name can stand between two. Pure.
 * @throws Failure `program_not_started` for what no spelling can carry: line ends and NUL.
 */
export function batchWords(file: string, args: readonly string[]): readonly [string, ...string[]] {
  for (const word of [file, ...args]) {
    if (!/[\r\n\0]/.test(word)) continue;
    const advice = 'Give the program itself (an .exe, or node with its script) in place of the batch file.';
    throw new Failure(
      'program_not_started',
      `${file} is a batch file, which takes no line ends in arguments. ${advice}`,
    );
  }
  if (/["%]/.test(file) || file.endsWith('\\')) {
    throw new Failure('program_not_started', `A batch file of such a name cannot be started: ${file}. Rename it.`);
  }
  // Extensions on for the expansion to nothing, delayed expansion (`!`) off, no AutoRun.
  return [INTERPRETER, '/e:ON', '/v:OFF', '/d', '/c', `"${[`"${file}"`, ...args.map(quote)].join(' ')}"`];
}

function quote(word: string): string {
  // Programs read `\"` as a quote and `\\"` as a backslash before one: those before a quote are doubled.
  const sound = word.replaceAll(/(\\*)("|$)/g, (_all, slashes: string, end: string) => slashes + slashes + end);
  return `"${sound.replaceAll('"', '""').replaceAll('%', '%%cd:~,%')}"`;
}
