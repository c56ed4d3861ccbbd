import { dirname, resolve } from 'node:path';
import type { Effect, FetchEffect, PathEffect, RunEffect, Zone } from '../effects/effect.js';
import { analyseCommand, type CommandAnalysis } from './analyse-command.js';
import { ENDLESS_DEVICE, takesPart } from './endless-devices.js';
import type { PathUse } from './program-facts.js';
import { judgeProgram } from './programs/judge-program.js';
import type { ProgramSurroundings } from './programs/program-row.js';
import { openedFrom } from './walk/reach.js';
import type { CommandUse, FileUse } from './walk/walk-record.js';
import { asPattern, countedList, matchNames, type ListNames } from './words/match-names.js';
import { exactText, shownText, type ShellWord } from './words/shell-word.js';

/** Where a text runs. */
export type CommandPlace = Pick<RunEffect, 'directory' | 'zone'>;

/** What the analysis asks about the machine. Every answer may only raise. */
export interface CommandSurroundings extends ProgramSurroundings {
  /** Where an absolute path really leads, links followed. */
  readonly resolve: (path: string) => { readonly path: string; readonly zone: Zone; readonly hasOtherNames?: true };
  /** What `~` stands for. */
  readonly home?: string;
  /** The names in a folder; none where it is no folder; undefined when they cannot be told. */
  readonly list?: ListNames;
  /** Why a path, or (with `isTree`) something below it, must not be touched unasked although it lies in the workspace. */
  readonly refuse?: (path: string, isTree: boolean) => string | undefined;
}

/**
 * The effects of a shell text: one `run` for each command in it, each path and host that commands are known to touch,
 * and one `unknown` for each reason that more may happen. Nothing is called read-only or stated in a text that was not
 * understood whole, since one part can change what another means. Never without a `run`: where no command was
 * found, it is the shell with the whole text.
 */
export function commandEffects(text: string, place: CommandPlace, given: CommandSurroundings): Effect[] {
  const { home } = given;
  const surroundings = given.list === undefined ? given : { ...given, list: countedList(given.list) };
  const analysis = analyseCommand(text, {
    directory: place.directory,
    home,
    judge: (call) => judgeProgram(call, surroundings),
    list: surroundings.list,
  });
  const builder = new EffectBuilder(place, surroundings, analysis);
  for (const file of analysis.files) builder.addFile(file);
  for (const command of analysis.commands) builder.addTouched(command);
  builder.followLinks();
  const runs = analysis.commands.flatMap((command) => builder.runsOf(command));
  const whole: RunEffect = { kind: 'run', command: text, argv: ['bash', '-c', text], ...place, readOnly: false };
  const [first = whole, ...others] = runs.map(({ run }) => run);
  const more = [...others, ...builder.unknown(analysis.commands), ...builder.stated(runs)];
  const isAll = more.length === 0 && first.command === text;
  return [isAll ? first : { ...first, whole: { text, directory: place.directory } }, ...more];
}

interface Touched {
  readonly effect: PathEffect | FetchEffect;
  /** The words of the command that does it, and where. */
  readonly by: number | undefined;
}

const LONGEST_PART = 60;
/** More paths than these are not stated. */
const MOST_PATHS = 1_000;
/** Nothing is lost in them, and nothing comes out of them that belongs to anybody. */
const NOBODYS_FILE = /^\/dev\/(?:null|zero|full|random|urandom|tty|std(?:in|out|err)|fd\/\d+)$/;

/** The name of a descriptor opens the file behind it once more, to be written from its beginning. */
const DESCRIPTOR = /^\/dev\/(?:std(?:in|out|err)|fd\/\d+)$/;
/** Where nobody put a file there, these are what the shell itself was given, and the pipe of `>(…)`. */
const OUTPUT = /^\/dev\/(?:stdout|stderr|fd\/(?:1|2|63))$/;

function mayMakeFiles({ facts }: CommandUse): boolean {
  return !facts.isComplete || facts.paths.some(makesFile);
}

function makesFile({ kind, word }: PathUse): boolean {
  return kind === 'write' && !NOBODYS_FILE.test(exactText(word) ?? '');
}

