import type { RunCommand } from './command-types.js';
import type { LiveCommand } from './live-command.js';
import { OutputPipes } from './output-pipe.js';
import type { StartPiped } from './piped-process.js';
import type { ProcessTree } from './process-tree.js';
import { runCommand, startLive, type CommandContext } from './run-command.js';
import { RunningRecord } from './running-record.js';
import type { CommandRequest } from './command-types.js';
import { findShell } from './start-command.js';
import { startPiped } from './start-piped.js';
import { SurvivorWatch } from './survivor-watch.js';

/** Starts a command that goes on until it ends or is ended. The reason when it cannot be started. */
export type StartLive = (request: CommandRequest) => Promise<LiveCommand | string>;

export interface SupervisorOptions {
  /**
   * Absolute path of the folder in which it is written down what runs, so that `endLeftBehind` finds it after a
   * kill. No command should be able to write to it.
   */
  readonly recordFolder?: string;
  /** The package that opens terminals, as `import()` takes it. */
  readonly terminalPackage?: string;
}

/** MIT, prebuilt for each platform; optional. */
const TERMINAL_PACKAGE = '@lydell/node-pty';

/** Runs commands and knows all that run, so that a program that exits can take them along. */
export class CommandSupervisor {
  readonly #live = new Set<ProcessTree>();
  readonly #pipes = new OutputPipes();
  readonly #record: RunningRecord | undefined;
  readonly #watch = new SurvivorWatch();
  readonly run: RunCommand;
  readonly start: StartLive;
  /** For programs that are spoken to over their pipes. */
  readonly connect: StartPiped;

  constructor({ recordFolder, terminalPackage = TERMINAL_PACKAGE }: SupervisorOptions = {}) {
    this.#record = recordFolder === undefined ? undefined : new RunningRecord(recordFolder);
    const context: CommandContext = {
      shell: findShell(),
      pipes: this.#pipes,
      terminalPackage,
      terminals: new Set(),
      live: this.#live,
      record: this.#record,
    };
    this.run = (request, signal) => runCommand(request, signal, context);
    this.start = (request) => startLive(request, context);
    this.connect = async (request) => startPiped(request, { ...context, pipeFolder: recordFolder, watch: this.#watch });
  }

  /** Kills every command with all it started. Synchronous: it may be called where the process exits. */
  endAll(): void {
    for (const tree of this.#live) {
      // Twice: the second finds what was born during the first.
      tree.signal('SIGKILL');
      tree.signal('SIGKILL');
    }
    this.#pipes.close();
    this.#record?.close();
    this.#watch.close();
  }
}
