import { staysBelow } from './known-options.js';

/** Settings that name a program, a file of settings or another folder. npm takes any unique beginning, with one dash or two. */
const SETTINGS_THAT_START = [
  'script-shell shell node-options editor viewer browser git userconfig globalconfig init-module node-gyp call',
  'use-yarnrc npmrc-auth-file prefix',
].flatMap((line) => line.split(' '));
/** A setting of its own, not the beginning of `globalconfig`. */
const WHOLE_NAMES: ReadonlySet<string> = new Set(['global']);
const FOLDER_OPTIONS = /^(?:-C|--(?:prefix|dir|cwd))$/;
/** Letters that mean `--prefix` and `--call`, also among others. */
const LETTERS = /^-[A-Za-z]*[cC]/;

/** Subcommands whose later words are scripts, packages and arguments, whatever they are called. */
const SETTLED =
  /^(?:run|run-script|test|t|start|stop|restart|install|i|add|ci|uninstall|remove|rm|update|up|view|info|ls|list|outdated|why|audit)$/;

/** Subcommands that run what they are given, or fetch and run it, or write settings. */
const RUNNERS = /^(?:exec|x|dlx|create|innit|explore|edit|set|node)$/;
/** Subcommands that only show, with the first word that keeps them so. */
const SHOWING: ReadonlyMap<string, RegExp> = new Map([
  ['config', /^(?:get|list|ls)$/],
  ['c', /^(?:get|list|ls)$/],
  ['pkg', /^get$/],
]);

/** The part of an `npm`, `pnpm` or `yarn` command that can run something other than the project's own scripts; undefined when there is none. */
export function strangeInNpm(args: readonly string[], directory?: string): string | undefined {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const option = own.find((word, at) => word.startsWith('-') && isStrangeOption(word, args[at + 1], directory));
  if (option !== undefined) return option;
  if (SETTLED.test(own[0] ?? '')) return undefined;
  const words = own.filter((word) => !word.startsWith('-'));
  const runner = words.find((word) => RUNNERS.test(word));
  if (runner !== undefined) return runner;
  for (const [at, word] of words.entries()) {
    if (SHOWING.get(word)?.test(words[at + 1] ?? '') === false) return word;
  }
  // `npm init name` fetches a program and runs it.
  return words[0] === 'init' && words.length > 1 ? 'init' : undefined;
}

function isStrangeOption(word: string, next: string | undefined, directory: string | undefined): boolean {
  const [option = '', given] = word.split(/=(.*)/s);
  if (FOLDER_OPTIONS.test(option)) return !staysBelow(given ?? next ?? '', directory);
  if (/[*?[]/.test(option) || LETTERS.test(option)) return true;
  const name = option
    .replace(/^-+(?:no-)?/, '')
    .replaceAll('_', '-')
    .toLowerCase();
  return name.length > 1 && !WHOLE_NAMES.has(name) && SETTINGS_THAT_START.some((setting) => setting.startsWith(name));
}

/** A package of the registry, with a version. */
const PACKAGE = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*(?:@[\w.~-]+)?$/i;

/** Packages that are shells, or start the words behind them. */
const SHELL = /^(?:[a-z]{0,4}sh|env|sudo|doas|xargs|timeout|nice|nohup|find|busybox)(?:@|$)/i;

/**
 * The part of an `npx` command that makes it another one than its words say: options of its own, which fetch without asking,
 * bring other packages or run a text, and packages that do not come by their name from the registry.
 */
export function strangeInNpx([first = '']: readonly string[]): string | undefined {
  return PACKAGE.test(first) && !SHELL.test(first) ? undefined : first;
}

/** Subcommands that run the package after them. */
const RUNS_PACKAGE = /^(?:exec|x|dlx)$/;

/** Returns the place of the package that `npm exec` and the like start, if the package is named and nothing else. */
export function packageStarted(args: readonly string[], strange: string): number | undefined {
  if (!RUNS_PACKAGE.test(strange)) return undefined;
  const at = args.indexOf(strange) + 1;
  const place = args[at] === '--' ? at + 1 : at;
  return strangeInNpx(args.slice(place)) === undefined ? place : undefined;
}
