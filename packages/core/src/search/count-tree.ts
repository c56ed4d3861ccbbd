import type { FolderFiles } from './content/folder-files.js';
import type { EngineChain } from './engine-chain.js';
import type { SearchTargets, TargetFolder } from './engines/search-engine.js';
import { countTargets } from './engines/target-paths.js';
import { Lane } from './lane.js';
import type { OddFiles } from './odd-files.js';
import type { PlaceTally } from './outcome-collector.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';
import { pathBelow } from './paths.js';
import { partOf, targetsOf } from './plan-targets.js';
import { SearchRound } from './search-round.js';
import { sieve } from './sieve-names.js';
import { Pause } from './tree/pause.js';
import type { WalkedFolder } from './tree/walked-folder.js';

/** Files that are worth a run of an engine of its own; looking many up at once pays more. */
const ROUND_FILES = 2_000;
/** The first results are to be seen soon. */
const FIRST_ROUND_FILES = 400;
const KNOWN_ROUND_FILES = 6_000;
/** Files that may match, of those that were looked up: counting in so many begins while others are still looked up. */
const CANDIDATE_FILES = 256;
/** A walk may be slow: what it has found is searched after that time, however little it is. */
const ROUND_MS = 150;

export interface TreeCount {
  readonly place: SearchedPlace;
  readonly search: PlaceSearch;
  readonly chain: EngineChain;
  readonly odd: OddFiles;
  readonly tally: PlaceTally;
  /** Ends everything: aborts the search's signal. */
  readonly fail: (thrown: unknown) => void;
}

/** Searches every wanted file of the walk, which runs ahead while an engine works. @throws what an engine threw, the signal's reason */
export async function countTree(count: TreeCount): Promise<void> {
  const { place, search, odd, tally } = count;
  const rounds = new Rounds(count);
  search.index.content.hurry();
  try {
    const walk = search.index.tree.walk({
      folder: place.folder,
      roots: search.roots,
      respectGitIgnore: !place.includeIgnored,
      signal: search.signal,
      counts: tally.counts,
      ...(place.allowed !== undefined && { enter: place.allowed.entersFolder }),
      ...(!place.includeIgnored && { onGitIgnored: (path: string) => tally.ignored.add(path) }),
    });
    for await (const folders of walk) await rounds.add(folders);
    tally.ignored.isComplete = true;
    await rounds.finish();
    await odd.finish();
  } catch (thrown) {
    // Nothing may go on reading once the folder is let go.
    await rounds.stop();
    throw thrown;
  } finally {
    search.index.content.rest();
  }
  search.index.content.learnLater(place.folder.path, rounds.toLearn);
}

/** Gathers what the walk finds, and has it searched in rounds of a size that is worth it. */
class Rounds {
  readonly #count: TreeCount;
  readonly #lane: Lane<TargetFolder>;
  readonly #isKnown: boolean;
  /** As in the place; see `TreeWalk` for why not from there. */
  readonly #wants: SearchedPlace['wants'];
  readonly #allowed: SearchedPlace['allowed'];
  readonly #candidates: Lane<TargetFolder>;
  readonly #left: Lane<string>;
  /** Of these nothing was known. */
  readonly toLearn: FolderFiles[] = [];
  readonly #pause: Pause;
  #gathered = 0;
  #hasBegun = false;
  #isWalked = false;
  #candidateFiles = 0;
  #since = performance.now();

