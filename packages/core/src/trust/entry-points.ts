/**
 * When an entry point counts. `always`: it can only take away, or it starts nothing. `when trusted`: with the very content that the user
 * agreed to. `when looked at`: without a question in a trusted folder, as long as nothing would start a program. `never`: whatever is
 * trusted.
 */
export type Counts = 'always' | 'when trusted' | 'when looked at' | 'never';

/** One way in which what lies in a folder could run, be loaded or be obeyed. */
export interface EntryPoint {
  readonly name: string;
  /** Where it stands, relative to the folder. */
  readonly stands: string;
  /** What it would do. */
  readonly would: string;
  readonly counts: Counts;
  /** What happens instead where it does not count, or why it may count. */
  readonly instead: string;
}

/**
 * Every way in which a folder's own content could reach further than a text that is read. Whatever is added to Tenon that
 * takes anything from a folder gets a row here, and a case in the table test (`integration-tests/trust.test.ts`).
 */
export const ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: 'rules that allow',
    stands: '.tenon/settings.json: permissions.allow, tools.allowed',
    would: 'let calls run without a question',
    counts: 'when trusted',
    instead: 'The calls are asked about, or denied where nobody can be asked.',
  },
  {
    name: 'choice of the model',
    stands: '.tenon/settings.json: model.provider, model.name',
    would: 'choose what the conversation is sent to, at the endpoint of the user',
    counts: 'when trusted',
    instead: "The user's own choice counts.",
  },
  {
    name: 'address and key of the model',
    stands: '.tenon/settings.json: model.baseUrl, model.apiKeyEnv, model.apiKeyCommand, model.headers',
    would: "send the conversation and the user's key to another place, or any variable as the key, or run a command",
    counts: 'never',
    instead: 'Nobody sees at a question where an address leads: the user writes it into their own settings.',
  },
  {
    name: 'looser mode and limits',
    stands: '.tenon/settings.json: approvalMode, limits, files.readGitIgnored',
    would: 'ask less, go on for longer, read more',
    counts: 'never',
    instead: 'What the user has counts; only the stricter value of a project does.',
  },
  {
    name: 'rules that ask or deny',
    stands: '.tenon/settings.json: permissions.ask, permissions.deny, tools.core, tools.exclude',
    would: 'take calls and tools away',
    counts: 'always',
    instead: 'It can only tighten.',
  },
  {
    name: 'ignore files',
    stands: '.qwenignore, .gitignore, .git/info/exclude',
    would: 'keep files from the agent',
    counts: 'always',
    instead: 'It can only hide.',
  },
  {
    name: 'looking with git',
    stands: '.git',
    would: 'answer git status, log, diff and the like',
    counts: 'always',
    instead:
      'Git starts nothing for that. Where it would, or where it would show the history of elsewhere, its commands are asked about.',
  },
  {
    name: 'programs that git starts',
    stands:
      '.git/config (core.fsmonitor, filters, textconv, pagers, includes …), .git/hooks, .gitattributes, submodules',
    would: 'start programs when git only looks',
    counts: 'never',
    instead: 'Commands that start git are asked about. Git that Tenon itself starts gets a git folder of its own.',
  },
  {
    name: 'bare repositories',
    stands: 'any folder with HEAD, objects and refs',
    would: 'be taken for a repository, with its settings, after a cd',
    counts: 'never',
    instead: 'Commands that start git there are asked about.',
  },
  {
    name: 'programs in the folder',
    stands: 'git, rg, bash and others at the top, or in a folder of PATH below it',
    would: "run in place of the system's programs",
    counts: 'never',
    instead:
      'Tenon starts no program that lies in the workspace, but for one that trusted settings name. In commands, the system’s folders come first in PATH, and relative entries are left out.',
  },
  {
    name: 'start-up files of shells',
    stands: '.bashrc, .profile, .envrc and what BASH_ENV names',
    would: 'run before every command',
    counts: 'never',
    instead: 'Commands run in a shell that reads none, without BASH_ENV, ENV and exported functions.',
  },
  {
    name: 'variables',
    stands: '.env, .env.local',
    would: 'change keys, addresses, the search path, or where Tenon keeps its own files',
    counts: 'never',
    instead: 'They are files like any other.',
  },
  {
    name: 'instructions',
    stands: 'TENON.md, AGENTS.md, QWEN.md (else CLAUDE.md, GEMINI.md), and what they import',
    would: 'tell the model what to do',
    counts: 'when trusted',
    instead:
      "Their text is sent as information that the user has not vouched for, below the user's own words. They never permit anything.",
  },
  {
    name: 'settings of other agents',
    stands: '.qwen, .claude, .gemini, .codex, .cursor',
    would: 'loosen rules, start servers and hooks',
    counts: 'never',
    instead:
      'Only their deny and ask rules count, because these tighten. Commands (see below), imported servers, and hooks of files that `hooks.importFrom` names are exceptions.',
  },
  {
    name: 'hooks',
    stands: '.tenon/settings.json: hooks, and what hooks.importFrom names',
    would: 'run before and after calls, and say what may happen',
    counts: 'when trusted',
    instead:
      'They do not run. Scripts of the folder that they run are compared with what was agreed to before each run. What they allow opens nothing that a rule or the person closes.',
  },
  {
    name: 'servers',
    stands: '.tenon/settings.json: mcpServers, mcp.serverCommand',
    would: 'be started or reached, and offer tools',
    counts: 'when trusted',
    instead:
      '`tenon mcp list` only names them. When a script of the folder that one of them runs changes, that is a change of the file.',
  },
  {
    name: 'servers of the shared file',
    stands: '.mcp.json',
    would: 'be started or reached, and offer tools',
    counts: 'when trusted',
    instead: 'As above; the file is trusted by itself.',
  },
  {
    name: 'programs that print headers',
    stands: '.tenon/settings.json, .mcp.json: mcpServers with headersHelper',
    would: 'be run, and say who asks at a server',
    counts: 'when trusted',
    instead: 'They are not run. Before each run, scripts of the folder are compared with what was agreed to.',
  },
  {
    name: 'servers of other files',
    stands:
      '.tenon/mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .qwen/settings.json, .codex/config.toml, opencode.json',
    would: 'be started and offer tools',
    counts: 'never',
    instead:
      'Only by `tenon mcp import`, which a person runs: what they pick is written into settings, where trust decides as ever.',
  },
  {
    name: 'discovery commands',
    stands: '.tenon/settings.json: tools.discoveryCommand, tools.callCommand',
    would: 'be run, and offer tools',
    counts: 'when trusted',
    instead: 'They are not run, and scripts of theirs are watched as those of servers are.',
  },
  {
    name: 'language servers',
    stands:
      '.tenon/settings.json: lsp.servers; tsconfig.json, build scripts, plugins and what else a language server loads',
    would: 'be started, and load what the folder names',
    counts: 'when trusted',
    instead:
      'No language server is started in a folder that is not trusted, the built-in ones neither. In a trusted one its start is asked about, and refused in plan mode, unless the folder was trusted with what it runs as it is now.',
  },
  {
    name: 'compiler of the project',
    stands: 'node_modules/typescript, node_modules/.bin',
    would: 'be started or loaded to understand code',
    counts: 'when trusted',
    instead:
      'Language servers of the machine are no way around it. The program that is started is bound to its content, what it loads in turn is not.',
  },
  {
    name: 'commands',
    stands: '.tenon/commands, .qwen/commands, .claude/commands',
    would: 'say to the model, in the name of the person, what stands behind a name that they type',
    counts: 'when looked at',
    instead:
      'They are listed by name, are not read, and refuse. In a trusted folder what they have run is judged and asked about as any call.',
  },
  {
    name: 'tools in files',
    stands: '.tenon/tools',
    would: 'be loaded into Tenon, with what they import, and offered to the model',
    counts: 'when trusted',
    instead: 'They are not loaded. Each file is bound to its content; what packages hold is not compared.',
  },
  {
    name: 'agents and skills',
    stands: 'agents and skills in .tenon, .qwen, .claude and .agents',
    would: 'be offered to the model, which follows what they say',
    counts: 'when trusted',
    instead: 'They are listed as withheld; nothing of them is told to the model.',
  },
  {
    name: 'programs of agents and skills',
    stands: '.tenon/agents, .tenon/skills',
    would: 'be run when one is read',
    counts: 'never',
    instead: 'They are files like any other: a call that runs one is judged and asked about.',
  },
  {
    name: 'modules and package scripts',
    stands: 'node_modules, package.json, .npmrc',
    would: 'be loaded into Tenon, or run when it starts',
    counts: 'never',
    instead:
      'Tenon loads nothing but itself, and what trusted tools import; the compiler above runs in a process of its own.',
  },
];
