import { join } from 'node:path';
import { MAIN_AGENT } from '../effects/call-context.js';
import type { IgnoreRules } from '../files/ignore-rules.js';
import { canonicalPath } from '../util/real-path.js';
import { isWithin } from '../util/paths-below.js';
import { contextNames, SAVED_NAME, type ContextNames } from './context-names.js';
import { contextPlaces, placesDownTo, type ContextExtension } from './context-places.js';
import { ContextReader } from './context-reader.js';
import { fitBudget, type Fitted } from './fit-budget.js';
import { gatherContext } from './gather-context.js';
import { memoryNote, memorySection } from './memory-section.js';
import type {
  ContextFile,
  ContextPlace,
  GatheredContext,
  MemoryNotice,
  MemoryOverview,
  MemoryScope,
  MemoryStore,
  OverviewFile,
  SavePlace,
} from './memory-types.js';
import { describeFound, describeNews } from './memory-words.js';

/** Bytes of context files that go with every request, unless `context.maxMemoryBytes` says otherwise. */
export const MAX_MEMORY_BYTES = 32 * 1024;

/** What a person decides about context files. */
export interface MemorySettings {
  /** `context.fileNames`. */
  readonly fileNames?: readonly string[];
  /** `context.maxMemoryBytes`. */
  readonly maxBytes?: number;
  /** The person trusts the folder: what its files say is told as instructions, not as information. Default false. */
  readonly isTrusted?: boolean;
  /** Extensions in use that bring context files. */
  readonly extensions?: readonly ContextExtension[];
}

export interface MemoryOptions extends MemorySettings {
  /** Canonical; the first is where facts of the project are saved. */
  readonly roots: readonly string[];
  readonly tempDir: string;
  /** Tenon's own folder, where facts for all projects are saved. Undefined: there are none. */
  readonly home: string | undefined;
  readonly userHome: string | undefined;
  /** `.qwenignore` of the roots. */
  readonly ignore: IgnoreRules;
  /** True for a canonical path that rules keep from being read. */
  readonly isWithheld: (path: string) => boolean;
  /** True for a canonical folder that git ignores: what lies there is not the project's own. */
  readonly isForeignFolder: (path: string) => boolean;
  /** Variables that hold secrets, among others. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `global`: made when it is first needed. */
  readonly stores: { readonly project: MemoryStore; readonly global: () => MemoryStore };
}

/** What one agent has been told of folders, and what waits for it. */
interface FolderNotes {
  /** Folders below the roots that were touched, and what was told of each. */
  told: Map<string, readonly ContextFile[]>;
  waiting: Map<string, ContextPlace>;
  notes: string[];
}

const NOTHING: GatheredContext = { files: [], leftOut: [] };
/** Folders that wait to be looked into; of more the rest waits for its next touch. */
const MOST_WAITING = 256;

/**
 * What is remembered across sessions: the context files of the user and of the project, read anew before each prompt, and
 * those of folders once a file in them was read or changed.
 */
