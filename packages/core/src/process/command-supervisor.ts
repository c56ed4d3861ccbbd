import type { RunCommand } from './command-types.js';
import type { ProcessTree } from './process-tree.js';
import { runCommand } from './run-command.js';
import { findShell } from './start-command.js';

/** Runs commands and knows all that run, so that a program that exits can take them along. */
export class CommandSupervisor {
  readonly #live = new Set<ProcessTree>();
  readonly run: RunCommand;

  constructor() {
    const shell = findShell();
    this.run = (request, signal) => runCommand(request, signal, { shell, live: this.#live });
  }

  /** Kills every command with all it started. Synchronous: it may be called where the process exits. */
  endAll(): void {
    for (const tree of this.#live) {
      // Twice: the second finds what was born during the first.
      tree.signal('SIGKILL');
      tree.signal('SIGKILL');
    }
  }
}
