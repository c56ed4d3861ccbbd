import type { Rule } from '../policy/rule.js';

export type ForeignAgent = keyof typeof FOREIGN_PLACES;

/** The other entries that a file may hold and that do not count here. */
export type OtherKind = 'allow rule' | 'hook' | 'environment variable' | 'model' | 'server';

/** A rule that cannot be read, and the reason as a sentence. */
interface UnreadRule {
  readonly rule: Rule;
  readonly problem: string;
}

/** The contents of another agent's settings. Its deny and ask rules count, because they can only tighten. */
export interface ForeignSettings {
  readonly agent: ForeignAgent;
  /** The name for users: below the project, or `~/…`. */
  readonly name: string;
  /** The absolute path. */
  readonly file: string;
  readonly rules: readonly Rule[];
  /** Wire names of tools that the model is not offered. */
  readonly without: readonly string[];
  readonly unread: readonly UnreadRule[];
  /** The other entries in the file, which do not count. */
  readonly others: readonly { readonly kind: OtherKind; readonly count: number }[];
  /** The reason why the file is not used at all: a sentence. */
  readonly problem?: string;
}

/** The places where other agents keep their settings: below the project, and below the user's home. */
export const FOREIGN_PLACES = {
  'Claude Code': {
    project: ['.claude/settings.json', '.claude/settings.local.json'],
    home: ['.claude/settings.json'],
  },
  'Qwen Code': { project: ['.qwen/settings.json'], home: ['.qwen/settings.json'] },
  'Gemini CLI': { project: ['.gemini/settings.json'], home: ['.gemini/settings.json'] },
  OpenCode: {
    project: ['opencode.json', 'opencode.jsonc'],
    home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
  },
  Codex: { project: ['.codex/config.toml'], home: ['.codex/config.toml'] },
} as const;
