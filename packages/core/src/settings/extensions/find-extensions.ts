import { lstatSync, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { errorMessage, systemErrorCode } from '../../util/failure.js';
import { isObject } from '../../util/is-object.js';
import { isWithin } from '../../util/paths-below.js';
import { canonicalPath } from '../../util/real-path.js';
import { cleanText } from '../../util/clean-text.js';
import { readSettingsTree } from '../read-settings-file.js';
import type { ExtensionHome, ExtensionHooks, FoundExtension } from './extension-types.js';
import { fillHooks } from './fill-hooks.js';
import { EXTENSION_NAME, readManifest } from './read-manifest.js';

/** Whose manifest it is, and the context file that such an extension has without saying so. */
const MANIFESTS = [
  { kind: 'tenon', file: 'tenon-extension.json', context: 'TENON.md' },
  { kind: 'qwen', file: 'qwen-extension.json', context: 'QWEN.md' },
  { kind: 'gemini', file: 'gemini-extension.json', context: 'GEMINI.md' },
] as const;
const PARTS = ['skills', 'agents', 'commands', 'tools'] as const;
const HOOKS_FILE = join('hooks', 'hooks.json');
/** Of one place. */
const MOST_EXTENSIONS = 50;
const MOST_ENTRIES = 1000;

export interface ExtensionPlaces {
  /** The first folder of the workspace. Canonical. */
  readonly root: string;
  readonly tenonHome: string;
  readonly userHome: string;
}

export interface FoundExtensions {
  /** In the order in which their names count. */
  readonly found: readonly FoundExtension[];
  /** A sentence each. */
  readonly problems: readonly string[];
}

/** Where extensions lie: the person's own before the project's, Tenon's before those of others. Pure. */
export function extensionHomes({ root, tenonHome, userHome }: ExtensionPlaces): readonly ExtensionHome[] {
  const own = (base: string, runsCode: boolean): ExtensionHome => ({
    folder: join(base, 'extensions'),
    origin: 'user',
    runsCode,
  });
  const ofProject = (name: string, runsCode: boolean): ExtensionHome => ({
    folder: join(root, name, 'extensions'),
    origin: 'project',
    runsCode,
    within: root,
  });
  return [
    own(tenonHome, true),
    own(join(userHome, '.qwen'), false),
    own(join(userHome, '.gemini'), false),
    ofProject('.tenon', true),
    ofProject('.qwen', false),
    ofProject('.gemini', false),
  ];
}

/** Reads the extensions of all places. Nothing of them is run; never throws, what is wrong costs that extension alone. */
export async function findExtensions(places: ExtensionPlaces): Promise<FoundExtensions> {
  const found: FoundExtension[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const home of extensionHomes(places)) {
    const real = canonicalPath(home.folder);
    // Started in the home folder, both are the same; then they are the person's own.
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    if (home.within !== undefined && !isWithin(real, home.within)) {
      problems.push(`${home.folder} is left out: it leads out of the project.`);
      continue;
    }
    for (const name of await namesIn(home, problems)) {
      const read = await readExtension(join(home.folder, name), { home, workspace: places.root });
      if (read === undefined) continue;
      if ('problem' in read) problems.push(read.problem);
      else found.push(read);
    }
  }
  return { found, problems };
}

/** Names of folders, in order. */
async function namesIn(home: ExtensionHome, problems: string[]): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    let entries = 0;
    for await (const entry of await opendir(home.folder)) {
      entries += 1;
      if (entries > MOST_ENTRIES) break;
      if (!entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink())) names.push(entry.name);
    }
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      problems.push(`${home.folder} cannot be read: ${errorMessage(thrown)}`);
  }
  if (names.length > MOST_EXTENSIONS)
    problems.push(`${home.folder} holds more than ${MOST_EXTENSIONS} extensions; the rest is left out.`);
  return names.toSorted().slice(0, MOST_EXTENSIONS);
}

