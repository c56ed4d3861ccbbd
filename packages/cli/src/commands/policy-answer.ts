import type { Rule, ShellProgram } from '@tenon/core';

/** Where the actions of `tenon policy` answer. */
export interface PolicyAnswer {
  /** One line, for people. */
  readonly line: (text: string) => Promise<void>;
  readonly json: (value: unknown) => Promise<void>;
  /** Whether JSON was asked for. */
  readonly isJson: boolean;
}

/** The rules of all layers, and what their paths are relative to. */
export interface GatheredRules {
  readonly rules: readonly Rule[];
  readonly places: { readonly roots: readonly string[]; readonly home: string };
  /** The shell that is set. */
  readonly program: ShellProgram | undefined;
  readonly discovers: boolean;
  /** As they stand in the names of their tools. */
  readonly servers: readonly string[];
}
