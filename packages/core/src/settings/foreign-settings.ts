import path from 'node:path';
import type { Rule } from '../policy/rule.js';
import { systemErrorCode } from '../util/failure.js';
import { readingProblem, readSmallFile } from './read-settings-file.js';

export type ForeignAgent = keyof typeof FOREIGN_PLACES;

/** What else a file may hold that does not count here. */
export type OtherKind = 'allow rule' | 'hook' | 'environment variable' | 'model' | 'server';

/** A rule that cannot be read, and why: a sentence. */
interface UnreadRule {
  readonly rule: Rule;
  readonly problem: string;
}

/** What stands in another agent's settings. Its deny and ask rules count, because they can only tighten. */
export interface ForeignSettings {
  readonly agent: ForeignAgent;
  /** As people write it: below the project, or `~/…`. */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly rules: readonly Rule[];
  /** Wire names of tools that the model is not offered. */
  readonly without: readonly string[];
  readonly unread: readonly UnreadRule[];
  /** What else stands there and does not count. */
  readonly others: readonly { readonly kind: OtherKind; readonly count: number }[];
  /** Why nothing of the file is used: a sentence. */
  readonly problem?: string;
}

/** Where other agents keep their settings: below the project, and below the user's home. */
const FOREIGN_PLACES = {
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

interface Places {
  readonly root: string;
  readonly home: string;
}

/** Reads the settings that the folder and the user's home have for other agents. Never throws; files that aren't there are left out. */
export async function readForeignSettings({ root, home }: Places): Promise<readonly ForeignSettings[]> {
  const agents = Object.entries(FOREIGN_PLACES) as [ForeignAgent, Record<'project' | 'home', readonly string[]>][];
  // Started in the home folder, both names mean one file.
  const places = new Map(
    agents.flatMap(([agent, names]) => [
      ...names.home.map((name) => [path.join(home, name), { agent, name: `~/${name}` }] as const),
      ...names.project.map((name) => [path.join(root, name), { agent, name }] as const),
    ]),
  );
  const read = await Promise.all(
    Array.from(places, async ([file, { agent, name }]): Promise<ForeignSettings[]> => {
      const text = await textOf(file);
      if (text === undefined) return [];
      const nothing = { agent, name, file, rules: [], without: [], unread: [], others: [] };
      if (typeof text !== 'string') return [{ ...nothing, problem: text.problem }];
      // Most folders have none of them.
      const { readForeignText } = await import('./foreign-rules.js');
      return [{ ...nothing, ...(await readForeignText(text, { agent, name })) }];
    }),
  );
  return read.flat();
}

/** Undefined when there is no such file. */
async function textOf(file: string): Promise<string | { readonly problem: string } | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readSmallFile(file));
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { problem: `It ${readingProblem(thrown, code)}` };
  }
}
