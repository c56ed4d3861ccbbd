/** The words that may stand first. `run` is what happens without one. */
export const COMMANDS = [
  'run',
  'tools',
  'call',
  'config',
  'undo',
  'redo',
  'log',
  'diff',
  'policy',
  'trust',
  'mcp',
  'acp',
  'memory',
  'skills',
  'agents',
  'extensions',
  'secrets',
  'sessions',
  'stats',
  'audit',
  'replay',
  'doctor',
  'demo',
  'start',
] as const;
export type CommandName = (typeof COMMANDS)[number];

export const COMMAND_LINES: Readonly<Record<CommandName, { readonly usage: string; readonly sentence: string }>> = {
  run: { usage: 'tenon [OPTIONS] ["PROMPT"]', sentence: 'Do what the prompt says; without one, open a session.' },
  tools: {
    usage: 'tenon tools [NAME] [--json]',
    sentence: 'List the tools, or show one with its parameters; check FILE tries the tools of a file out.',
  },
  call: { usage: 'tenon call TOOL JSON', sentence: 'Make one call, by the rules; JSON "-" reads it from stdin.' },
  config: { usage: 'tenon config [--json]', sentence: 'Show the settings in force and where each one is from.' },
  undo: { usage: 'tenon undo [N|ID]', sentence: 'Take back what the last call changed, the last N, or that one.' },
  redo: { usage: 'tenon redo', sentence: 'Take back the last undo.' },
  log: { usage: 'tenon log [N]', sentence: 'List what was changed here, the last first, with ids.' },
  diff: { usage: 'tenon diff [N|ID]', sentence: 'Show what the last call changed, the last N together, or that one.' },
  policy: {
    usage: 'tenon policy WHAT [WORD]',
    sentence: 'Look at rules: explain CALL, test, lint, simulate SESSION, grants, revoke RULE|N.',
  },
  trust: {
    usage: 'tenon trust [--yes|--revoke]',
    sentence: 'Show whether this folder is trusted and with what; agree to it, or take that back.',
  },
  mcp: {
    usage: 'tenon mcp WHAT [NAME]',
    sentence:
      'Servers of tools: list, get, add, add-json, import, remove, enable, disable, status, test, accept, login, logout; or serve.',
  },
  acp: { usage: 'tenon acp', sentence: 'Be the agent of an editor, by the Agent Client Protocol on stdin and stdout.' },
  memory: {
    usage: 'tenon memory [--json]',
    sentence: 'Show the context files that the model is told, and where facts are saved.',
  },
  skills: {
    usage: 'tenon skills [list|show NAME|check]',
    sentence: 'Show the skills that models are told of, one of them, or what is wrong with some.',
  },
  agents: {
    usage: 'tenon agents [list|show NAME|check]',
    sentence: 'Show the kinds of agents that work can be handed to, one of them, or what is wrong with some.',
  },
  extensions: {
    usage: 'tenon extensions [WHAT] [WORD]',
    sentence:
      'Folders that bring skills, agents, commands, servers, hooks and tools: list, show, check, install, uninstall.',
  },
  secrets: {
    usage: 'tenon secrets [list|explain NAME]',
    sentence: 'Show which secrets are hidden, or why a variable is one; never a value.',
  },
  sessions: { usage: 'tenon sessions [--json]', sentence: 'List the sessions of this project, the newest first.' },
  stats: {
    usage: 'tenon stats [--days N] [--all]',
    sentence: 'Add up prompts, calls, edits, approvals and tokens of the sessions of this project, or of all.',
  },
  audit: {
    usage: 'tenon audit verify|show [SESSION]',
    sentence: 'Check that a session log is whole and unchanged, or show what was done in it.',
  },
  replay: {
    usage: 'tenon replay SESSION',
    sentence: "Make a session's calls again on a copy of the folder, and compare.",
  },
  doctor: { usage: 'tenon doctor [--json]', sentence: 'Show what is installed, what is missing and how to get it.' },
  demo: { usage: 'tenon demo', sentence: 'Watch a recorded model find and fix a real bug.' },
  start: { usage: 'tenon start', sentence: 'Open a session; run the demo when no model is configured.' },
};

