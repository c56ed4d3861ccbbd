/**
 * Subcommands and options that make a known program start what the line says, load code, write settings, or do more than a
 * rule on its name can mean. As data, with the reason; `words`: what stands behind the program, a blank between each two.
 */
interface RunningSubcommand {
  readonly programs: string;
  readonly words: RegExp;
  /** What it does, behind `can`. */
  readonly can: string;
  /**
   * The words that a rule must spell out to mean it. `task`: these words, because the project defines what they start (`mise run`), as with
   * `npm run`. `program`: also the program that they start (`uv run pytest`). If absent, no rule with a wildcard means it.
   */
  readonly spelled?: 'task' | 'program';
}

/** Options before a subcommand, as far as they take no value. */
const FRONT = String.raw`^(?:-\S+ )*`;

const TABLE: readonly RunningSubcommand[] = [
  {
    programs: 'gh',
    words:
      /^(?:alias (?:set|import)|extension (?:install|exec|upgrade|create)|ext (?:install|exec|upgrade|create)|codespace (?:ssh|cp|jupyter)|cs (?:ssh|cp|jupyter))\b/,
    can: 'run other programs',
  },
  {
    programs: 'gh',
    words: /^(?:config set|auth|secret|variable set|ssh-key|gpg-key)\b/,
    can: 'change settings or show keys',
  },
  { programs: 'go', words: /^generate(?: |$)/, can: 'run what comments say', spelled: 'task' },
  { programs: 'go', words: /^tool(?: |$)/, can: 'run code of others', spelled: 'program' },
  {
    programs: 'go',
    words: /^(?:(?:env -[wu]|telemetry|bug)(?: |$)|(?:run|get|install) .*@)/,
    can: 'run code of others or change settings',
  },
  {
    programs: 'cargo',
    words: /^(?:[-+]\S+ )*(?:install|login|owner|publish|config)\b|^-[CZ]/,
    can: 'run code of others or change settings',
  },
  {
    programs: 'rustup',
    words: /^(?:run|toolchain (?:link|install)|default|override|set|install|self|component|target)\b/,
    can: 'run other programs or change settings',
  },
  {
    programs: 'uv poetry pipenv pdm hatch rye pixi',
    words: /^run(?: |$)/,
    can: 'run other programs',
    spelled: 'program',
  },
  {
    programs: 'uv',
    words: new RegExp(String.raw`${FRONT}(?:run|tool (?:run|install)|python install|self|publish)\b`),
    can: 'run other programs',
  },
  {
    programs: 'poetry pipenv pdm hatch rye pixi',
    words: new RegExp(String.raw`${FRONT}(?:run|shell|config|self|env (?:use|run)|publish)\b`),
    can: 'run other programs or change settings',
  },
  { programs: 'bundle bundler', words: /^exec(?: |$)/, can: 'run other programs', spelled: 'program' },
  { programs: 'composer', words: /^run-script(?: |$)/, can: 'run what the project says', spelled: 'task' },
  {
    programs: 'bundle bundler composer',
    words: new RegExp(String.raw`${FRONT}(?:exec|e|config|plugin|global|run-script)\b`),
    can: 'run other programs or change settings',
  },
  {
    programs: 'conda mamba micromamba',
    words: new RegExp(String.raw`${FRONT}(?:run|config|init|shell)\b`),
    can: 'run other programs or change settings',
  },
  {
    programs: 'pip pip3',
    words:
      /^config (?:set|unset|edit|debug)\b|(?:^| )(?:-i|--(?:index-url|extra-index-url|find-links|config-settings|global-option|trusted-host|python|cert)|-f)(?:[ =]|$)/,
    can: 'bring packages from elsewhere or change settings',
  },
  {
    programs: 'nix',
    words: new RegExp(String.raw`${FRONT}(?:run|shell|develop|repl|bundle|profile)\b`),
    can: 'run other programs',
  },
  { programs: 'mise', words: /^(?:run|r|tasks run)(?: |$)/, can: 'run what the project says', spelled: 'task' },
  { programs: 'mise', words: /^(?:exec|x)(?: |$)/, can: 'run other programs', spelled: 'program' },
  {
    programs: 'mise asdf direnv',
    words: new RegExp(String.raw`${FRONT}(?:exec|x|run|r|settings|config|trust|allow|use|global|plugin|set)\b`),
    can: 'run other programs or change settings',
  },
  {
    programs: 'docker podman',
    words:
      /^(?:plugin|context (?:create|use|update|import)|login|trust|buildx (?:create|install)|--(?!version$)|-[Hcl])/,
    can: 'reach another service or change settings',
  },
  {
    programs: 'kubectl',
    words:
      /(?:^| )(?:--kubeconfig|--as|--server|-s|--token)(?:[ =]|$)|^(?:config (?:set|use|delete|rename|unset|view .*--raw)|proxy|plugin|krew)/,
    can: 'reach another service or change settings',
  },
  {
    programs: 'dotnet',
    words: /^(?:tool|new (?:install|-i)|nuget (?:add|push)|exec|fsi|script)\b|\.dll(?: |$)/,
    can: 'run other programs',
  },
];

