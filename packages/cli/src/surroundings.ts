import type { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import type { GuardedStream, ManagedPlace, SettingsPlaces } from '@tenon/core';
import type { Exits } from './exits.js';
import type { Interrupts } from './interrupts.js';
import type { Output } from './output.js';

/** Standard input; `isTTY` is absent on what is no terminal. */
export type Input = NodeJS.ReadableStream &
  Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>> & { readonly fd?: number };

/** Everything the command line takes from the process it runs in. Made by `compose.ts` alone. */
export interface Surroundings {
  readonly version: string;
  /** Without node and the script. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined when the current folder is gone. */
  readonly cwd: string | undefined;
  readonly userHome: string;
  /** Tenon's own folder, absolute. */
  readonly tenonHome: string;
  readonly tempFolder: string;
  /** Where the administrator's settings are, in place of the system's own place. Never of the environment: it is the user's. */
  readonly managed?: ManagedPlace;
  /** Opens standard input; whatever does not ask for it never touches it. */
  readonly stdin: () => Input;
  readonly out: Output;
  readonly err: Output;
  /** Where questions are put: stderr when it is a terminal, so that stdout holds nothing but answers; else stdout. */
  readonly screen: { readonly output: Output; readonly stream: () => Writable };
  /** What `out` and `err` write to: nothing of tools in files may come between. Absent where this runs in a process of another. */
  readonly ownStreams?: readonly GuardedStream[];
  readonly interrupts: Interrupts;
  /** Where whoever runs commands says how they are ended when the process ends at once. */
  readonly exits: Exits;
  /** The node that runs this, for what the demo starts. */
  readonly nodePath: string;
  /** The file that node runs as this program; absolute. Absent where this runs in a process of another. */
  readonly programFile?: string;
}

/** Where the settings for a workspace are. */
export function settingsPlaces(
  { tenonHome, managed, userHome, env }: Surroundings,
  projectRoot: string,
  hostServers?: SettingsPlaces['hostServers'],
): SettingsPlaces {
  return {
    tenonHome,
    projectRoot,
    userHome,
    variables: env,
    ...(hostServers !== undefined && { hostServers }),
    ...(managed !== undefined && { managed }),
  };
}

/** True when a person can be asked: a terminal to read from and one to show the question on. */
export function hasPerson(surroundings: Surroundings): boolean {
  return surroundings.stdin().isTTY === true && surroundings.screen.output.isTerminal;
}
