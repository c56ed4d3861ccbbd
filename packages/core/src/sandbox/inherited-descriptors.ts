import { findShell } from '../process/start-command.js';
import { namesIn, readText } from './disk.js';

const O_CLOEXEC = 0o2000000;

/**
 * Descriptors that this process got from whoever started it and that every child gets too. One of a folder would lead a
 * command out of its sandbox. Node closes its own on the way; it cannot mark these.
 */
export function inheritedDescriptors(): number[] {
  return namesIn('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
}

function isPassedOn(descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readText(`/proc/self/fdinfo/${descriptor}`) ?? '')?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
}

/** A file that is opened for a child. */
export interface PassedFile {
  readonly path: string;
  readonly mode: 'read' | 'write';
}

/** The words that run a script in a shell; its arguments follow. bash alone has to be told to read no start-up file. */
export function scriptWords(shell: string, script: string): [string, ...string[]] {
  return [shell, ...(shell.endsWith('/bash') ? ['-p'] : []), '-c', script, 'sh'];
}

/**
 * Closes descriptors, and opens files as 3, 4, …, before the program starts.
 */
export function withDescriptors(
  argv: readonly [string, ...string[]],
  { closed, files }: { readonly closed: readonly number[]; readonly files: readonly PassedFile[] },
  shell: string = findShell(),
): [string, ...string[]] {
  if (closed.length === 0 && files.length === 0) return [...argv];
  const closing = closed.map((descriptor) => ` ${descriptor}>&-`).join('');
  const opening = files.map(({ mode }, index) => ` ${index + 3}${mode === 'read' ? '<' : '>'}"$${index + 1}"`).join('');
  const script = `exec${closing}${opening} || exit; shift ${files.length}; exec "$@"`;
  return [...scriptWords(shell, script), ...files.map(({ path }) => path), ...argv];
}
