import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { killGroup } from '../util/kill-group.js';

/** Absolute: what stands earlier in a search path is of no matter. */
const PROGRAMS = ['/usr/bin/cp', '/bin/cp'];
const SHELL = '/bin/sh';
const TIME_LIMIT_MS = 10_000;
const IDLE_LIMIT_MS = 30_000;

/** Two lines of paths in, one line with the exit code out; ends when its input ends, so also with this process. */
const SCRIPT =
  'while IFS= read -r from && IFS= read -r to; do' +
  ' "$0" --attributes-only --preserve=mode,xattr -- "$from" "$to"; echo "$?"; done';

type Shell = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Copies the mode, extended attributes and access control lists of files. Node has no way to read or write attributes,
 * not even to ask whether there are any, so GNU cp does it. A small shell that stays for a while starts it: to start
 * a program, this process is halted for as long as it takes to copy its page tables, which are a hundred times larger.
 */
export class AttributeCopier {
  #shell: Shell | undefined;
  /** Those who wait for an answer, in the order in which they asked. */
  #waiting: ((isCopied: boolean) => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * Both are paths of this process, `/proc/self` included. False when that failed or there is no GNU cp: then the
   * attributes may not be there, and `to` must not take the place of `from`.
   */
  async copy(from: string, to: string): Promise<boolean> {
    if (from.includes('\n') || to.includes('\n')) return false;
    const shell = (this.#shell ??= this.#start());
    if (shell === undefined) return false;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#keepAlive(shell);
      shell.stdin.write(`${forOthers(from)}\n${forOthers(to)}\n`);
    });
  }

  #start(): Shell | undefined {
    const program = process.platform === 'linux' ? PROGRAMS.find((path) => existsSync(path)) : undefined;
    if (program === undefined || !existsSync(SHELL)) return undefined;
    const shell = startShell(program);
    const lost = (): void => this.#lose(shell);
    shell.once('error', lost);
    // It could not be started, perhaps for want of descriptors; then it has no streams either.
    if (shell.pid === undefined) return undefined;
    shell.once('exit', lost);
    shell.stdin.on('error', lost);
    let unread = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      const codes = (unread + chunk.toString('latin1')).split('\n');
      unread = codes.pop() ?? '';
      for (const code of codes) this.#waiting.shift()?.(code === '0');
      this.#keepAlive(shell);
    });
    return shell;
  }

  /** The process does not end while somebody waits, and is not kept from ending by a shell without work. */
  #keepAlive(shell: Shell): void {
    clearTimeout(this.#timer);
    const streams = [shell, shell.stdout] as { ref?: () => void; unref?: () => void }[];
    if (this.#waiting.length > 0) {
      for (const one of streams) one.ref?.();
      this.#timer = setTimeout(() => this.#lose(shell), TIME_LIMIT_MS);
      return;
    }
    for (const one of [...streams, shell.stdin as { unref?: () => void }]) one.unref?.();
    this.#timer = setTimeout(() => this.#lose(shell), IDLE_LIMIT_MS).unref();
  }

  #lose(shell: Shell): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    clearTimeout(this.#timer);
    shell.stdin.end();
    // What hangs in a file system that does not answer; a shell without work ends by itself.
    if (this.#waiting.length > 0) killGroup(shell);
    for (const answer of this.#waiting.splice(0)) answer(false);
  }
}

/** In a session of its own: an interrupt from the terminal is not meant for it. */
function startShell(program: string): Shell {
  return spawn(SHELL, ['-c', SCRIPT, program], {
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
}

/** What `/proc/self` means is another thing in another process. */
function forOthers(path: string): string {
  return path.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}
