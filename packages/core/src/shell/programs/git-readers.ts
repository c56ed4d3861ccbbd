import { does, NOTHING_KNOWN, unclear, type PathUse } from '../program-facts.js';
import { strangeInGit } from '../git-knowledge.js';
import { constantWord, exactText, shownText, type ShellWord } from '../words/shell-word.js';
import { openedFrom } from '../walk/reach.js';
import type { NamedJudge, ProgramJudge } from './program-row.js';

/** Commands that only read, whatever their words are that `git-subcommands.ts` knows. */
const READING: ReadonlySet<string> = new Set(
  (
    'status diff show log shortlog range-diff diff-tree diff-index diff-files rev-list blame grep ls-files ls-tree rev-parse' +
    ' describe merge-base cat-file for-each-ref show-ref name-rev cherry count-objects check-ignore check-attr fsck version'
  ).split(' '),
);

/** Commands that only read if the words after them match. */
interface ReadingIf {
  /** The pattern that each option must match. */
  readonly options: RegExp;
  /** The pattern that each other word must match; absent: no other word is allowed. */
  readonly operands?: RegExp;
  /** The option that other words need; without it they would name something to create. */
  readonly operandsWith?: RegExp;
  readonly mostOperands?: number;
}

const LISTS =
  '--sort=.*|--format=.*|--color(?:=.*)?|--no-color|--column(?:=.*)?|--no-column|-i|--ignore-case|--no-contains|--contains|--merged|--no-merged|--points-at|(?:--contains|--no-contains|--merged|--no-merged|--points-at)=.*';
const READING_IF: ReadonlyMap<string, ReadingIf> = new Map<string, ReadingIf>([
  [
    'branch',
    {
      options: new RegExp(
        `^(?:-[arv]+|--all|--list|--remotes|--show-current|--verbose|--abbrev(?:=.*)?|${LISTS})$`,
        's',
      ),
      operands: /^/,
      // `-l` is missing here, because older versions make a reflog with it.
      operandsWith: /^--(?:list|contains|no-contains|merged|no-merged|points-at)$/,
    },
  ],
  [
    'tag',
    {
      options: new RegExp(`^(?:-l|-n\\d*|--list|${LISTS})$`, 's'),
      operands: /^/,
      operandsWith: /^(?:-l|--(?:list|contains|no-contains|merged|no-merged|points-at))$/,
    },
  ],
  ['remote', { options: /^(?:-v|--verbose)$/, operands: /^$/ }],
  ['remote get-url', { options: /^--(?:push|all)$/, operands: /^[\w.-]+$/, mostOperands: 1 }],
  ['stash list', { options: /^(?:-n ?\d*|-\d+|--oneline|--date=.*|--format=.*|--pretty=.*)$/s }],
  [
    'stash show',
    {
      options: /^(?:-p|-u|--patch|--stat|--numstat|--shortstat|--name-only|--name-status|--include-untracked)$/,
      operands: /^(?:stash@\{\d+\}|\d+)$/,
    },
  ],
  [
    'reflog',
    {
      options: /^(?:-n ?\d*|-\d+|--oneline|--all|--no-abbrev|--abbrev-commit|--date=.*|--format=.*|--pretty=.*)$/s,
      operands: /^(?!expire$|delete$|drop$|exists$|list$)/,
    },
  ],
  ['worktree list', { options: /^(?:-v|--verbose|--porcelain)$/ }],
  ['symbolic-ref', { options: /^(?:-q|--quiet|--short)$/, operands: /^/, mostOperands: 1 }],
  // Not all of them together: those of the account are listed too, and may hold secrets.
  [
    'config',
    {
      options: /^(?:--get|--local|--global|--bool|--int|--path)$/,
      operands: /^get$|^[\w-]+\.[\w.-]+$/,
      mostOperands: 1,
    },
  ],
  ['config get', { options: /^(?:--local|--global|--all)$/, operands: /^[\w-]+\.[\w.-]+$/, mostOperands: 1 }],
]);

function onlyReads([command = '', ...rest]: readonly string[]): boolean {
  if (READING.has(command)) return true;
  const named = READING_IF.get(`${command} ${rest[0] ?? ''}`);
  const known = named ?? READING_IF.get(command);
  if (known === undefined) return false;
  const words = named === undefined ? rest : rest.slice(1);
  const options = words.filter((word) => word.startsWith('-'));
  const operands = words.filter((word) => !word.startsWith('-'));
  if (!options.every((word) => known.options.test(word))) return false;
  if (operands.length === 0) return true;
  if (known.operandsWith !== undefined && !options.some((word) => known.operandsWith?.test(word) === true))
    return false;
  return (
    operands.length <= (known.mostOperands ?? operands.length) &&
    operands.every((word) => known.operands?.test(word) === true)
  );
}