/** Of one that makes files: surely none in whose place a wildcard would be an option. */
function makesPlainNames(maker: CommandUse | undefined, files: readonly FileUse[]): boolean {
  const paths = maker === undefined ? files.map(({ path }) => path) : maker.facts.paths;
  const isPlain = ({ kind, word, tree }: PathUse): boolean =>
    kind !== 'write' || (tree !== true && /(?:^|\/)[\w.][^/=]*$/.test(exactText(word) ?? ''));
  return maker?.facts.isComplete !== false && paths.every(isPlain);
}

class EffectBuilder {
  readonly #place: CommandPlace;
  readonly #surroundings: CommandSurroundings;
  readonly #unknown: Set<string>;
  /** Reasons about paths that are kept from the agent, whoever approves the text. */
  readonly #refused = new Set<string>();
  /** Commands that may make names that are not there yet; redirections as undefined. */
  readonly #makers: readonly (CommandUse | undefined)[];
  /** Of them, those that may make names which programs take for options. */
  readonly #strangeMakers: readonly (CommandUse | undefined)[];
  /** A descriptor that may be one of output stands for a file to be read. */
  readonly #hasStrangeOutput: boolean;
  /** True if a command takes a part of what is read. */
  readonly #takesPart: boolean;
  readonly #touched: Touched[] = [];
  readonly #seen = new Set<string>();
  /** Short names for long keys. */
  readonly #keys = new Map<string, number>();
  readonly #links: { readonly path: string; readonly by: number | undefined }[] = [];

  constructor(place: CommandPlace, surroundings: CommandSurroundings, { unknown, commands, files }: CommandAnalysis) {
    this.#place = place;
    this.#surroundings = surroundings;
    this.#unknown = new Set(unknown);
    const writes = files.some(({ path }) => makesFile(path));
    this.#hasStrangeOutput = files.some(({ path, descriptor = 0 }) => path.kind === 'read' && descriptor > 0);
    this.#takesPart = commands.some(({ words }) => takesPart(words.map(shownText)));
    this.#makers = [...commands.filter(mayMakeFiles), ...(writes ? [undefined] : [])];
    this.#strangeMakers = this.#makers.filter((maker) => !makesPlainNames(maker, files));
  }

  /** What the shell opens is no part of what a rule on the command speaks of. */
  addFile({ path, folders }: FileUse): void {
    this.#touch(path, { folders, by: undefined, mayHaveMore: this.#makers.some((maker) => maker !== undefined) });
  }

