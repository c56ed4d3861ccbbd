import { PROJECT_VARIABLES } from '../hooks/project-variables.js';
import type { BoundCommand } from '../trust/bound-commands.js';
import type { BoundHook } from '../trust/folder-trust.js';
import { shellScripts } from '../trust/shell-scripts.js';

/** What one value would do: a line, and what runs for it with the files of the folder that it runs. */
export interface Told {
  readonly line: string;
  readonly command?: BoundCommand | undefined;
  readonly hook?: BoundHook;
}

interface Place {
  /** Canonical. */
  readonly root: string;
}

/** What one list of hooks would do: a line for each hook, as it is written, and the files that it runs. */
export async function toldOfHooks(key: string, groups: unknown, { root }: Place): Promise<Told[]> {
  const told: Told[] = [];
  for (const group of Array.isArray(groups) ? groups : []) {
    const { matcher, hooks } = fieldsOf(group);
    const about = typeof matcher === 'string' && matcher !== '' ? ` (${JSON.stringify(matcher)})` : '';
    for (const hook of Array.isArray(hooks) ? hooks : []) {
      const line = `${key}${about}: ${JSON.stringify(hook)}`;
      const { command, args } = fieldsOf(hook);
      if (typeof command !== 'string') {
        told.push({ line });
        continue;
      }
      const text = [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ');
      told.push({ line, hook: { text, scripts: await shellScripts(text, { root, variables: PROJECT_VARIABLES }) } });
    }
  }
  return told;
}

/** The same of `hooks` of another agent's file. */
export async function toldOfImport(hooks: unknown, place: Place): Promise<Told[]> {
  const lists = Object.entries(fieldsOf(hooks));
  return (await Promise.all(lists.map(async ([event, groups]) => toldOfHooks(`hooks.${event}`, groups, place)))).flat();
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