/** One extension; or a sentence that says why it is none; undefined for a folder of another agent that is none. */
export async function readExtension(
  folder: string,
  { home, workspace }: { readonly home: ExtensionHome; readonly workspace: string },
): Promise<FoundExtension | { readonly problem: string } | undefined> {
  const none = (why: string) => ({ problem: `${clean(folder)} is no extension: ${why}.` });
  const real = canonicalPath(folder);
  if (real === undefined) return none('it is a link that leads nowhere');
  if (!isFolder(real)) return home.runsCode ? none('it is no folder') : undefined;
  const name = folder.slice(folder.lastIndexOf(sep) + 1);
  if (!EXTENSION_NAME.test(name))
    return none('its folder\u2019s name is not made of 1 to 64 letters, digits, ".", "_" and "-"');
  if (home.within !== undefined && !isWithin(real, home.within)) return none('it leads out of the project');
  const manifest = MANIFESTS.find(({ file }) => lstatSync(join(real, file), { throwIfNoEntry: false }) !== undefined);
  if (manifest === undefined) return home.runsCode ? none(`it has no ${MANIFESTS[0].file}`) : undefined;
  const file = canonicalPath(join(real, manifest.file));
  if (file === undefined || !isWithin(file, real)) return none('its manifest is a link that leads out of it');
  const tree = await readSettingsTree(file);
  if (tree === undefined) return none('its manifest is gone');
  if ('problem' in tree) return none(tree.problem.replace(/\.$/, ''));
  const place = { folder: real, workspace };
  const read = readManifest(tree.value, place);
  if ('problem' in read) return none(read.problem);
  const notes = [...read.notes];
  const parts = partsOf(real, read.folders, notes);
  const hooks = await hooksOf(real, { home, workspace, notes });
  const names = read.contextFileNames ?? [manifest.context];
  const contextFiles = names.filter((each) => isThere(join(real, each)));
  if (read.contextFileNames !== undefined)
    notes.push(...names.filter((each) => !contextFiles.includes(each)).map((each) => `${clean(each)} is not there.`));
  return {
    ...read,
    notes,
    home,
    folder,
    real,
    kind: manifest.kind,
    manifest: manifest.file,
    digest: tree.digest,
    parts,
    ...(hooks !== undefined && { hooks }),
    contextFiles,
  };
}

function partsOf(real: string, folders: FoundExtension['folders'], notes: string[]): FoundExtension['parts'] {
  const there = PARTS.flatMap((part) => {
    const named = part === 'tools' ? undefined : folders[part];
    const found = (named ?? [part]).flatMap((name) => {
      const folder = canonicalPath(join(real, name));
      if (folder !== undefined && isFolder(folder)) return [{ name, folder }];
      if (named !== undefined) notes.push(`${clean(name)} is not there.`);
      return [];
    });
    const within = found.filter(({ folder }) => isWithin(folder, real));
    notes.push(
      ...found
        .filter(({ folder }) => !isWithin(folder, real))
        .map(({ name }) => `Its ${part} are left out: ${clean(name)} leads out of the extension.`),
    );
    const [first, second] = within;
    if (first !== undefined && second !== undefined) notes.push(`Of its ${part}, ${clean(first.name)} alone is read.`);
    return first === undefined ? [] : [[part, first.folder] as const];
  });
  return Object.fromEntries(there);
}

interface HooksPlace {
  readonly home: ExtensionHome;
  readonly workspace: string;
  readonly notes: string[];
}

async function hooksOf(real: string, { home, workspace, notes }: HooksPlace): Promise<ExtensionHooks | undefined> {
  const file = canonicalPath(join(real, HOOKS_FILE));
  if (file === undefined) return undefined;
  if (!isWithin(file, real)) {
    notes.push('Its hooks are left out: hooks/hooks.json leads out of the extension.');
    return undefined;
  }
  const read = await readSettingsTree(file);
  if (read === undefined) return undefined;
  if ('problem' in read) {
    notes.push(`Its hooks are left out: ${read.problem}`);
    return undefined;
  }
  const value = isObject(read.value) && read.value['disableAllHooks'] !== true ? read.value['hooks'] : undefined;
  if (value === undefined) return undefined;
  // A project's are bound to their content by paths below it.
  const below = home.within === undefined ? undefined : relative(home.within, real).split(sep).join('/');
  if (below !== undefined && !/^[\w./-]+$/.test(below)) {
    notes.push('Its hooks are left out: it lies in a folder whose name a shell would take apart.');
    return undefined;
  }
  return { value: fillHooks(value, { folder: real, workspace, below }), digest: read.digest };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function clean(text: string): string {
  return cleanText(text, { strict: true }).text;
}