  addTouched(command: CommandUse): void {
    const { facts, folders, words } = command;
    const mayHaveMore = this.#makers.some((maker) => maker !== command);
    if (folders === undefined) this.#unknown.add('a folder that is not certain');
    if (words.some(({ isNoOption }) => isNoOption) && this.#strangeMakers.some((maker) => maker !== command))
      this.#unknown.add('names that another command may make, which may be options');
    const argv = words.map(shownText);
    // Names are read to put them in the place of a wildcard, whatever the command does with them.
    const named = new Set(facts.paths.map(({ word }) => word));
    const wildcards = words.filter((word) => word.wildcardAt !== undefined && !named.has(word));
    const paths = [...facts.paths, ...wildcards.map((word): PathUse => ({ kind: 'read', word }))];
    for (const folder of folders ?? [undefined]) {
      const by = this.#keyOf(argv, folder ?? this.#place.directory);
      for (const path of paths)
        this.#touch(path, { folders: folder === undefined ? undefined : [folder], by, mayHaveMore });
    }
    const [first = this.#place.directory] = folders ?? [];
    const by = facts.addresses.length > 0 ? this.#keyOf(argv, first) : 0;
    for (const word of facts.addresses) this.#reach(word, by);
  }

  /** What one command may turn into a link is no certain path for another one. */
  followLinks(): void {
    for (const link of this.#links) {
      const isBehind = ({ effect, by }: Touched): boolean =>
        effect.kind !== 'fetch' && by !== link.by && `${effect.requested}/`.startsWith(`${link.path}/`);
      if (this.#touched.some(isBehind)) this.#unknown.add('a path that another command may turn into a link');
    }
  }

  /** To be asked when everything was added. */
  runsOf({ text, words, folders = [this.#place.directory], facts, keepsRules }: CommandUse): KeyedRun[] {
    const isStated = this.#unknown.size + this.#refused.size === 0 && facts.isComplete;
    const onlyReads = facts.addresses.length === 0 && facts.paths.every(({ kind }) => kind === 'read');
    const argv = words.map(shownText);
    return folders.map((folder) => ({
      key: this.#keyOf(argv, folder),
      run: {
        kind: 'run',
        command: text,
        argv,
        ...this.#placeOf(folder),
        readOnly: isStated && onlyReads,
        ...(isStated && { isStated }),
        ...(keepsRules === true && { keepsRules }),
      },
    }));
  }

  /** Returns the unknown effects of the whole text, and those of single commands that rules on these commands may answer. */
  unknown(commands: readonly CommandUse[]): Effect[] {
    const ofText = Array.from(this.#unknown, (reason): Effect => ({ kind: 'unknown', reason, isOfText: true }));
    const ofCommands = commands.flatMap((command): Effect[] => {
      const { unlessSpelled } = command.facts;
      if (unlessSpelled === undefined) return [];
      const { reason, words } = unlessSpelled;
      const ofCommand = { kind: 'unknown', reason, isOfText: true, spelledOut: words } as const;
      return this.runsOf(command).map(({ run }) => ({ ...ofCommand, by: run }));
    });
    const refused = Array.from(this.#refused, (reason): Effect => ({ kind: 'unknown', reason }));
    return [...ofText, ...ofCommands, ...refused];
  }

  /** What is touched, each thing once, with the command that does it. */
  stated(runs: readonly KeyedRun[]): Effect[] {
    const byKey = new Map(runs.map(({ key, run }) => [key, run]));
    const effects = new Map<string, Effect>();
    for (const { effect, by: key } of this.#touched) {
      const by = key === undefined ? undefined : byKey.get(key);
      effects.set(JSON.stringify([effect, key]), by === undefined ? effect : { ...effect, by });
    }
    return [...effects.values()];
  }

  #keyOf(argv: readonly string[], folder: string): number {
    const text = JSON.stringify([folder, argv]);
    const key = this.#keys.get(text) ?? this.#keys.size;
    this.#keys.set(text, key);
    return key;
  }

  #placeOf(folder: string): CommandPlace {
    if (folder === this.#place.directory) return this.#place;
    const { path, zone } = this.#surroundings.resolve(folder);
    return { directory: path, zone };
  }

  #touch(use: PathUse, { folders, by, mayHaveMore }: TouchPlace): void {
    const base = use.from === undefined ? undefined : exactText(use.from);
    const from = use.from === undefined ? folders : base === undefined ? undefined : openedFrom(folders, base);
    const paths =
      from === undefined && !use.word.start.startsWith('/') ? undefined : this.#pathsOf(use, from ?? [], mayHaveMore);
    if (paths === undefined)
      this.#unknown.add(`a path that is not certain (\`${use.word.source.slice(0, LONGEST_PART)}\`)`);
    const unsure = paths === undefined ? { atWorstOf: use.word.source.slice(0, LONGEST_PART) } : {};
    for (const { opened, isTree } of paths ?? atWorst(use, from ?? [])) {
      const requested = resolve(opened);
      if (use.kind === 'write' && DESCRIPTOR.test(requested) && (this.#hasStrangeOutput || !OUTPUT.test(requested)))
        this.#unknown.add(`a descriptor that is opened again (\`${requested}\`)`);
      const isEndless = use.kind === 'read' && ENDLESS_DEVICE.test(opened) && !this.#takesPart;
      if ((NOBODYS_FILE.test(opened) && !isEndless) || !this.#isNew([use.kind, opened, isTree, use.mayBecomeLink, by]))
        continue;
      const { path, zone, hasOtherNames } = this.#surroundings.resolve(opened);
      const refused = zone === 'outside' ? undefined : this.#surroundings.refuse?.(path, isTree);
      if (refused !== undefined) this.#refused.add(refused);
      const scope = isTree ? { scope: 'tree' as const } : {};
      if (use.mayBecomeLink === true) this.#links.push({ path: requested, by });
      const others = use.kind === 'write' && hasOtherNames === true ? { hasOtherNames } : {};
      this.#touched.push({ by, effect: { kind: use.kind, path, requested, zone, ...others, ...scope, ...unsure } });
    }
  }

  /** As the system opens them, from each folder where the command may run; undefined when they cannot be told. */
  #pathsOf(
    { kind, word, tree }: PathUse,
    folders: readonly string[],
    mayHaveMore: boolean,
  ): readonly OpenedPath[] | undefined {
    const { text, wildcardAt, isAnyBelow, pattern } = word;
    if (text === undefined || text === '') return undefined;
    const isTree = tree === true || isAnyBelow === true;
    const opened = openedFrom(folders, text) ?? [];
    if (wildcardAt === undefined) return opened.map((path) => ({ opened: path, isTree }));
    const { list } = this.#surroundings;
    if (list === undefined || pattern === undefined) return undefined;
    const names: OpenedPath[] = [];
    for (const [index, path] of opened.entries()) {
      const folder = text.startsWith('/') ? '' : `${asPattern(folders[index] ?? '')}/`;
      const found = matchNames(folder + pattern, list);
      if (found === undefined) return undefined;
      // Where nothing matches, the word stands for itself.
      names.push(...(found.length > 0 ? found : [path]).map((each) => ({ opened: each, isTree })));
      // All that lies in it is as good as the folder itself.
      const all = kind === 'delete' ? /^(.*\/)?[*?]*\*[*?]*\/*$/s.exec(path) : null;
      const whole = all?.[1] === undefined ? undefined : resolve(all[1]);
      if (whole !== undefined && this.#isTop(whole)) names.push({ opened: whole, isTree: true });
      // A command of the same text may make more of them.
      if (mayHaveMore)
        names.push({ opened: folderBefore(path.slice(0, path.length - text.length + wildcardAt)), isTree: true });
    }
    return names;
  }

  /** A folder that lies in no other one of the workspace. */
  #isTop(folder: string): boolean {
    const { resolve: follow } = this.#surroundings;
    return follow(folder).zone === 'outside' || follow(dirname(folder)).zone === 'outside';
  }

  /** Counts as well: what is too much is doubted instead. */
  #isNew(parts: readonly unknown[]): boolean {
    const key = JSON.stringify(parts);
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= MOST_PATHS) {
      this.#unknown.add('more paths than can be looked at');
      return false;
    }
    this.#seen.add(key);
    return true;
  }

  #reach(word: ShellWord, by: number): void {
    const text = exactText(word);
    const url = text === undefined ? undefined : urlOf(text);
    if (url === undefined)
      this.#unknown.add(`an address that is not certain (\`${word.source.slice(0, LONGEST_PART)}\`)`);
    else this.#touched.push({ by, effect: { kind: 'fetch', host: url.hostname, url: url.href } });
  }
}

interface TouchPlace {
  readonly folders: readonly string[] | undefined;
  /** The key of the command; undefined: the shell itself. */
  readonly by: number | undefined;
  /** Other commands may make names that are not there yet. */
  readonly mayHaveMore: boolean;
}

interface OpenedPath {
  /** Absolute; `..` stands in it as it was written. */
  readonly opened: string;
  readonly isTree: boolean;
}

interface KeyedRun {
  readonly key: number;
  readonly run: RunEffect;
}

/** Of a delete of which nobody knows where it ends: all that it may hold. What ends in a certain name is one thing of that name. */
function atWorst({ kind, tree, word }: PathUse, folders: readonly string[]): readonly OpenedPath[] {
  const endsOpen = /(?:\$(?:\w+|[@*#?!$-])|[)}`*?])[/*?.]*$/.test(word.source.replaceAll(/["']/g, ''));
  if (kind !== 'delete' || tree !== true || !endsOpen) return [];
  const all = word.start === '' ? ['/'] : (openedFrom(folders, word.start) ?? []);
  return all.map((path) => ({ opened: folderBefore(path), isTree: true }));
}

function folderBefore(text: string): string {
  return dirname(`${text}x`);
}

/** As programs take it: a missing scheme is http. */
function urlOf(text: string): URL | undefined {
  try {
    const url = new URL(/^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    return url.hostname === '' ? undefined : url;
  } catch {
    return undefined;
  }
}
