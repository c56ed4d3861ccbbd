import { NOTHING_KNOWN, unclear, type ProgramCall, type ProgramFacts } from '../program-facts.js';
import { doubtOfProgram } from '../program-knowledge.js';
import { shownText } from '../words/shell-word.js';
import { ARCHIVERS } from './archives.js';
import { BINARY_JUDGES, BINARY_READERS } from './binary-readers.js';
import { CHANGERS, COPIER_JUDGES } from './changers.js';
import { COMPRESSORS } from './compressors.js';
import { FINDER_JUDGES, FINDERS } from './finders.js';
import { GIT } from './git-readers.js';
import { NAME_LOOKUPS } from './name-lookups.js';
import { NETWORK } from './network.js';
import { PART_MAKERS } from './part-makers.js';
import { judgesOfRows, type ProgramJudge, type ProgramRow, type ProgramSurroundings } from './program-row.js';
import { READERS } from './readers.js';
import { CONTAINER_JUDGES, SYSTEM_JUDGES, SYSTEM_READERS } from './system-readers.js';
import { TEXT_TOOLS } from './text-tools.js';
import { SCRIPTED } from './text-scripts.js';
import { VERSION_QUERIES } from './version-queries.js';
import { WRAPPERS } from './wrappers.js';

/** Folders of the system, whose programs may be called by their path. */
const SYSTEM_FOLDER = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

/** All rows, for those who check them. */
export const ROWS: readonly ProgramRow[] = [
  ...READERS,
  ...TEXT_TOOLS,
  ...SYSTEM_READERS,
  ...BINARY_READERS,
  ...FINDERS,
  ...CHANGERS,
];

const STARTERS: ReadonlySet<string> = new Set(WRAPPERS.map(([name]) => name));

const JUDGES: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...judgesOfRows(ROWS),
  ...SYSTEM_JUDGES,
  ...CONTAINER_JUDGES,
  ...BINARY_JUDGES,
  ...SCRIPTED,
  ...FINDER_JUDGES,
  ...COPIER_JUDGES,
  ...ARCHIVERS,
  ...COMPRESSORS,
  ...PART_MAKERS,
  ...NETWORK,
  ...NAME_LOOKUPS,
  ...GIT,
  ...VERSION_QUERIES,
  ...WRAPPERS,
]);

/** What a program does, by what is known of it. */
export function judgeProgram(call: ProgramCall, surroundings: ProgramSurroundings = {}): ProgramFacts {
  const plain = call.name.replace(SYSTEM_FOLDER, '');
  const name = foldedName(plain);
  const judge = JUDGES.get(name);
  const byName = judgeByName(call);
  if (judge === undefined) return byName;
  const facts = judge({ ...call, name }, surroundings);
  const isSystems = plain === name && (plain !== call.name || surroundings.isSystemProgram?.(name) !== false);
  if (isSystems) return facts === NOTHING_KNOWN ? byName : facts;
  // Another program of that name: what is known of the name may only raise.
  const unknown = [...facts.unknown, ...byName.unknown];
  if (STARTERS.has(name)) unknown.push(`\`${name}\` can run other programs`);
  return { ...facts, unknown: [...new Set(unknown)], isComplete: false };
}

/** Windows and macOS file systems find `LS` where `ls` is meant. */
function foldedName(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');
}

/** By what is known of the name alone. */
function judgeByName({ name, words, folders }: ProgramCall): ProgramFacts {
  const doubt = doubtOfProgram([name, ...words.map(shownText)], folders?.[0]);
  // What a variable holds may be an option that makes the program another one.
  const isOpen = words.some(({ text }) => text === undefined);
  if (doubt?.spelledOut !== undefined && !isOpen)
    return { ...NOTHING_KNOWN, unlessSpelled: { reason: doubt.reason, words: doubt.spelledOut } };
  if (doubt !== null) return unclear(doubt.reason);
  return isOpen ? unclear(`\`${name}\` with words that are not certain`) : NOTHING_KNOWN;
}