export class Memory {
  readonly isTrusted: boolean;
  readonly maxBytes: number;
  /** What a saved fact must not hold. */
  readonly environment: MemoryOptions['environment'];
  readonly #options: MemoryOptions;
  readonly #names: ContextNames;
  readonly #reader: ContextReader;
  #gathered: GatheredContext = NOTHING;
  #fitted: Fitted = { text: '', shown: [] };
  #isFirst = true;
  /** By agent: each has a conversation of its own. */
  readonly #folders = new Map<string, FolderNotes>();
  #globalStore: MemoryStore | undefined;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.isTrusted = options.isTrusted === true;
    this.maxBytes = options.maxBytes ?? MAX_MEMORY_BYTES;
    this.environment = options.environment;
    this.#names = contextNames(options.fileNames);
    this.#reader = new ContextReader(options);
  }

  /** A part of the system prompt; the same text until `refresh` finds other files. Empty for nothing. */
  section(): string {
    return this.#fitted.text;
  }

  /**
   * Reads all context files anew: before each prompt. What is other than before is what the model is told from the next
   * request on. Returns what the person should know: at first what is told, later what changed.
   */
  async refresh(): Promise<readonly MemoryNotice[]> {
    const before = this.#gathered;
    await this.#gather();
    for (const folders of this.#folders.values()) await this.#refreshFolders(folders);
    const { files, leftOut } = this.#gathered;
    if (!this.#isFirst) return describeNews(before, this.#gathered);
    this.#isFirst = false;
    const problems = this.#names.problems.map((text): MemoryNotice => ({ level: 'warning', text }));
    return [...problems, ...describeFound({ files, leftOut, shown: this.#fitted.shown, isTrusted: this.isTrusted })];
  }

  /**
   * A file was read or changed by a tool of that agent. Cheap: the folders are looked into later. What no agent did is told
   * the one that talks with the person. @param path canonical
   */
  noteTouched(path: string, agent = MAIN_AGENT): void {
    const { told, waiting } = this.#foldersOf(agent);
    for (const place of placesDownTo(path, this.#options.roots)) {
      if (waiting.size >= MOST_WAITING) return;
      if (!told.has(place.folder)) waiting.set(place.folder, place);
    }
  }

  /** Passes the events of a batch of calls on; at its end the context files of the folders that it touched are known. */
  async *follow<T>(events: AsyncIterable<T>, agent = MAIN_AGENT): AsyncGenerator<T> {
    yield* events;
    await this.learnTouched(agent);
  }

  /** Looks for context files in folders that were touched; what is found waits for `takeNote`. */
  async learnTouched(agent = MAIN_AGENT): Promise<void> {
    const folders = this.#foldersOf(agent);
    const { told } = folders;
    const places = [...folders.waiting.values()].filter(({ folder }) => !told.has(folder));
    folders.waiting = new Map();
    if (places.length === 0) return;
    const own = places.filter(({ folder }) => !this.#options.isForeignFolder(folder));
    for (const { folder } of places) told.set(folder, []);
    const known = new Set([...this.#gathered.files, ...[...told.values()].flat()].map(({ path }) => realOf(path)));
    const { files } = await this.#read(own, known);
    for (const { folder } of own)
      told.set(
        folder,
        files.filter((file) => placeOf(file, own) === folder),
      );
    this.#addNote(folders, files);
  }

  /** What folders that were touched say, for the model; undefined for nothing new. */
  takeNote(agent = MAIN_AGENT): string | undefined {
    const folders = this.#foldersOf(agent);
    const { notes } = folders;
    folders.notes = [];
    return notes.length === 0 ? undefined : notes.join('\n');
  }

  /** What was told in notes is no longer before the model's eyes: it is told again when its folder is touched. */
  forgetNotes(agent = MAIN_AGENT): void {
    this.#foldersOf(agent).told = new Map();
  }

  /** That agent is no more. */
  forgetAgent(agent: string): void {
    this.#folders.delete(agent);
  }

  /** Where facts of that scope are saved; undefined where there is no such place. */
  savePlace(scope: MemoryScope): SavePlace | undefined {
    const { roots, home, stores } = this.#options;
    if (scope === 'project') {
      const [root] = roots;
      return root === undefined ? undefined : { ...stores.project, file: join(root, this.#names.saved) };
    }
    if (home === undefined) return undefined;
    this.#globalStore ??= stores.global();
    return { ...this.#globalStore, file: join(home, SAVED_NAME) };
  }

  /** The context files as they were last read, except one. */
  otherFiles(path: string): readonly ContextFile[] {
    const real = realOf(path);
    return this.#gathered.files.filter((file) => realOf(file.path) !== real);
  }

  /** Read anew. */
  async overview(): Promise<MemoryOverview> {
    await this.#gather();
    const { roots, home } = this.#options;
    const global = home === undefined ? {} : { global: join(home, SAVED_NAME) };
    return {
      files: this.#fitted.shown.map(overviewOf),
      leftOut: this.#gathered.leftOut,
      usedBytes: Buffer.byteLength(this.#fitted.text),
      maxBytes: this.maxBytes,
      isTrusted: this.isTrusted,
      fileNames: this.#names.names,
      saved: { project: join(roots[0] ?? '', this.#names.saved), ...global },
    };
  }

  async #gather(): Promise<void> {
    this.#gathered = await this.#read(contextPlaces(this.#options));
    const { files } = this.#gathered;
    const { isTrusted, maxBytes } = this;
    this.#fitted = fitBudget({ files, maxBytes, isTrusted, render: memorySection });
  }

  #read(places: readonly ContextPlace[], known?: ReadonlySet<string>): Promise<GatheredContext> {
    const read = this.#reader.read.bind(this.#reader);
    const { userHome } = this.#options;
    return gatherContext({ places, names: this.#names, userHome, read, ...(known === undefined ? {} : { known }) });
  }

  /** Files of folders that are other than they were told are told again. */
  async #refreshFolders(folders: FolderNotes): Promise<void> {
    const told = [...folders.told].filter(([, files]) => files.length > 0);
    if (told.length === 0) return;
    const places = told.flatMap(([folder]) => placesDownTo(join(folder, '_'), this.#options.roots).slice(-1));
    const { files } = await this.#read(places, new Set(this.#gathered.files.map(({ path }) => realOf(path))));
    const old = new Map(told.flatMap(([, each]) => each.map(({ path, text }) => [path, text] as const)));
    for (const [folder] of told)
      folders.told.set(
        folder,
        files.filter((file) => placeOf(file, places) === folder),
      );
    this.#addNote(
      folders,
      files.filter(({ path, text }) => old.get(path) !== text),
    );
  }

  #foldersOf(agent: string): FolderNotes {
    const known = this.#folders.get(agent);
    if (known !== undefined) return known;
    const folders: FolderNotes = { told: new Map(), waiting: new Map(), notes: [] };
    this.#folders.set(agent, folders);
    return folders;
  }

  #addNote(folders: FolderNotes, files: readonly ContextFile[]): void {
    const { isTrusted, maxBytes } = this;
    const { text } = fitBudget({ files, maxBytes, isTrusted, render: memoryNote });
    if (text !== '') folders.notes.push(text);
  }
}

function overviewOf({ file: { path, role, bytes, importedBy }, as: shown }: Fitted['shown'][number]): OverviewFile {
  return { path, role, bytes, ...(importedBy === undefined ? {} : { importedBy }), shown };
}

/** The innermost of the folders in which the file lies, or the file that imports it. */
function placeOf(file: ContextFile, places: readonly ContextPlace[]): string | undefined {
  const from = file.importedBy ?? file.path;
  return places
    .map(({ folder }) => folder)
    .filter((folder) => isWithin(from, folder))
    .toSorted((one, other) => other.length - one.length)
    .at(0);
}

function realOf(path: string): string {
  return canonicalPath(path) ?? path;
}