  constructor(count: TreeCount) {
    this.#count = count;
    this.#isKnown = count.search.index.content.knowsAny;
    this.#wants = count.place.wants;
    this.#allowed = count.place.allowed;
    this.#pause = new Pause(count.search.signal);
    this.#lane = new Lane(
      async (folders) => this.#search(folders),
      count.fail,
      // Not only when the walk comes by next: engines would wait for it.
      () => this.#startIfDue(),
    );
    this.#candidates = new Lane(
      async (folders) => this.#run(folders),
      count.fail,
      () => this.#countIfDue(),
    );
    this.#left = new Lane(async (files) => countOnce(this.#count, { folders: [], files, wereLeft: true }), count.fail);
  }

  /** @throws the signal's reason */
  async add(folders: readonly WalkedFolder[]): Promise<void> {
    const { chain, tally } = this.#count;
    for (const folder of folders) {
      const chosen = this.#wantedIn(folder, tally);
      const wanted = chosen instanceof Promise ? await chosen : chosen;
      if (wanted.names.length === 0) continue;
      this.#gathered += wanted.names.length;
      this.#lane.add(wanted);
    }
    if (!this.#isKnown) chain.expect(this.#gathered);
    this.#startIfDue();
  }

  /** @throws what a round threw */
  async finish(): Promise<void> {
    this.#isWalked = true;
    this.#left.start();
    await this.#lane.finish();
    await this.#candidates.finish();
    await this.#left.finish();
  }

  async stop(): Promise<void> {
    await this.#lane.stop();
    await this.#candidates.stop();
    await this.#left.stop();
  }

  /** A promise where choosing takes long. */
  #wantedIn(walked: WalkedFolder, tally: PlaceTally): TargetFolder | Promise<TargetFolder> {
    const [wants, allowed] = [this.#wants, this.#allowed];
    const { folder } = walked;
    const files = allowed === undefined ? walked.names : allowed.files(folder, walked.names);
    if (wants === undefined) return partOf(walked, tally.claim(folder, files));
    const claim = (wanted: readonly string[]): TargetFolder => {
      tally.reasons.filteredOut += files.length - wanted.length;
      return partOf(walked, tally.claim(folder, wanted));
    };
    const wanted = sieve(files, { test: (name) => wants(pathBelow(folder, name)), pause: this.#pause });
    return wanted instanceof Promise ? wanted.then(claim) : claim(wanted);
  }

  #startIfDue(): void {
    const now = performance.now();
    const often = this.#isKnown ? KNOWN_ROUND_FILES : ROUND_FILES;
    const enough = this.#hasBegun ? often : FIRST_ROUND_FILES;
    if (!this.#lane.isFree || (this.#gathered < enough && now - this.#since <= ROUND_MS)) return;
    this.#lane.start();
    this.#hasBegun = true;
    this.#gathered = 0;
    this.#since = now;
  }

  async #search(folders: readonly TargetFolder[]): Promise<void> {
    const { chain, place, search, odd, tally } = this.#count;
    const { content } = search.index;
    if (!content.knowsAny) {
      for (const folder of folders) this.toLearn.push(folder);
      await this.#run(folders);
      return;
    }
    const wantsText = (files: number, bytes: number): boolean => chain.wantsText(files, bytes);
    const asked = { pattern: search.pattern, wantsText };
    const known = await content.known(place.folder.path, folders, asked, search.signal);
    for (const folder of known.unknown) this.toLearn.push(folder);
    tally.searched += known.ruledOut;
    tally.reasons.binary += known.binary;
    odd.add(known.odd);
    for (const folder of targetsOf(folders, known.candidates)) {
      this.#candidateFiles += folder.names.length;
      this.#candidates.add(folder);
    }
    this.#countIfDue();
    const text = targetsOf(folders, known.text);
    if (text.length > 0) await countOnce(this.#count, { folders: text, files: [], areText: true });
  }

  #countIfDue(): void {
    if (!this.#candidates.isFree || this.#candidateFiles < CANDIDATE_FILES) return;
    this.#candidates.start();
    this.#candidateFiles = 0;
  }

  async #run(folders: readonly TargetFolder[]): Promise<void> {
    await countOnce(this.#count, { folders, files: [] }, (files) => this.#leave(files));
  }

  #leave(files: readonly string[]): void {
    for (const file of files) this.#left.add(file);
    // A program takes a while to start: a few times for all, beside the threads.
    if (this.#isWalked) this.#left.start();
  }
}

/** One round of an engine, and the account of it; `onLeft` as in `TellingSink`. @throws what an engine threw */
export async function countOnce(
  { chain, odd, search, tally }: Pick<TreeCount, 'chain' | 'odd' | 'search' | 'tally'>,
  targets: SearchTargets,
  onLeft?: (files: readonly string[]) => void,
): Promise<void> {
  const told = { folders: targets.folders, files: countTargets(targets) };
  const onOdd = (path: string): void => odd.add([path]);
  const round = new SearchRound(tally, told, { onOdd, ...(onLeft !== undefined && { onLeft }) });
  try {
    await chain.run(
      async (engine) => engine.countAnything(targets, round, search.signal),
      () => round.again(),
    );
  } catch (thrown) {
    round.broken();
    throw thrown;
  }
  round.done();
}
