import path from 'node:path';
import { systemErrorCode } from '../util/failure.js';
import { FOREIGN_PLACES, type ForeignAgent, type ForeignSettings } from './foreign-places.js';
import { readingProblem, readSmallFile } from './read-settings-file.js';

interface Places {
  readonly root: string;
  readonly home: string;
}

/** Reads the settings that the folder and the user's home have for other agents. Never throws; skips files that do not exist. */
export async function readForeignSettings({ root, home }: Places): Promise<readonly ForeignSettings[]> {
  const agents = Object.entries(FOREIGN_PLACES) as [ForeignAgent, Record<'project' | 'home', readonly string[]>][];
  // If the folder is the home folder, both names mean one file.
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
      // Most folders have no such file.
      const { readForeignText } = await import('./foreign-rules.js');
      return [{ ...nothing, ...(await readForeignText(text, { agent, name })) }];
    }),
  );
  return read.flat();
}

/** Returns undefined if there is no such file. */
async function textOf(file: string): Promise<string | { readonly problem: string } | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readSmallFile(file));
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { problem: `It ${readingProblem(thrown, code)}` };
  }
}
