import type { Command } from './command.js';
import { commandRow } from './command-row.js';

const CHANGES = '[N|ID|--turn]';

/** The commands that are built in, as /help lists them. A body is loaded when its command is used. */
export const BUILTIN_COMMANDS: readonly Command[] = [
  commandRow(
    {
      name: 'help',
      aliases: ['?', 'h'],
      usage: '[COMMAND]',
      sentence: 'What there is, or what one command does.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./help.js')).helpCommand,
  ),
  commandRow(
    { name: 'keys', sentence: 'What the keys do.', isAlwaysThere: true },
    async () => (await import('./keys.js')).keysCommand,
  ),
  commandRow(
    {
      name: 'mode',
      aliases: ['approval-mode'],
      usage: '[plan|default|auto_edit|yolo]',
      sentence: 'Shows or sets what goes without a question.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./mode.js')).modeCommand,
  ),
  commandRow(
    {
      name: 'plan',
      usage: '[show|off|WORDS]',
      sentence: 'Has the model plan before anything is changed; shows the last plan, or leaves plan mode.',
      completes: true,
    },
    async () => (await import('./plan.js')).planCommand,
  ),
  commandRow(
    { name: 'todos', sentence: "Shows the model's task list.", isAlwaysThere: true },
    async () => (await import('./todos.js')).todosCommand,
  ),
  commandRow(
    {
      name: 'model',
      usage: '[NAME]',
      sentence: 'Chooses which model answers from the next request on.',
      completes: true,
    },
    async () => (await import('./model.js')).modelCommand,
  ),
  commandRow(
    {
      name: 'effort',
      usage: '[LEVEL|default]',
      sentence: 'Shows or sets how much the model thinks, from the next request on.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./effort.js')).effortCommand,
  ),
  commandRow(
    { name: 'diff', usage: CHANGES, sentence: 'Shows what calls changed.', isAlwaysThere: true, completes: true },
    async () => (await import('./change-commands.js')).diffCommand,
  ),
  commandRow(
    { name: 'undo', usage: CHANGES, sentence: 'Takes it back.', completes: true },
    async () => (await import('./change-commands.js')).undoCommand,
  ),
  commandRow(
    { name: 'redo', sentence: 'Takes the last undo back.' },
    async () => (await import('./change-commands.js')).redoCommand,
  ),
  commandRow(
    { name: 'rewind', sentence: 'Goes back to before a message: the conversation, files, or both.' },
    async () => (await import('./rewind.js')).rewindCommand,
  ),
  commandRow(
    { name: 'clear', aliases: ['new'], sentence: 'Begins a new, empty session.' },
    async () => (await import('./clear.js')).clearCommand,
  ),
  commandRow(
    {
      name: 'resume',
      usage: '[SESSION]',
      sentence: 'Goes on with an earlier session of this project.',
      completes: true,
    },
    async () => (await import('./resume.js')).resumeCommand,
  ),
  commandRow(
    {
      name: 'compress',
      aliases: ['compact'],
      usage: '[FOCUS]',
      sentence: 'Makes the conversation shorter; the words behind it say what is kept above all.',
    },
    async () => (await import('./compress.js')).compressCommand,
  ),
  commandRow(
    { name: 'context', sentence: "Shows what fills the model's window.", isAlwaysThere: true },
    async () => (await import('./context.js')).contextCommand,
  ),
  commandRow(
    { name: 'cost', aliases: ['usage'], sentence: 'Shows what the session has used.', isAlwaysThere: true },
    async () => (await import('./cost.js')).costCommand,
  ),
  commandRow(
    {
      name: 'stats',
      usage: '[DAYS] [all]',
      sentence: 'Shows what the sessions of this project were, or of all projects.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./stats.js')).statsSlashCommand,
  ),
  commandRow(
    {
      name: 'tools',
      usage: '[NAME]',
      sentence: 'Lists what the model may call and what that costs, or shows one.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./tools.js')).toolsCommand,
  ),
  commandRow(
    {
      name: 'mcp',
      usage: '[reconnect NAME]',
      sentence: 'Lists servers with their tools and prompts, or connects one anew.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./mcp.js')).mcpCommand,
  ),
  commandRow(
    {
      name: 'policy',
      aliases: ['permissions'],
      usage: '[explain CALL|grants|revoke RULE]',
      sentence: 'Shows the rules in force, and what they say of a call.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./policy.js')).policyCommand,
  ),
  commandRow(
    {
      name: 'settings',
      aliases: ['config'],
      usage: '[KEY [VALUE]]',
      sentence: 'Shows all settings with where each is from, or changes one.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./settings.js')).settingsCommand,
  ),
  commandRow(
    { name: 'theme', usage: '[NAME]', sentence: 'Chooses the colours.', completes: true },
    async () => (await import('./theme.js')).themeCommand,
  ),
  commandRow(
    { name: 'export', usage: '[FILE|md|json|html]', sentence: 'Writes the session to a file.', completes: true },
    async () => (await import('./export.js')).exportCommand,
  ),
  commandRow(
    {
      name: 'memory',
      usage: '[show|edit|reload]',
      sentence: 'Shows the context files that the model is told, opens one, or reads them anew.',
      completes: true,
    },
    async () => (await import('./memory.js')).memoryCommand,
  ),
  commandRow(
    {
      name: 'skills',
      usage: '[NAME|list]',
      sentence: 'Lists the skills that are there, and shows one.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./skills.js')).skillsCommand,
  ),
  commandRow(
    {
      name: 'agents',
      usage: '[NAME|ID|stop ID]',
      sentence: 'Lists the kinds of agents and those that worked here, shows what one did, or stops one.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./agents.js')).agentsCommand,
  ),
  commandRow(
    {
      name: 'extensions',
      usage: '[NAME|list]',
      sentence: 'Lists the extensions that are there with what they bring, and shows one.',
      isAlwaysThere: true,
      completes: true,
    },
    async () => (await import('./extensions.js')).extensionsCommand,
  ),
  commandRow(
    { name: 'init', usage: '[WORDS]', sentence: 'Has the model write down what agents should know of this project.' },
    async () => (await import('./init.js')).initCommand,
  ),
  commandRow(
    {
      name: 'doctor',
      sentence: 'Shows what is installed, what is missing and how to get it.',
      isAlwaysThere: true,
    },
    async () => (await import('./doctor.js')).doctorSlashCommand,
  ),
  commandRow(
    { name: 'bug', usage: '[WORDS]', sentence: 'Writes a report of what went wrong to a file; nothing is sent.' },
    async () => (await import('./bug.js')).bugCommand,
  ),
  commandRow(
    { name: 'exit', aliases: ['quit', 'q'], sentence: 'Leaves.', isAlwaysThere: true },
    async () => (await import('./exit.js')).exitCommand,
  ),
];
