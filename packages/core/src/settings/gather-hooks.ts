import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { HookDefinition } from '../hooks/hook-types.js';
import type { BoundHook } from '../trust/folder-trust.js';
import type { SettingsProblem } from './parse-settings-text.js';
import { readSettingsTree } from './read-settings-file.js';
import { isHookEventKey, type HookEventKey, type ServerEntry } from './server-layers.js';
import type { SettingEntry } from './parse-settings-text.js';

/** Another agent's file that settings name. */
interface ImportedHooks {
  /** Absolute. */
  readonly file: string;
  /** Below the project, with `/`; undefined for a file elsewhere. */
  readonly id: string | undefined;
  readonly dialect: 'claude' | 'qwen';
  readonly layer: ServerEntry['layer'];
  /** `hooks` as it is written; undefined without. */
  readonly hooks: unknown;
  /** Hex SHA-256 of the file. */
  readonly digest: string;
}

interface Places {
  /** Canonical. */
  readonly root: string;
  readonly home: string;
}

interface NamedBy {
  readonly layer: ServerEntry['layer'];
  readonly entries: readonly SettingEntry[];
}

/** Reads the files that `hooks.importFrom` names. A file that is not there is told where a person named it for themselves. */
export async function readImportedHooks(
  layers: readonly NamedBy[],
  { root, home }: Places,
): Promise<{ readonly files: readonly ImportedHooks[]; readonly problems: readonly SettingsProblem[] }> {
  const files = new Map<string, ImportedHooks>();
  const problems: SettingsProblem[] = [];
  for (const { layer, entries } of layers) {
    const named = entries.find(({ key }) => key === 'hooks.importFrom')?.value;
    for (const name of Array.isArray(named) ? named.map(String) : []) {
      const file = name.startsWith('~/') ? join(home, name.slice(2)) : resolve(root, name);
      const id = idBelow(root, file);
      if (layer === 'project' && id === undefined) {
        problems.push(
          warning(`"hooks.importFrom" of the project names ${name}, which is not of the project: it is not read.`),
        );
        continue;
      }
      if (files.has(file)) continue;
      const read = await readSettingsTree(file);
      if (read === undefined) {
        if (id === undefined) problems.push(warning(`${file}: there is no such file, which "hooks.importFrom" names.`));
        continue;
      }
      if ('problem' in read) problems.push(warning(read.problem));
      else {
        const dialect = /(?:^|[\\/])\.qwen[\\/]/.test(file) ? 'qwen' : 'claude';
        files.set(file, { file, id, dialect, layer, hooks: hooksIn(read.value), digest: read.digest });
      }
    }
  }
  return { files: Array.from(files.values()), problems };
}

function hooksIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Reflect.get(value, 'disableAllHooks') === true ? undefined : Reflect.get(value, 'hooks');
}

function idBelow(root: string, file: string): string | undefined {
  const way = relative(root, file);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way.split(sep).join('/');
}

interface GatherHooksOptions {
  readonly entries: readonly ServerEntry[];
  readonly imported: readonly (ImportedHooks & { readonly isTrusted: boolean })[];
  /** Only the administrator's are used. */
  readonly disableAll: boolean;
  /** What the project's own hooks run, by content. */
  readonly bound: readonly BoundHook[];
  /** Canonical. */
  readonly root: string;
}

const ORDER: readonly ServerEntry['layer'][] = ['managed', 'user', 'project'];

/** The hooks of all places in the order in which their words count: the administrator's, the person's, the project's. */
export async function gatherHooks(options: GatherHooksOptions): Promise<{
  readonly hooks: readonly HookDefinition[];
  readonly problems: readonly SettingsProblem[];
}> {
  const own = options.entries.filter(({ key }) => isHookEventKey(key));
  if (own.length === 0 && options.imported.length === 0) return { hooks: [], problems: [] };
  const { readForeignHooks, readHookGroups } = await import('../hooks/read-hooks.js');
  const hooks: HookDefinition[] = [];
  const problems: SettingsProblem[] = [];
  for (const layer of ORDER) {
    if (options.disableAll && layer !== 'managed') continue;
    for (const { key, value, place, isTrusted } of own.filter((entry) => entry.layer === layer)) {
      if (!isTrusted || !isHookEventKey(key)) continue;
      const read = readHookGroups(eventOf(key), value, { origin: place, dialect: 'tenon' });
      hooks.push(...(layer === 'project' ? read.hooks.map((hook) => bind(hook, options)) : read.hooks));
      // It may have been there to keep something from happening.
      problems.push(...read.refusals.map((message) => ({ severity: 'fatal', message }) as const));
      problems.push(...read.warnings.map(warning));
    }
    for (const { file, id, dialect, hooks: value, isTrusted } of options.imported.filter(
      (each) => each.layer === layer,
    )) {
      if (value === undefined) continue;
      if (!isTrusted) {
        problems.push(warning(untrusted(file)));
        continue;
      }
      const read = readForeignHooks(value, { origin: file, dialect });
      hooks.push(...(id === undefined ? read.hooks : read.hooks.map((hook) => bind(hook, options))));
      problems.push(...[...read.refusals, ...read.warnings].map(warning));
    }
  }
  return { hooks, problems };
}

/** It runs only what somebody agreed to. */
function bind(hook: HookDefinition, { bound, root }: GatherHooksOptions): HookDefinition {
  if (hook.kind !== 'command') return hook;
  const text = [hook.command, ...(hook.args ?? [])].join(' ');
  const scripts = bound.find((each) => each.text === text)?.scripts ?? [];
  return { ...hook, bound: { root, scripts } };
}

function eventOf(key: HookEventKey) {
  return key.slice('hooks.'.length) as HookDefinition['event'];
}

function untrusted(file: string): string {
  return `${file}: its hooks do not run, because the folder is not trusted with the file. \`tenon trust\` shows what they would run, \`tenon trust --yes\` lets them run.`;
}

function warning(message: string): SettingsProblem {
  return { severity: 'warning', message };
}