/** Options that read files, compare what is no part of the repository, or have signatures checked, which a program does. */
const OUTWARDS =
  /^(?:--no-index|--ignore-revs-file.*|--contents.*|--exclude-from.*|-X.*|-f.*|--file.*|--exclude-per-directory.*|--recurse-submodules|.*%G.*|.*%\(signature.*)$/s;
const PLAIN_FRONT: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']);

/** Commands that print names, messages and numbers, but nothing of what the files of the work tree hold; with options that change this. */
const NAMING: ReadonlyMap<string, RegExp> = new Map([
  ['status', /^(?:-[a-z]*v[a-z]*|--v.*)$/],
  ['ls-files', /^--f.*$/],
  ['ls-tree', /^--f.*$/],
  ['rev-parse', /^--(?:parseopt|sq-quote)$/],
  ['branch', /^--f.*$/],
  ['tag', /^--f.*$/],
  ['show-ref', /^$/],
  ['name-rev', /^$/],
  ['merge-base', /^$/],
  ['describe', /^$/],
  ['count-objects', /^$/],
  ['remote', /^$/],
  ['worktree', /^$/],
]);
/** With nothing but these, `log` and `diff` print no lines of files; `diff` prints them without any. */
const SUMMARY =
  /^(?:--stat|--shortstat|--numstat|--dirstat|--summary|--name-only|--name-status|--cached|--staged|--oneline|--graph|--all|--no-merges|--merges|--reverse|--decorate|-n\d*|-\d+|--max-count=\d+|--(?:since|until|after|before|author|grep|format|pretty)=[^\n]*)$/;
const SUMMARIZES = /^--(?:stat|shortstat|numstat|dirstat|summary|name-only|name-status)$/;

function printsNames(command: string, rest: readonly string[]): boolean {
  const options = rest.filter((word) => word.startsWith('-') && word !== '--');
  const telling = NAMING.get(command);
  if (telling !== undefined) return !options.some((word) => telling.test(word));
  if (command !== 'log' && command !== 'diff') return false;
  return (
    options.every((word) => SUMMARY.test(word)) && (command === 'log' || options.some((word) => SUMMARIZES.test(word)))
  );
}

/** The words behind the options of git itself, and the folder that `-C` names; undefined for any other option. */
function behindFront(
  args: readonly string[],
): { readonly folder: string; readonly rest: readonly string[] } | undefined {
  let folder = '.';
  let at = 0;
  for (; args[at]?.startsWith('-') === true; at += 1) {
    const next = args[at + 1];
    if (args[at] === '-C' && next !== undefined && next !== '') {
      folder = next.startsWith('/') ? next : folder === '.' ? next : `${folder}/${next}`;
      at += 1;
    } else if (!PLAIN_FRONT.has(args[at] ?? '')) return undefined;
  }
  return { folder, rest: args.slice(at) };
}

/**
 * Judges read-only `git` commands in a repository that names no program for them. Settings may name programs for showing differences, for
 * filters and for looking at the work tree. In any other repository git is an ordinary program.
 */
const git: ProgramJudge = ({ name, words, folders }, { isTrustedRepository }) => {
  if (!words.every((word) => exactText(word) !== undefined || isPathWithNames(word))) {
    const isOpen = words.some(({ text }) => text === undefined);
    return isOpen ? unclear(`\`${name}\` with words that are not certain`) : NOTHING_KNOWN;
  }
  const args = words.map(shownText);
  // It looks for no repository.
  if (/^(?:--version|-v|version)$/.test(args.join(' '))) return does();
  const front = behindFront(args);
  if (front === undefined || folders?.[0] === undefined) return NOTHING_KNOWN;
  // The shell expands names in its own folder, but git with `-C` works in another.
  const certain = front.folder === '.' ? words.slice(0, words.length - front.rest.length) : words;
  if (certain.some((word) => exactText(word) === undefined)) return NOTHING_KNOWN;
  const places = front.folder === '.' ? folders : openedFrom(folders, front.folder);
  if (places?.every((folder) => isTrustedRepository?.(folder) === true) !== true) return NOTHING_KNOWN;
  // The folder after `-C` is a path like any other.
  const [command = '', ...rest] = front.rest;
  if (strangeInGit(front.rest, folders[0]) !== undefined) return NOTHING_KNOWN;
  if (!onlyReads(front.rest) || rest.some((word) => OUTWARDS.test(word))) return NOTHING_KNOWN;
  const from = front.folder === '.' ? {} : { from: constantWord(front.folder) };
  if (printsNames(command, rest) && !rest.some((word) => LEADS_OUT.test(word)))
    return does({ paths: [{ kind: 'read', word: constantWord('.'), ...from }] });
  // `git diff /a /b` compares any two files, so each operand may be a path.
  const operands = words
    .slice(words.length - rest.length)
    .filter(({ start }) => !start.startsWith('-') && start !== '');
  const paths = operands.map((word): PathUse => ({ kind: 'read', word, ...from }));
  return does({ paths: [{ kind: 'read', word: constantWord('.'), tree: true, ...from }, ...paths] });
};

/** Returns true for `src/*.ts`: whatever names it stands for, none of them is an option. */
function isPathWithNames({ text, start, wildcardAt = 0 }: ShellWord): boolean {
  return text !== undefined && wildcardAt > 0 && !start.startsWith('-');
}

/** Perhaps a path outside of the work tree, which `diff` compares without asking. */
const LEADS_OUT = /^[/~]|(?:^|\/)\.\.(?:\/|$)/;

export const GIT: readonly NamedJudge[] = [['git', git]];
