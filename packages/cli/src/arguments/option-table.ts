/** The words that may stand first. `run` is what happens without one. */
export const COMMANDS = ['run', 'tools', 'call', 'config', 'undo', 'redo', 'log', 'diff', 'demo', 'start'] as const;
export type CommandName = (typeof COMMANDS)[number];

export const COMMAND_LINES: Readonly<Record<CommandName, { readonly usage: string; readonly sentence: string }>> = {
  run: { usage: 'tenon [OPTIONS] ["PROMPT"]', sentence: 'Do what the prompt says; without one, open a session.' },
  tools: { usage: 'tenon tools [NAME] [--json]', sentence: 'List the tools, or show one with its parameters.' },
  call: { usage: 'tenon call TOOL JSON', sentence: 'Make one call, by the rules; JSON "-" reads it from stdin.' },
  config: { usage: 'tenon config [--json]', sentence: 'Show the settings in force and where each one is from.' },
  undo: { usage: 'tenon undo [N|ID]', sentence: 'Take back what the last call changed, the last N, or that one.' },
  redo: { usage: 'tenon redo', sentence: 'Take back the last undo.' },
  log: { usage: 'tenon log [N]', sentence: 'List what was changed here, the last first, with ids.' },
  diff: { usage: 'tenon diff [N|ID]', sentence: 'Show what the last call changed, the last N together, or that one.' },
  demo: { usage: 'tenon demo', sentence: 'Watch a recorded model find and fix a real bug.' },
  start: { usage: 'tenon start', sentence: 'Open a session; run the demo when no model is configured.' },
};

export interface OptionDefinition {
  readonly name: string;
  readonly short?: string;
  /** The word for its value in the help; absent for a switch. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly sentence: string;
  readonly commands: readonly CommandName[];
}

const AGENT: readonly CommandName[] = ['run', 'start'];
const CHANGES: readonly CommandName[] = ['undo', 'redo', 'log', 'diff'];
const WORKSPACE: readonly CommandName[] = ['run', 'start', 'tools', 'call', 'config', ...CHANGES];
const RULES: readonly CommandName[] = ['run', 'start', 'call', 'config'];

export const OPTIONS: readonly OptionDefinition[] = [
  { name: 'prompt', short: 'p', value: 'TEXT', sentence: 'The prompt. Piped input is added to it.', commands: ['run'] },
  {
    name: 'output-format',
    value: 'FORMAT',
    sentence: 'text, json (one object at the end) or stream-json (one event a line).',
    commands: ['run'],
  },
  {
    name: 'approval-mode',
    value: 'MODE',
    sentence: 'plan, default, auto_edit or yolo: what goes without a question.',
    commands: RULES,
  },
  { name: 'allow', value: 'RULE', repeatable: true, sentence: 'A call that runs without a question.', commands: RULES },
  { name: 'ask', value: 'RULE', repeatable: true, sentence: 'A call that is always asked about.', commands: RULES },
  { name: 'deny', value: 'RULE', repeatable: true, sentence: 'A call that never runs.', commands: RULES },
  { name: 'model', short: 'm', value: 'NAME', sentence: 'The model to use.', commands: [...AGENT, 'config'] },
  {
    name: 'max-turns',
    value: 'N',
    sentence: 'Requests to the model that one prompt may take.',
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
    name: 'json',
    sentence: 'With tools, call, config, undo, redo, log and diff: answer in JSON.',
    commands: ['tools', 'call', 'config', ...CHANGES],
  },
  { name: 'quiet', short: 'q', sentence: 'No progress on stderr.', commands: ['run', 'call', 'demo'] },
  { name: 'help', short: 'h', sentence: 'Show this text.', commands: COMMANDS },
  { name: 'version', short: 'v', sentence: 'Show the version.', commands: COMMANDS },
];
