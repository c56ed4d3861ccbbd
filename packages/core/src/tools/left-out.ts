import { readlinkSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { ReadFilter, ReadPlace, Withheld, WithheldBy } from '../effects/withheld.js';
import { systemPath } from '../files/escaped-bytes.js';
import type { ToolRuntime } from '../runtime.js';
import { count, onOneLine, shortened } from '../search/report/search-text.js';
import { absoluteBelow, withSeparator } from '../util/paths-below.js';

const LONGEST_RULE = 200;
const MOST_RULES = 5;

/** What one rule kept from being read. */
export interface LeftOutByRule {
  readonly list: WithheldBy['list'];
  readonly rule: string;
  readonly origin: string;
  readonly files: number;
  /** Each with all that lies in it. */
  readonly folders: number;
}

/** Absolute paths: what is met twice counts once. */
interface Account {
  readonly by: WithheldBy;
  readonly files: Set<string>;
  readonly folders: Set<string>;
}

/** What a call names below a place. */
interface NamedFiles {
  /** Absolute. */
  readonly place: string;
  /** Absolute, or relative to the place; undefined where files are not named one by one. */
  readonly names: readonly string[] | undefined;
}

/** What rules keep one call from reading below its places, and what of it was met. */
export class LeftOut {
  readonly #config: ToolRuntime;
  readonly #toolName: string;
  readonly #accounts = new Map<string, Account>();
  /** Canonical, and as they were asked for. */
  readonly #named = new Set<string>();
  /** Folders on the way to them. */
  readonly #above = new Set<string>();

  constructor(config: ToolRuntime, toolName: string) {
    this.#config = config;
    this.#toolName = toolName;
  }

  /** The rules are known, so that effects may say that what they speak of is left out. */
  get isKnown(): boolean {
    return this.#config.getReadRules() !== undefined;
  }

  /** For the tree of a place; undefined where everything may be read. */
  filterAt(place: ReadPlace): ReadFilter | undefined {
    const withheld = this.#config.getReadRules()?.below(this.#toolName, place);
    if (withheld === undefined) return undefined;
    const leadsTo = (path: string): string => this.#realPath(path);
    const judge = { place, withheld, answered: { files: this.#named, folders: this.#above }, leadsTo };
    return new FolderFilter(judge, (by, kind, path) => this.#accountOf(by)[kind].add(path));
  }

  /** The same for two calls only when the same is left out of these places, absolute paths. */
  keyOf(places: readonly string[]): string {
    const rules = this.#config.getReadRules();
    return places.map((path) => rules?.below(this.#toolName, { path, requested: path })?.key ?? '').join('\n');
  }

  /**
   * Files that a call names by its globs, where all that it names below a place would be left out: naming them is asking
   * for them, so they are effects of their own, and are not left out. Forgets what was asked for before.
   */
  askedFor(wishes: readonly NamedFiles[]): readonly string[] {
    this.#named.clear();
    this.#above.clear();
    if (!this.isKnown) return [];
    const gate = this.#config.getWorkspaceGate();
    const asked = wishes.flatMap(({ place: path, names }) => {
      if (names === undefined) return [];
      const place = gate.resolve(path);
      return place.kind === 'directory' ? this.#askedAt(place, names) : [];
    });
    for (const path of asked) for (const each of [path, this.#realPath(path)]) this.#name(each);
    return asked;
  }

  #name(path: string): void {
    this.#named.add(path);
    for (let folder = dirname(path); !this.#above.has(folder); folder = dirname(folder)) this.#above.add(folder);
  }

  #askedAt(place: ReadPlace, names: readonly string[]): readonly string[] {
    const start = withSeparator(place.requested);
    const below = names.flatMap((name) => {
      if (!isAbsolute(name)) return [name];
      return name.startsWith(start) ? [name.slice(start.length)] : [];
    });
    const filter = this.filterAt(place)?.silent;
    if (filter === undefined || below.some((name) => filter.allowsLink(name))) return [];
    return below.map((name) => absoluteBelow(place.requested, name));
  }

  counts(): readonly LeftOutByRule[] {
    const counts = Array.from(this.#accounts.values(), ({ by, files, folders }): LeftOutByRule => {
      return { list: by.list, rule: by.text, origin: by.origin, files: files.size, folders: folders.size };
    });
    // The same order whatever was met first.
    const keyOf = ({ list, rule, origin }: LeftOutByRule): string =>
      JSON.stringify([list === 'deny' ? 0 : 1, rule, origin]);
    return counts.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** `3 files denied by rule Read(.env) (user settings)`, one phrase for each rule. */
  phrases(): readonly string[] {
    const counts = this.counts();
    const more = counts.length - MOST_RULES;
    const rest = more > 0 ? [`others by ${count(more, 'more rule')}`] : [];
    return [...counts.slice(0, MOST_RULES).map(phraseOf), ...rest];
  }

  /** For the end of an answer; empty when nothing was left out. */
  line(): string {
    const phrases = this.phrases();
    return phrases.length === 0 ? '' : `(Left out by rules: ${phrases.join('; ')}.)`;
  }

  #accountOf(by: WithheldBy): Account {
    const key = JSON.stringify([by.list, by.text, by.origin]);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account = { by, files: new Set<string>(), folders: new Set<string>() };
    this.#accounts.set(key, account);
    return account;
  }

  /** What the gate refuses is not looked at: what the link says is all that is known of it. */
  #realPath(path: string): string {
    const gate = this.#config.getWorkspaceGate();
    if (gate.check(path) === null) return gate.resolve(path).path;
    try {
      return resolve(dirname(path), readlinkSync(systemPath(path)));
    } catch {
      return path;
    }
  }
}

function phraseOf({ list, rule, origin, files, folders }: LeftOutByRule): string {
  const parts = [files === 0 ? '' : count(files, 'file'), folders === 0 ? '' : count(folders, 'folder')];
  const what = parts.filter((part) => part !== '').join(' and ');
  const by = `rule ${onOneLine(shortened(rule, LONGEST_RULE))} (${onOneLine(shortened(origin, LONGEST_RULE))})`;
  if (list === 'deny') return `${what} denied by ${by}`;
  const one = files + folders === 1;
  return `${what} that ${by} asks about: give ${one ? 'its own path' : 'the path of one'} and the user is asked`;
}

interface Judge {
  readonly place: ReadPlace;
  readonly withheld: Withheld;
  /** Paths that were judged by themselves. */
  readonly answered: Readonly<Record<Kind, ReadonlySet<string>>>;
  readonly leadsTo: (path: string) => string;
}

type Kind = 'files' | 'folders';

type Note = (by: WithheldBy, kind: Kind, path: string) => void;

class FolderFilter implements ReadFilter {
  readonly #judge: Judge;
  readonly #note: Note | undefined;

  /** Without `note` no account is kept. */
  constructor(judge: Judge, note: Note | undefined) {
    this.#judge = judge;
    this.#note = note;
  }

  get silent(): ReadFilter {
    return this.#note === undefined ? this : new FolderFilter(this.#judge, undefined);
  }

  readonly entersFolder = (relativePath: string): boolean =>
    this.#allows(this.#judge.withheld.folder(relativePath), 'folders', relativePath);

  readonly files = (relativeFolder: string, names: readonly string[]): readonly string[] => {
    const judge = this.#judge.withheld.filesIn(relativeFolder);
    if (judge === undefined || !names.some((name) => judge(name) !== undefined)) return names;
    const prefix = relativeFolder === '' ? '' : `${relativeFolder}/`;
    return names.filter((name) => this.#allows(judge(name), 'files', prefix + name));
  };

  readonly allowsFile = (relativePath: string): boolean => {
    const slash = relativePath.lastIndexOf('/');
    const judge = this.#judge.withheld.filesIn(relativePath.slice(0, Math.max(0, slash)));
    return judge === undefined || this.#allows(judge(relativePath.slice(slash + 1)), 'files', relativePath);
  };

  readonly allowsLink = (relativePath: string): boolean => {
    const { withheld, place, leadsTo } = this.#judge;
    const path = absoluteBelow(place.path, relativePath);
    const slash = relativePath.lastIndexOf('/');
    const byName = withheld.filesIn(relativePath.slice(0, Math.max(0, slash)))?.(relativePath.slice(slash + 1));
    return this.#allows(byName ?? withheld.link(relativePath, leadsTo(path)), 'files', relativePath);
  };

  #allows(by: WithheldBy | undefined, kind: Kind, relativePath: string): boolean {
    if (by === undefined) return true;
    const path = absoluteBelow(this.#judge.place.path, relativePath);
    if (this.#judge.answered[kind].has(path)) return true;
    this.#note?.(by, kind, path);
    return false;
  }
}
