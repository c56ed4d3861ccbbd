import { normalize, sep } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Keys of the models that Tenon talks to: a command has no use for them, and its output goes to a model. */
const SECRETS =
  /^(?:(?:OPENAI|AZURE_OPENAI|ANTHROPIC|GEMINI|GOOGLE|GOOGLE_GENERATIVE_AI|DASHSCOPE|QWEN|DEEPSEEK|OPENROUTER|MISTRAL|GROQ|XAI|MOONSHOT|ZHIPU|TOGETHER|FIREWORKS|CEREBRAS)_(?:API_KEYS?|AUTH_TOKEN|ACCESS_TOKEN)|TENON(?:_.*)?)$/i;

/**
 * What describes the script that started Tenon (npm sets it) and not the command; `npm` in another
 * folder would take it for its own, and a shell believes a `PWD` that leads to its folder by links. And what asks for
 * colour, which contradicts `NO_COLOR`.
 */
const FOREIGN =
  /^(?:npm_(?:lifecycle_.*|package_.*|command|execpath|config_local_prefix)|INIT_CWD|PWD|OLDPWD|FORCE_COLOR|CLICOLOR_FORCE)$/i;

/**
 * What makes bash run or define something before the command that was judged, or read it differently: start-up
 * files, exported functions, options, and folders that `cd` looks in first. `LD_*` and `DYLD_*` stay: they are the
 * user's own, Tenon itself was started under them, and programs of some systems do not start without.
 */
const SHELL_START =
  /^(?:BASH_ENV|ENV|BASH_FUNC_.*|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_LOADABLES_PATH|CDPATH|GLOBIGNORE)$/s;

/**
 * What makes programs that would wait for a person end instead. Editors fail rather than succeed:
 * with `true`, `git commit --amend` or `git rebase -i` would accept text that nobody has seen, and
 * git's own message for `false` says to use `-m` or `-F`.
 */
const UNATTENDED: Readonly<Record<string, string>> = {
  TENON: '1',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

export interface Places {
  /** The folders whose content the agent or a project may change, absolute and canonical. */
  readonly roots: readonly string[];
  /** Where a path leads, every link followed; the path itself when it leads nowhere. */
  readonly realPath: (path: string) => string;
}

/**
 * The variables of a child process: the user's own, without the agent's secrets, and with pagers, editors and
 * prompts turned off. `CI` and `NODE_OPTIONS` stay as they are. Programs are looked up below the roots last, so that
 * none of them stands in for the system's.
 */
export function childEnvironment(environment: Environment, places: Places): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || !isUsable(name, value)) return [];
    if (SECRETS.test(name) || FOREIGN.test(name) || SHELL_START.test(name)) return [];
    return [[name, name === 'PATH' ? searchPath(value, places) : value]];
  });
  // `fromEntries` defines properties, so that a variable named `__proto__` is just a variable.
  return Object.fromEntries([...kept, ...Object.entries(UNATTENDED)]);
}

/** The system takes no other names and values; one of them would keep every command from starting. */
function isUsable(name: string, value: string): boolean {
  return name !== '' && !/[=\0]/.test(name) && !value.includes('\0');
}

/**
 * An empty or relative entry means the working directory: any project could put its own `git` there. Entries below
 * the roots go to the end, where an npm script still finds `node_modules/.bin`.
 */
function searchPath(path: string, { roots, realPath }: Places): string {
  const separator = /^[A-Za-z]:[\\/]/.test(path) ? ';' : ':';
  const entries = path.split(separator).filter((entry) => /^(?:[/\\~]|[A-Za-z]:[\\/])/.test(entry));
  // Where an entry leads counts as well as how it is spelled: a link to `node_modules/.bin` is that folder.
  const isOwn = (entry: string): boolean =>
    roots.some((root) => isWithin(entry, root) || isWithin(realPath(entry), root));
  return [...entries.filter((entry) => !isOwn(entry)), ...entries.filter(isOwn)].join(separator);
}

/** Compared as text, in any case, since some file systems do not tell cases apart. */
function isWithin(entry: string, root: string): boolean {
  const [path, folder] = [entry, root].map((each) => `${normalize(each).replace(/[\\/]+$/, '')}${sep}`.toLowerCase());
  return path?.startsWith(folder ?? sep) === true;
}
