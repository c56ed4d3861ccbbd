import { countFiles, type FolderFiles } from './content/folder-files.js';
import type { EngineChain } from './engine-chain.js';
import type { TargetFolder } from './engines/search-engine.js';
import { Lane } from './lane.js';
import type { OddFiles } from './odd-files.js';
import type { PlaceTally } from './outcome-collector.js';
import type { PlaceSearch, SearchedPlace } from './place-search.js';
import { pathOf, targetsOf } from './plan-targets.js';
import { SearchRound } from './search-round.js';
import type { WalkedFolder } from './tree/walked-folder.js';

/** Files that are worth a run of an engine of its own; looking many up at once pays more. */
const ROUND_FILES = 2_000;
const KNOWN_ROUND_FILES = 25_000;
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
  const toLearn: FolderFiles[] = [];
  const lane = new Lane<TargetFolder>(async (folders) => searchRound(count, folders, toLearn), count.fail);
  const enough = search.index.content.knowsAny ? KNOWN_ROUND_FILES : ROUND_FILES;
  let gathered = 0;
  let since = performance.now();
  search.index.content.hurry();
  try {
    const walk = search.index.tree.walk({
      folder: place.folder,
      roots: search.roots,
      respectGitIgnore: !place.includeIgnored,
      signal: search.signal,
      counts: tally.counts,
      ...(!place.includeIgnored && { onGitIgnored: (path: string) => tally.ignored.add(path) }),
    });
    for await (const folders of walk) {
      for (const folder of folders) {
        const wanted = wantedIn(folder, place.wants, tally);
        if (wanted.names.length === 0) continue;
        gathered += wanted.names.length;
        lane.add(wanted);
      }
      if (lane.isFree && (gathered >= enough || performance.now() - since > ROUND_MS)) {
        lane.start();
        gathered = 0;
        since = performance.now();
      }
    }
    tally.ignored.isComplete = true;
    await lane.finish();
    await odd.finish();
  } catch (thrown) {
    // Nothing may go on reading once the folder is let go.
    await lane.stop();
    throw thrown;
  } finally {
    search.index.content.rest();
  }
  search.index.content.learnLater(place.folder.path, toLearn);
}

function wantedIn(walked: WalkedFolder, wants: SearchedPlace['wants'], tally: PlaceTally): TargetFolder {
  const folder = walked.relativePath;
  const wanted = wants === undefined ? walked.files : walked.files.filter((name) => wants(pathOf(folder, name)));
  tally.reasons.filteredOut += walked.files.length - wanted.length;
  const names = tally.claim(folder, wanted);
  return { folder, names, isWhole: walked.isWhole && names.length === walked.files.length };
}

async function searchRound(count: TreeCount, folders: readonly TargetFolder[], toLearn: FolderFiles[]): Promise<void> {
  const { place, search, odd, tally } = count;
  const { content } = search.index;
  if (!content.knowsAny) {
    for (const folder of folders) toLearn.push(folder);
    await run(count, folders);
    return;
  }
  const known = await content.known(place.folder.path, folders, search.pattern, search.signal);
  for (const folder of known.unknown) toLearn.push(folder);
  tally.searched += known.ruledOut;
  tally.reasons.binary += known.binary;
  odd.add(known.odd);
  await run(count, targetsOf(folders, known.candidates));
}

async function run({ chain, odd, search, tally }: TreeCount, folders: readonly TargetFolder[]): Promise<void> {
  if (folders.length === 0) return;
  const round = new SearchRound(tally, { folders, files: countFiles(folders) }, (path) => odd.add([path]));
  try {
    await chain.run(
      async (engine) => engine.countAnything({ folders, files: [] }, round, search.signal),
      () => round.again(),
    );
  } catch (thrown) {
    round.broken();
    throw thrown;
  }
  round.done();
}
