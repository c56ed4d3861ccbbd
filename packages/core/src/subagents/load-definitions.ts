import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cleanText } from '../util/clean-text.js';
import type { ExtensionPlace } from '../util/extension-place.js';
import { systemErrorCode } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';
import { readDefinition } from './read-definition.js';
import type { AgentDefinition } from './subagent-types.js';

export interface DefinitionPlaces {
  /** Absolute. */
  readonly roots: readonly string[];
  readonly userHome: string;
  readonly tenonHome: string;
  /** The person trusts the folder: what its files describe may be used. */
  readonly isTrusted: boolean;
  /** Folders of extensions. */
  readonly extensions?: readonly ExtensionPlace[];
}

export interface LoadedDefinitions {
  /** Each name once; those of the project before those of the person. */
  readonly definitions: readonly AgentDefinition[];
  /** Files of a folder that nobody trusts: nothing of them was read. Absolute. */
  readonly withheld: readonly string[];
  /** What was found wrong, a sentence each. */
  readonly problems: readonly string[];
}

interface Place {
  readonly folder: string;
  readonly origin: 'user' | 'project';
  /** What the folder must really lie in; undefined for the person's own. */
  readonly within?: string;
  readonly extension?: string;
}

interface Found {
  readonly definitions: readonly AgentDefinition[];
  readonly withheld: readonly string[];
  readonly problems: readonly string[];
}

const MOST_FILES = 100;
/** With those below, of one place. */
const MOST_FOLDERS = 100;
const MOST_BYTES = 64 * 1024;
const MOST_PROBLEMS = 20;

/**
 * The kinds of agents that files describe, in the folders of Tenon, Qwen Code and Claude Code; of several with one name that
 * of Tenon's own folder counts, and the project's before the person's. Never throws. `builtIn`: names that a project may not take.
 */
export async function loadDefinitions(
  { roots, userHome, tenonHome, isTrusted, extensions = [] }: DefinitionPlaces,
  builtIn: readonly string[],
): Promise<LoadedDefinitions> {
  const ofProject = roots.flatMap((root) =>
    ['.tenon', '.qwen', '.claude'].map((name): Place => ({
      folder: join(root, name, 'agents'),
      origin: 'project',
      within: root,
    })),
  );
  const ofPerson = [tenonHome, join(userHome, '.qwen'), join(userHome, '.claude')].map((folder): Place => ({
    folder: join(folder, 'agents'),
    origin: 'user',
  }));
  // Where the workspace is the home itself, its folders are the person's own.
  const personal = new Set(ofPerson.map(({ folder }) => folder));
  const places = [...ofProject.filter(({ folder }) => !personal.has(folder)), ...ofPerson, ...extensions];
  const found = await Promise.all(places.map(async (place) => readPlace(place, isTrusted)));
  const { definitions, problems } = oneOfEach(
    found.flatMap((each) => each.definitions),
    new Set(builtIn),
  );
  const all = [...found.flatMap((each) => each.problems), ...problems];
  return {
    definitions,
    withheld: found.flatMap(({ withheld }) => withheld),
    problems:
      all.length <= MOST_PROBLEMS
        ? all
        : [...all.slice(0, MOST_PROBLEMS), `${all.length - MOST_PROBLEMS} more files of agents have problems.`],
  };
}

function oneOfEach(
  all: readonly AgentDefinition[],
  builtIn: ReadonlySet<string>,
): { readonly definitions: readonly AgentDefinition[]; readonly problems: readonly string[] } {
  const byName = new Map<string, AgentDefinition>();
  const problems: string[] = [];
  for (const definition of all) {
    const { name, origin, extension, file = '' } = definition;
    const first = byName.get(name);
    if ((origin === 'project' || extension !== undefined) && builtIn.has(name)) {
      const who = extension === undefined ? 'a project' : 'an extension';
      problems.push(`${file} is not used: ${who} may not take the place of the built-in agent ${name}.`);
    } else if (first === undefined) byName.set(name, definition);
    else problems.push(`${file} is not used: ${first.file ?? ''} describes an agent of the same name.`);
  }
  return { definitions: [...byName.values()], problems };
}

async function readPlace({ folder, origin, within, extension }: Place, isTrusted: boolean): Promise<Found> {
  const nothing = { definitions: [], withheld: [], problems: [] };
  try {
    const real = await realpath(folder);
    if (within !== undefined && !isWithin(real, await realpath(within)))
      return { ...nothing, problems: [`${folder} is not used: it leads out of ${within}.`] };
    const names = await namesBelow(real);
    const files = names.slice(0, MOST_FILES);
    if (origin === 'project' && !isTrusted) return { ...nothing, withheld: files.map((name) => join(folder, name)) };
    const tooMany =
      names.length > MOST_FILES ? [`${folder} has more than ${MOST_FILES} agents; the rest is not used.`] : [];
    const read = await Promise.all(files.map(async (name) => readFile({ folder, real, name, origin })));
    return {
      ...nothing,
      definitions: read.flatMap(({ definition }) =>
        definition === undefined ? [] : [{ ...definition, ...(extension !== undefined && { extension }) }],
      ),
      problems: [...tooMany, ...read.flatMap(({ problems }) => problems)],
    };
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return nothing;
    return { ...nothing, problems: [`${folder} cannot be read: ${code ?? 'unknown error'}.`] };
  }
}

/** Files in it and below, relative to it; those of a folder before what lies deeper. A few more than are used, at most. */
async function namesBelow(top: string): Promise<string[]> {
  const names: string[] = [];
  const folders = [''];
  // The list grows while it is read.
  for (const [index, folder] of folders.entries()) {
    if (names.length > MOST_FILES) break;
    const reading = readdir(join(top, folder), { withFileTypes: true });
    const entries = await (index === 0 ? reading : reading.catch((): Dirent[] => []));
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (isAgentFile(entry.name) && (entry.isFile() || entry.isSymbolicLink())) names.push(path);
      if (entry.isDirectory() && !isSkipped(entry.name) && folders.length < MOST_FOLDERS) folders.push(path);
    }
  }
  return names;
}

/** Collections of agents say in such a file what they are. */
function isAgentFile(name: string): boolean {
  return name.endsWith('.md') && name.toLowerCase() !== 'readme.md';
}

function isSkipped(folder: string): boolean {
  return folder.startsWith('.') || folder === 'node_modules';
}

interface AgentFile {
  readonly folder: string;
  /** Canonical. */
  readonly real: string;
  /** Relative to it. */
  readonly name: string;
  readonly origin: 'user' | 'project';
}

async function readFile({ folder, real, name, origin }: AgentFile): ReturnType<typeof readDefinition> {
  const file = join(folder, cleanText(name, { strict: true }).text);
  const refused = (why: string) => ({ problems: [`${file} is not used: ${why}.`] });
  try {
    const target = await realpath(join(real, name));
    if (!isWithin(target, real)) return refused('it is a link that leads out of its folder');
    // Nothing waits for whoever would write into a pipe.
    const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile()) return refused('it is no file');
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
      if (bytesRead > MOST_BYTES) return refused(`it is larger than ${MOST_BYTES / 1024} KiB`);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) return refused('it is no text');
      return await readDefinition(bytes.toString('utf8'), { file, origin, baseName: basename(name, '.md') });
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    return refused(`it cannot be read (${systemErrorCode(thrown) ?? 'unknown error'})`);
  }
}
