import type { Config } from '../../config/config.js';
import type { ToolDefinition } from '../../tools/defined/tool-definition.js';
import type { BaseTool } from '../../tools/tools.js';
import type { TempConfigOptions } from '../temp-config.js';
import type { WorkspaceEntry } from '../temp-workspace.js';

/** What is examined: a definition, a class that takes the `Config`, or whoever makes a tool for one. */
export type ToolSubject = ToolDefinition | (new (config: Config) => BaseTool) | ((config: Config) => BaseTool);

/** Where a case runs: folders of its own, which are gone afterwards. */
export interface ConformancePlace {
  readonly config: Config;
  /** The workspace. */
  readonly root: string;
  /** A folder beside it that is none of the tool's business. */
  readonly outside: string;
}

export interface ConformanceOptions {
  /** Valid parameters to try it with. Default: those of the definition, then those of its schema, then a shortest valid one. */
  readonly examples?: readonly object[] | ((place: ConformancePlace) => readonly object[]);
  /** What lies in the workspace before each call. */
  readonly entries?: Readonly<Record<string, WorkspaceEntry>>;
  /** What else has to be there; it runs before each call. */
  readonly prepare?: (place: ConformancePlace) => Promise<void>;
  /** Of the `Config` that the tool gets. */
  readonly config?: Omit<TempConfigOptions, 'entries'>;
  /** Files whose reading need not be stated: what the tool itself is made of. Code of packages need not be in any case. */
  readonly ownFiles?: (path: string) => boolean;
  /** Programs that it starts for what its effects say in other words, as a search does: their whole command lines. */
  readonly ownPrograms?: (commandLine: string) => boolean;
  /** How long one example may take. In milliseconds; default 30 seconds. */
  readonly callMs?: number;
}

/** For any test runner: `for (const { name, run } of conformanceCases(…)) it(name, run)`. */
export interface ConformanceCase {
  readonly name: string;
  /** @throws ConformanceError with everything that is wrong */
  readonly run: () => Promise<void>;
}

/** What became of one case. */
export interface ConformanceResult {
  readonly name: string;
  /** Empty: it holds. */
  readonly problems: readonly string[];
}

/** Why a case does not hold: a sentence in each line. */
export class ConformanceError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConformanceError';
    this.problems = problems;
  }
}
