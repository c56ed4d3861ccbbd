import { isAbsolute, join, posix, sep } from 'node:path';
import { cleanText } from '../../util/clean-text.js';
import { isObject } from '../../util/is-object.js';
import type { ExtensionManifest, TextPart } from './extension-types.js';

interface ManifestPlace {
  /** Canonical. */
  readonly folder: string;
  /** The first folder of the workspace. Canonical. */
  readonly workspace: string;
}

/** Also what its folder must be called: it stands in commands of a shell. */
export const EXTENSION_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Under these names an extension speaks of its own folder. */
export const FOLDER_BLANKS: readonly string[] = ['extensionPath', 'CLAUDE_PLUGIN_ROOT'];
const KNOWN: ReadonlySet<string> = new Set([
  'name',
  'version',
  'description',
  'contextFileName',
  'mcpServers',
  'excludeTools',
  'skills',
  'agents',
  'commands',
  '$schema',
]);
const TEXT_PARTS: readonly TextPart[] = ['skills', 'agents', 'commands'];
/** The person's own word alone: nobody else may say them of a server. */
const OF_THE_PERSON = ['trust', 'sampling'] as const;
const LONGEST_VERSION = 64;
const LONGEST_DESCRIPTION = 1000;
const MOST_CONTEXT_FILES = 10;
const MOST_FOLDERS = 10;
const MOST_SERVERS = 50;
const MOST_TOOLS = 200;
const MOST_LEVELS = 20;
const MOST_NAMED = 8;

/** What a manifest says; or why there is no extension: the end of a sentence. Pure. */
export function readManifest(value: unknown, place: ManifestPlace): ExtensionManifest | { readonly problem: string } {
  if (!isObject(value)) return { problem: 'its manifest is no object' };
  const { name } = value;
  if (typeof name !== 'string') return { problem: 'its manifest has no "name"' };
  if (!EXTENSION_NAME.test(name))
    return { problem: `its name ${shown(name)} is not made of 1 to 64 letters, digits, ".", "_" and "-"` };
  const notes: string[] = [];
  const version = lineOf(value['version'], LONGEST_VERSION);
  const description = lineOf(value['description'], LONGEST_DESCRIPTION);
  const contextFileNames = contextNamesOf(value['contextFileName'], notes);
  const unknown = Object.keys(value).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) notes.push(`${listed(unknown)} of its manifest count for nothing here.`);
  return {
    name,
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(contextFileNames !== undefined && { contextFileNames }),
    folders: foldersOf(value, notes),
    mcpServers: serversOf(value['mcpServers'], place, notes),
    excludeTools: toolsOf(value['excludeTools'], notes),
    notes,
  };
}

function contextNamesOf(value: unknown, notes: string[]): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const sound = names.flatMap((name) => (typeof name === 'string' && isBelow(name) ? [name] : []));
  if (sound.length < names.length)
    notes.push('"contextFileName" must name files in the extension; the others are left out.');
  if (sound.length > MOST_CONTEXT_FILES)
    notes.push(`It has more than ${MOST_CONTEXT_FILES} context files; the rest is left out.`);
  return sound.slice(0, MOST_CONTEXT_FILES);
}

function foldersOf(value: Readonly<Record<string, unknown>>, notes: string[]): ExtensionManifest['folders'] {
  const named = TEXT_PARTS.flatMap((part) => {
    const said = value[part];
    if (said === undefined) return [];
    const names: readonly unknown[] = Array.isArray(said) ? said : [said];
    const sound = names.flatMap((name) => (typeof name === 'string' && isBelow(name) ? [name] : []));
    if (sound.length < names.length) notes.push(`"${part}" must name a folder in the extension; its own is ${part}.`);
    return sound.length === 0 ? [] : [[part, sound.slice(0, MOST_FOLDERS)] as const];
  });
  return Object.fromEntries(named);
}

/** Of one that may stand in a manifest. */
function isBelow(path: string): boolean {
  const plain = posix.normalize(path.replaceAll('\\', '/'));
  return (
    path.trim() !== '' &&
    !path.includes('\0') &&
    !isAbsolute(path) &&
    !/^(?:\/|[A-Za-z]:|\.\.(?:\/|$)|\.\/?$)/.test(plain)
  );
}

function toolsOf(value: unknown, notes: string[]): readonly string[] {
  if (value === undefined) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = items.filter((item) => typeof item === 'string');
  if (!Array.isArray(value) || texts.length < items.length)
    notes.push('"excludeTools" must be a list of names of tools; what is none is left out.');
  if (texts.length > MOST_TOOLS)
    notes.push(`"excludeTools" names more than ${MOST_TOOLS} tools; the rest is left out.`);
  return texts.slice(0, MOST_TOOLS);
}

function serversOf(value: unknown, place: ManifestPlace, notes: string[]): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) {
    notes.push('"mcpServers" must be an object; none of its servers is used.');
    return {};
  }
  const all = Object.entries(value);
  if (all.length === 0) return {};
  if (place.folder.includes('${') || place.workspace.includes('${')) {
    notes.push('Its servers are not used: "${" in the path of a folder would be taken for a variable.');
    return {};
  }
  if (all.length > MOST_SERVERS) notes.push(`It has more than ${MOST_SERVERS} servers; the rest is left out.`);
  return Object.fromEntries(
    all.slice(0, MOST_SERVERS).map(([alias, raw]) => {
      if (!isObject(raw)) return [alias, raw];
      const said = OF_THE_PERSON.filter((key) => raw[key] === true);
      if (said.length > 0)
        notes.push(`${listed(said)} of the server ${shown(alias)} does not count: that is yours to say.`);
      const kept = Object.fromEntries(Object.entries(raw).filter(([key]) => !OF_THE_PERSON.some((own) => own === key)));
      return [alias, atHome(fillBlanks(kept, place), place)];
    }),
  );
}

/** A folder that it names is one of its own. */
function atHome(raw: unknown, { folder }: ManifestPlace): unknown {
  if (!isObject(raw) || typeof raw['cwd'] !== 'string' || isAbsolute(raw['cwd']) || /^(?:~|\$\{)/.test(raw['cwd']))
    return raw;
  return { ...raw, cwd: join(folder, raw['cwd']) };
}

/** The same value with `${extensionPath}`, `${workspacePath}` and `${/}` filled in all texts; what is nested too deeply is left. Pure. */
export function fillBlanks(value: unknown, place: ManifestPlace, level = 0): unknown {
  if (typeof value === 'string') return fillText(value, place);
  if (level > MOST_LEVELS) return value;
  if (Array.isArray(value)) return value.map((item) => fillBlanks(item, place, level + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillBlanks(item, place, level + 1)]));
}

function fillText(text: string, { folder, workspace }: ManifestPlace): string {
  const blanks: Readonly<Record<string, string>> = {
    ...Object.fromEntries(FOLDER_BLANKS.map((name) => [name, folder])),
    workspacePath: workspace,
    '/': sep,
    pathSeparator: sep,
  };
  // All at once: what is filled in is not looked at again.
  return text.replaceAll(/\$\{([A-Za-z_]+|\/)\}/g, (whole, name: string) =>
    Object.hasOwn(blanks, name) ? (blanks[name] ?? whole) : whole,
  );
}

function lineOf(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = cleanText(value, { strict: true }).text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

function shown(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 80)}…`);
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).map(shown).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
