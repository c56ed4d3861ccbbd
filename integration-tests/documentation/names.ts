import { SETTINGS } from '@tenon/core';
import { BUILTIN_COMMANDS } from '../../packages/cli/src/doors/interactive/commands/command-list.js';
import { inlineCode, type Finding, type Page } from './pages.js';

const KEYS: readonly string[] = SETTINGS.flatMap(({ key, aliases }) => [key, ...(aliases ?? [])]);
const GROUPS: ReadonlySet<string> = new Set(
  KEYS.filter((key) => key.includes('.')).map((key) => key.split('.', 1)[0] ?? ''),
);
/** They look like keys, but are names of files. */
const FILE = /\.(?:[cm]?[jt]sx?|json[cl]?|md|toml|ya?ml|py|sh|txt|lock|env|log)$/;

/** What is called alike elsewhere, with where. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  'extensions.servers': 'what loadSettings gives',
  'mcp.servers': 'settings of VS Code',
};

/** Settings that a page names and that there are not. `a.b.NAME` is an entry of the setting `a.b`. */
export function unknownSettings(page: Page): Finding[] {
  return inlineCode(page).flatMap(({ line, text }) => {
    const key = /^([a-zA-Z]+)(?:\.[\w*…]+)+$/.exec(text);
    if (key === null || !GROUPS.has(key[1] ?? '') || FILE.test(text) || text in OF_OTHERS) return [];
    const path = text.split('.');
    const isKnown = path.some((_, index) => KEYS.includes(path.slice(0, index + 1).join('.')));
    const isGroup = /\.[*…]$/.test(text) && KEYS.some((one) => one.startsWith(text.slice(0, -1)));
    return isKnown || isGroup ? [] : [{ path: page.path, line, text: `${text} is no setting` }];
  });
}

const COMMANDS: ReadonlySet<string> = new Set(BUILTIN_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]));

/** Slash commands that a page names and that are not built in, but for examples of a person's own. */
export function unknownSlashCommands(page: Page, examples: ReadonlySet<string>): Finding[] {
  return inlineCode(page).flatMap(({ line, text }) => {
    const name = /^\/([a-z][\w:-]*)(?=$|[\s,])/.exec(text)?.[1];
    if (name === undefined || COMMANDS.has(name) || examples.has(`/${name}`)) return [];
    return [{ path: page.path, line, text: `/${name} is no command of a session` }];
  });
}
