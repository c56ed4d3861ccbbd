import { hasSubcommands } from './programs.js';

/**
 * Programs that do very different things by their first words. A rule for such a program alone says nothing; one for the
 * words in a row says what it is for.
 */
interface Row {
  readonly program: string;
  /** The words behind the program, separated by `, `; `<>` stands for one word that stays as it is. */
  readonly open: string;
  /** Why any further words do no more harm than those that were seen. */
  readonly reason: string;
}

const ROWS: readonly Row[] = [
  {
    program: 'git',
    open: 'status, diff, log, show, blame, shortlog, describe, rev-parse, ls-files, ls-tree, add, fetch, commit -m, commit -am',
    reason: 'they show, or take in what is there; options that run or write are told apart by the analysis',
  },
  {
    program: 'npm',
    open: 'test, t, run <>, ls, outdated, view, audit',
    reason: 'the same script with other arguments',
  },
  { program: 'yarn', open: 'test, run <>, why', reason: 'the same script with other arguments' },
  { program: 'pnpm', open: 'test, run <>, ls, why', reason: 'the same script with other arguments' },
  { program: 'mise', open: 'run <>', reason: 'the same task with other arguments' },
  { program: 'just', open: '<>', reason: 'the same task with other arguments' },
  { program: 'task', open: '<>', reason: 'the same task with other arguments' },
  { program: 'cargo', open: 'test, check, clippy, build, bench', reason: 'they build and run the same project' },
  { program: 'go', open: 'test, vet, list', reason: 'they build and run the same project' },
  { program: 'dotnet', open: 'test, build', reason: 'they build and run the same project' },
  { program: 'mvn', open: 'test, compile, verify', reason: 'they build and run the same project' },
  { program: 'gradle', open: 'test, build, check', reason: 'they build and run the same project' },
  { program: 'swift', open: 'test, build', reason: 'they build and run the same project' },
  { program: 'vitest', open: 'run', reason: 'other tests of the same project' },
  {
    program: 'gh',
    open: 'pr view, pr list, pr diff, pr checks, issue view, issue list, run view, run list, release view, repo view',
    reason: 'they only show',
  },
];

/** Programs that are told which tests to run: others of the same folder do no more harm. */
const TEST_RUNNERS: ReadonlySet<string> = new Set(['pytest', 'jest', 'mocha', 'rspec', 'phpunit', 'ctest']);

/** Up to three words that rules for the program may name; undefined for a program that does one thing. */
export function subcommandsOf(program: string): readonly string[] | undefined {
  const row = ROWS.find((each) => each.program === program);
  if (row !== undefined) return row.open.replaceAll('<>', 'NAME').split(', ').slice(0, 3);
  return hasSubcommands(program) ? ['SUBCOMMAND'] : undefined;
}

/**
 * The words of a rule for calls of the same kind as this one (the program and what it is given); undefined when only these
 * very words are what was meant. What is done stays; what it is done with becomes `*`.
 */
export function generalForm([program = '', ...words]: readonly string[]): readonly string[] | undefined {
  if (TEST_RUNNERS.has(program)) {
    const others = words.map((word) => (TEST_FILE.test(word) ? `${word.slice(0, word.lastIndexOf('/'))}/*` : word));
    return others.some((word, at) => word !== words[at]) ? [program, ...others] : undefined;
  }
  const forms = ROWS.find((each) => each.program === program)?.open.split(', ') ?? [];
  const fitting = forms
    .map((form) => form.split(' '))
    .find((form) => form.every((part, at) => (part === '<>' ? isName(words[at]) : part === words[at])));
  return fitting === undefined ? undefined : [program, ...words.slice(0, fitting.length), '*'];
}

const TEST_FILE = /^\w[\w.-]*\/(?:[\w-][\w.:[\]-]*\/)*[\w-][\w.:[\]-]*$/;

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[\w][\w:.-]*$/.test(word);
}

/** A subcommand of the program other than this one, to try rules with. */
export function otherSubcommand(program: string, subcommand: string): string {
  return program === 'git' && subcommand !== 'push' ? 'push' : subcommand === 'publish' ? 'exec' : 'publish';
}