export interface OptionDefinition {
  readonly name: string;
  readonly short?: string;
  /** The word for its value in the help; absent for a switch. */
  readonly value?: string;
  /** True: the option also stands alone. */
  readonly hasOptionalValue?: boolean;
  readonly repeatable?: boolean;
  readonly sentence: string;
  readonly commands: readonly CommandName[];
}

const PEOPLE: readonly CommandName[] = ['run', 'start'];
const AGENT: readonly CommandName[] = [...PEOPLE, 'acp'];
/** Of a log of a session. */
const SESSIONS: readonly CommandName[] = ['sessions', 'audit', 'replay'];
const CHANGES: readonly CommandName[] = ['undo', 'redo', 'log', 'diff'];
const WORKSPACE: readonly CommandName[] = [
  ...AGENT,
  'tools',
  'call',
  'config',
  'policy',
  'trust',
  'mcp',
  'doctor',
  'memory',
  'skills',
  'agents',
  'extensions',
  'secrets',
  'stats',
  ...SESSIONS,
  ...CHANGES,
];
const RULES: readonly CommandName[] = [...AGENT, 'call', 'config', 'policy', 'mcp'];
const SERVERS: readonly CommandName[] = [...AGENT, 'tools', 'call', 'config', 'mcp'];

export const OPTIONS: readonly OptionDefinition[] = [
  { name: 'prompt', short: 'p', value: 'TEXT', sentence: 'The prompt. Piped input is added to it.', commands: ['run'] },
  {
    name: 'output-format',
    value: 'FORMAT',
    sentence: 'text, json (one object at the end) or stream-json (one event a line).',
    commands: ['run'],
  },
  {
    name: 'input-format',
    value: 'FORMAT',
    sentence: 'text, or stream-json: prompts and answers as JSON lines on stdin, one run for many.',
    commands: ['run'],
  },
  {
    name: 'approvals',
    value: 'WHO',
    sentence: 'With --input-format stream-json: stdin, whose lines answer questions, or nobody (default).',
    commands: ['run'],
  },
  { name: 'include-partial', sentence: 'With stream-json: words and output as they come.', commands: ['run'] },
  {
    name: 'json-schema',
    value: 'FILE|JSON',
    sentence: 'The answer is JSON that this schema allows, or the run ends with 11.',
    commands: ['run'],
  },
  { name: 'continue', short: 'c', sentence: 'Go on with the newest session of this project.', commands: PEOPLE },
  {
    name: 'resume',
    short: 'r',
    value: '[ID]',
    hasOptionalValue: true,
    sentence: 'Go on with that session; without an id, choose one.',
    commands: PEOPLE,
  },
  { name: 'fork', sentence: 'With continue and resume: go on in a copy.', commands: PEOPLE },
  {
    name: 'approval-mode',
    value: 'MODE',
    sentence: 'plan, default, auto_edit or yolo: what goes without a question.',
    commands: RULES,
  },
  { name: 'mode', value: 'MODE', sentence: 'With policy: the mode to judge by.', commands: ['policy'] },
  { name: 'allow', value: 'RULE', repeatable: true, sentence: 'A call that runs without a question.', commands: RULES },
  { name: 'ask', value: 'RULE', repeatable: true, sentence: 'A call that is always asked about.', commands: RULES },
  { name: 'deny', value: 'RULE', repeatable: true, sentence: 'A call that never runs.', commands: RULES },
  { name: 'model', short: 'm', value: 'NAME', sentence: 'The model to use.', commands: [...AGENT, 'config', 'doctor'] },
  {
    name: 'effort',
    value: 'LEVEL',
    sentence: 'How much the model thinks: none, minimal, low, medium, high, xhigh or max.',
    commands: [...AGENT, 'config'],
  },
  {
    name: 'max-turns',
    value: 'N',
    sentence: 'Requests to the model that one prompt may take.',
    commands: [...AGENT, 'config'],
  },
  { name: 'max-calls', value: 'N', sentence: 'Tool calls that it may make.', commands: [...AGENT, 'config'] },
  { name: 'max-seconds', value: 'N', sentence: 'Seconds that it may take.', commands: [...AGENT, 'config'] },
  {
    name: 'max-cost',
    value: 'AMOUNT',
    sentence: 'What it may cost, by the prices in the settings.',
    commands: [...AGENT, 'config'],
  },
  { name: 'cwd', value: 'FOLDER', sentence: 'The workspace. Default: the current folder.', commands: WORKSPACE },
  {
    name: 'add-dir',
    value: 'FOLDER',
    repeatable: true,
    sentence: 'One more folder of the workspace.',
    commands: WORKSPACE,
  },
  {
    name: 'turn',
    sentence: 'With undo and diff: all calls of the last prompt that changed something.',
    commands: ['undo', 'diff'],
  },
  { name: 'to', value: 'ID', sentence: 'With undo and diff: all calls after that one.', commands: ['undo', 'diff'] },
  { name: 'dry-run', sentence: 'With undo and redo: only say what would happen.', commands: ['undo', 'redo'] },
  {
    name: 'all',
    sentence: 'With policy revoke: every grant of the project. With stats: all projects.',
    commands: ['policy', 'stats'],
  },
  { name: 'days', value: 'N', sentence: 'With stats: only what was in the last N days.', commands: ['stats'] },
  {
    name: 'yes',
    sentence: 'With trust: trust the folder with what is shown. With mcp import: add all.',
    commands: ['trust', 'mcp'],
  },
  { name: 'revoke', sentence: 'With trust: take back what was decided.', commands: ['trust'] },
  { name: 'list', sentence: 'With trust: every folder that was decided on.', commands: ['trust'] },
  {
    name: 'mcp-config',
    value: 'FILE',
    repeatable: true,
    sentence: 'Servers beside those of the settings: a file like .mcp.json, or its JSON.',
    commands: SERVERS,
  },
  { name: 'strict-mcp-config', sentence: 'No servers but those of --mcp-config.', commands: SERVERS },
  { name: 'scope', value: 'PLACE', sentence: 'With mcp: user, project or mcp.json.', commands: ['mcp'] },
  { name: 'user', sentence: 'With mcp: --scope user.', commands: ['mcp'] },
  { name: 'project', sentence: 'With mcp: --scope project.', commands: ['mcp'] },
  { name: 'as', value: 'NAME', sentence: 'With mcp import: the name of the one server.', commands: ['mcp'] },
  { name: 'transport', value: 'KIND', sentence: 'With mcp add: stdio, http or sse.', commands: ['mcp'] },
  { name: 'env', value: 'K=V', repeatable: true, sentence: 'With mcp add: a variable for it.', commands: ['mcp'] },
  { name: 'header', value: 'K: V', repeatable: true, sentence: 'With mcp add: sent to it.', commands: ['mcp'] },
  { name: 'trust', sentence: 'With mcp add: what its tools say of themselves counts.', commands: ['mcp'] },
  { name: 'http', value: 'PORT', sentence: 'With mcp serve: on this port, 0 for any.', commands: ['mcp'] },
  { name: 'token-file', value: 'FILE', sentence: 'With mcp serve --http: holds the token.', commands: ['mcp'] },
  { name: 'tools', value: 'NAMES', repeatable: true, sentence: 'With mcp serve: only these tools.', commands: ['mcp'] },
  {
    name: 'json',
    sentence: 'With commands that show something: answer in JSON.',
    commands: [
      'tools',
      'call',
      'config',
      'policy',
      'trust',
      'mcp',
      ...CHANGES,
      ...SESSIONS,
      'stats',
      'doctor',
      'memory',
      'agents',
      'skills',
      'extensions',
      'secrets',
    ],
  },
  { name: 'quiet', short: 'q', sentence: 'No progress on stderr.', commands: ['run', 'call', 'demo', 'mcp'] },
  { name: 'theme', value: 'NAME', sentence: 'The colours of the session.', commands: PEOPLE },
  { name: 'plain', sentence: 'A session in plain lines, nothing drawn over.', commands: PEOPLE },
  { name: 'screen-reader', sentence: 'The same, for screen readers.', commands: PEOPLE },
  { name: 'help', short: 'h', sentence: 'Show this text, or that of one command.', commands: COMMANDS },
  { name: 'version', short: 'v', sentence: 'Show the version, as `tenon version` does.', commands: COMMANDS },
];
