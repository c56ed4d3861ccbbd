import { resolve } from 'node:path';
import type { RunEffect } from '../effects/effect.js';
import { isBelow } from '../util/paths-below.js';
import {
  compileReach,
  compileSegment,
  splitPath,
  type PathName,
  type PathSpecifier,
  type Places,
} from './path-pattern.js';
import { controlFileReason } from './control-files.js';
import { goesThroughTree, type PathUse } from './tree-programs.js';
import type { PolicyContext } from './verdict.js';

/** Longer commands, and words of more pieces, are not looked through: they count as met. */
const MOST_WORDS = 2000;
const MOST_PIECES = 64;

/**
 * For deny and ask rules on paths: whether a command may touch what the rule speaks of. Judged by its words alone:
 * each that is, as a path from where the command runs, what the rule speaks of or a folder on the way to it; and
 * what lies below, when the program goes through whole trees. A program may still open what no word names.
 */
export function compileCommandPath(
  specifier: PathSpecifier,
  places: Places,
  use: PathUse,
): (run: RunEffect) => boolean {
  const reach = compileReach(specifier, places);
  const homes = [...places.roots, places.home];
  return ({ argv, directory, readOnly, isStated }) => {
    // All paths are effects of their own.
    if (readOnly || isStated === true) return false;
    if (argv.length > MOST_WORDS) return true;
    const whole = goesThroughTree(argv, use);
    if (whole && reach(splitPath(directory)).below) return true;
    const isKept = use === 'read' && keepsWhatItReads(argv);
    const meets = (piece: string): boolean =>
      readings(piece, directory).some((names) => {
        const { met, onTheWay, below } = reach(names);
        return met || onTheWay || (below && (whole || (!isKept && isFolder(piece, names, homes))));
      });
    const [program = '', ...words] = argv;
    if (use === 'read' && NAMES_ONLY.has(program)) return false;
    if (program.includes('/') && (piecesOf(program)?.some(meets) ?? true)) return true;
    return words.some((word, at) => {
      if (isNoPath(program, words, at)) return false;
      const pieces = piecesOf(word);
      return pieces === undefined || pieces.some(meets);
    });
  };
}

/** Programs, by bare name, that go to a folder, make or take away an empty one: no file is read. */
const NAMES_ONLY: ReadonlySet<string> = new Set('cd mkdir rmdir test [ pwd basename dirname'.split(' '));

/** `git add folder` shows nothing of what it takes in; a file that is named is one that somebody wants in there. */
function keepsWhatItReads([program, subcommand]: readonly string[]): boolean {
  return program === 'git' && subcommand === 'add';
}

/** Words that these programs take for something else than a path: addresses, and a script that is the first operand. */
const ADDRESS = { programs: ['curl', 'wget', 'git', 'gh', 'npm', 'pip'], word: /^https?:\/\//i };
const SCRIPTS: readonly { readonly programs: readonly string[]; readonly word: RegExp; readonly unless?: RegExp }[] = [
  { programs: ['sed', 'gsed'], word: /^[sy]([^\w\s\\])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpiImM\d]*$/ },
  // A filter, unless it stands in a file.
  { programs: ['jq'], word: /^\.[^/]*$/, unless: /^-(?:[^-]*[fL]|-(?:from|arg|slurp|raw|library))/ },
];

/** By bare names only: `./sed` is whatever the folder holds. */
function isNoPath(name: string, words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  if (ADDRESS.programs.includes(name)) return ADDRESS.word.test(word);
  const script = SCRIPTS.find(({ programs }) => programs.includes(name));
  if (script === undefined || words.findIndex((each) => !each.startsWith('-')) !== at) return false;
  return script.word.test(word) && !words.some((each) => script.unless?.test(each) === true);
}

/** Programs that read what they are given and write nothing, and git, whose options are judged one by one. */
const WRITES_NOTHING: ReadonlySet<string> = new Set(
  'cat tac head tail wc cut nl grep egrep fgrep zgrep rg ag ack ls dir tree stat file du diff cmp cksum md5sum sha256sum git'.split(
    ' ',
  ),
);

/**
 * Why a command is a question of its own in every mode: one of its words names a control file. Only words that look
 * like paths count; a program may still write a file that no word names.
 */
export function controlFileOfCommand(
  { argv, directory, readOnly, isStated, zone }: RunEffect,
  { controlFolders: folders = [], skillFolders = [] }: Pick<PolicyContext, 'controlFolders' | 'skillFolders'>,
): string | undefined {
  const [program = '', ...words] = argv;
  if (readOnly || isStated === true || WRITES_NOTHING.has(program)) return undefined;
  const first = resolve(directory, words[0] ?? '');
  const isScript = INTERPRETERS.test(program) && skillFolders.some((folder) => isBelow(first, folder));
  for (const word of words.slice(isScript ? 1 : 0, MOST_WORDS)) {
    for (const piece of piecesOf(word) ?? []) {
      if (!/^[.~]|\//.test(piece)) continue;
      const path = resolve(directory, piece);
      const reason = controlFileReason({ kind: 'write', path, requested: path, zone }, folders);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

/** Programs, by bare name, that run the file that their first word names. An option before it may make something else of it. */
const INTERPRETERS =
  /^(?:sh|bash|dash|zsh|ksh|node|deno|bun|tsx|perl|ruby|php|lua|pwsh|Rscript|python(?:\d(?:\.\d+)?)?)$/;

/** The parts of a word that a program may take for a path: `--file=x`, `-Ix`, `@x`, `host:x`, `HEAD:x`, `a,b`. */
function piecesOf(word: string): string[] | undefined {
  const short = /^-[A-Za-z0-9]/.test(word) ? [2, 3, 4, 5].map((start) => word.slice(start)) : [];
  const parts = word.split(/[=:,@]/);
  if (parts.length > MOST_PIECES) return undefined;
  const tails = parts.map((_, at) => tailFrom(word, parts, at));
  return [...new Set([word, ...parts, ...tails, ...short])].filter((piece) => piece !== '' && piece !== '-');
}

function tailFrom(word: string, parts: readonly string[], at: number): string {
  return word.slice(parts.slice(0, at).reduce((length, part) => length + part.length + 1, 0));
}

/** The names of the path, as it stands and, where it has wildcards, as what they may stand for. */
function readings(piece: string, directory: string): (readonly PathName[])[] {
  const names = splitPath(resolve(directory, piece));
  if (!/[*?[]/.test(piece)) return [names];
  return [names, names.map((name): PathName => (/[*?[]/.test(name) ? standsFor(name) : name))];
}

/** As a shell does it: a wildcard never stands for a dot at the start, and `**` for one name only. */
function standsFor(wildcard: string): (name: string) => boolean {
  const step = compileSegment(wildcard.replaceAll(/\*+/g, '*').toLowerCase());
  return (name) => (wildcard.startsWith('.') || !name.startsWith('.')) && step !== '**' && step(name);
}

/** Surely a folder, whatever lies on the disk: a slash or dots at its end, or it holds a root or the home folder. */
function isFolder(piece: string, names: readonly PathName[], homes: readonly string[]): boolean {
  if (/(?:^|\/)\.{0,2}\/?$/.test(piece)) return true;
  return homes.some((home) => {
    const own = splitPath(home);
    return names.length <= own.length && names.every((name, index) => name === own[index]);
  });
}
