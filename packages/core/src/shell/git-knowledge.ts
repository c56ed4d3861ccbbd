import { GIT_SUBCOMMANDS } from './git-subcommands.js';
import { knownOptions, staysBelow, strangeOption, wildcardInOptionPlace } from './known-options.js';

/** Global options that start nothing. `-c` alone can set a program; `--git-dir` brings other settings. */
const GLOBAL: ReadonlySet<string> = new Set(
  '--no-pager -P --version -v --help -h --no-optional-locks --bare --literal-pathspecs --no-replace-objects'.split(' '),
);

const READ_CONFIG = knownOptions(
  '-l -z --all --bool --bool-or-int --default --get --get-all --get-regexp --get-urlmatch --global --includes --int --list',
  '--local --name-only --no-includes --no-type --null --path --regexp --show-names --show-origin --show-scope --system',
  '--type --value --url --worktree',
);

/** The part of a git command that makes it more than known, as words; undefined when all of it is known. */
export function strangeInGit(args: readonly string[], directory?: string): string | undefined {
  let at = 0;
  for (; args[at]?.startsWith('-') === true; at += 1) {
    const option = args[at] ?? '';
    const isFolder = option === '-C' && staysBelow(args[at + 1] ?? '', directory);
    if (isFolder) at += 1;
    else if (!GLOBAL.has(option)) return option;
  }
  const [name, ...rest] = args.slice(at);
  if (name === undefined) return undefined;
  const strange = name === 'config' ? strangeInConfig(rest) : strangeInSubcommand(name, rest, directory);
  if (strange === undefined) return undefined;
  return strange === '' ? name : `${name} ${strange}`;
}

/** Reading settings is harmless; every way of writing them can name a program for a later command. */
function strangeInConfig(args: readonly string[]): string | undefined {
  const strange = strangeOption(args, READ_CONFIG);
  if (strange !== undefined) return strange;
  const reads = args.some((word) => /^(?:-[lz]*l[lz]*|--list|--get(?:-.*)?)$/.test(word));
  const operands = args.filter((word) => !word.startsWith('-'));
  return reads || operands.length < 2 || /^(?:get|list)$/.test(operands[0] ?? '') ? undefined : '';
}

function strangeInSubcommand(name: string, args: readonly string[], directory?: string): string | undefined {
  const known = GIT_SUBCOMMANDS.get(name);
  if (known === undefined) return '';
  const { options, actions, words, risky } = known;
  // Where the action does not come first, what comes first may take it for a value.
  if (actions !== undefined && !actions.has(args[0] ?? '')) return args[0] ?? '';
  const strange = strangeOption(args, options) ?? (risky === true ? wildcardInOptionPlace(args) : undefined);
  if (strange !== undefined) return strange;
  const operands = args.filter((word) => !word.startsWith('-'));
  if (words === 'repositories' || words === 'both') {
    const helper = operands.find((word) => isForeignTransport(word));
    if (helper !== undefined) return helper;
  }
  if (words === 'folders' || words === 'both') {
    return operands.find((word) => !isRemote(word) && !staysBelow(word, directory));
  }
  return undefined;
}

/** `ext::…` and every scheme that git does not speak itself are programs named `git-remote-…`. */
function isForeignTransport(word: string): boolean {
  const scheme = /^([\w.+-]+):\/\//.exec(word)?.[1]?.toLowerCase();
  if (scheme !== undefined) return !/^(?:https?|ssh|git|git\+ssh|ssh\+git|file)$/.test(scheme);
  return word.includes('::');
}

/** A URL, or `host:path`. */
function isRemote(word: string): boolean {
  return /^[\w.+-]+:\/\//.test(word) || /^[^/\\:]{2,}:/.test(word);
}