const BY_NAME: ReadonlyMap<string, readonly RunningSubcommand[]> = new Map(
  TABLE.flatMap(({ programs }) => programs.split(' ')).map((name) => [
    name,
    TABLE.filter(({ programs }) => programs.split(' ').includes(name)),
  ]),
);

/**
 * The act of a subcommand, and the number of words after the program that a rule must spell out to mean it. Without a number, no rule with
 * a wildcard means it.
 */
export interface StrangeSubcommand {
  readonly can: string;
  readonly spelledOut?: number;
  /** The place of the program that it starts. */
  readonly startsAt?: number;
}

/** What makes the command more than its name says; undefined when nothing is known to. `program`: folded, without its folder. */
export function strangeSubcommand(program: string, args: readonly string[]): StrangeSubcommand | undefined {
  if (program === 'gh' && sendsToHoster(args)) return { can: 'change what lies at the hoster' };
  const text = args.join(' ');
  const row = BY_NAME.get(program)?.find(({ words }) => words.test(text));
  if (row?.spelled === undefined) return row;
  const count = (row.words.exec(text)?.[0] ?? '').trim().split(' ').length;
  if (row.spelled === 'task') return { can: row.can, spelledOut: count };
  const end = args.indexOf('--', count);
  const startsAt = end === -1 ? count : end + 1;
  return { can: row.can, spelledOut: startsAt + 1, startsAt };
}

/** `gh api`: a method that is not known to get, a body, or fields, which are sent unless it is told to get. */
function sendsToHoster([command, ...words]: readonly string[]): boolean {
  if (command !== 'api') return false;
  const methods = words.flatMap((word, at) => {
    const [, given] = /^(?:-X|--method=?)(.*)$/s.exec(word) ?? [];
    return given === undefined ? [] : [given === '' ? (words[at + 1] ?? '') : given.replace(/^=/, '')];
  });
  if (methods.some((method) => !/^(?:GET|HEAD)$/i.test(method))) return true;
  const hasFields = words.some((word) => /^(?:-[a-zA-Z]*[fF]|--(?:raw-)?field)/.test(word));
  if (words.some((word) => word.startsWith('--input'))) return true;
  return hasFields && methods.length === 0 && !asksGraph(words);
}

/**
 * Returns true for `gh api graphql -f query='query { … }'`: it is posted, but a document without a mutation only asks. `-F key=@file` sends
 * a file.
 */
function asksGraph([endpoint, ...words]: readonly string[]): boolean {
  const fields = words.flatMap((word, at) => {
    const [, option, given] = /^(-[fF]|--(?:raw-)?field)=?(.*)$/s.exec(word) ?? [];
    return option === undefined ? [] : [{ option, value: given === '' ? (words[at + 1] ?? '') : (given ?? '') }];
  });
  const queries = fields.filter(({ value }) => value.startsWith('query='));
  const asks = (text: string): boolean =>
    /^(?:\s|#[^\n]*\n)*(?:query\b|\{)/.test(text) && !/\b(?:mutation|subscription)\b/i.test(text);
  return (
    endpoint === 'graphql' &&
    queries.length === 1 &&
    queries.every(({ value }) => asks(value.slice('query='.length))) &&
    fields.every(({ option, value }) => option === '-f' || option === '--raw-field' || !/^[^=]*=@/.test(value)) &&
    !words.some((word) => /^-[a-zA-Z]+[fF]/.test(word))
  );
}

/** Commands of `sqlite3` itself, and functions by which it writes, loads and runs. */
const SQLITE_STRANGE =
  /(?:^|\n)[^\S\n]*\.|\b(?:load_extension|writefile|readfile|edit|fts3_tokenizer|attach|vacuum\s{1,100}into|sha3_query)\b/i;
const SQLITE_OPTION =
  /^--?(?:batch|bail|box|column|csv|echo|header|noheader|html|json|line|list|markdown|quote|readonly|safe|table|tabs)$/;

/** The part of a `sqlite3` command by which it may run a program or open other files; without a statement it reads commands. */
export function strangeInSqlite(args: readonly string[]): string | undefined {
  const strange = args.find((word) => (word.startsWith('-') ? !SQLITE_OPTION.test(word) : SQLITE_STRANGE.test(word)));
  const statements = args.filter((word) => !word.startsWith('-')).slice(1);
  const isVersion = args.length === 1 && /^--?version$/.test(args[0] ?? '');
  return isVersion ? undefined : (strange ?? (statements.length === 0 ? 'without a statement' : undefined));
}
