import { linearPattern } from '../util/linear-pattern.js';
import { problemOfText } from '../process/shell-invocation.js';
import { SHELL_NAMES, type ShellProgram } from '../process/shell-program.js';
import { MAX_COMMAND_LENGTH } from '../shell/command-length.js';
import { errorMessage } from '../util/failure.js';
import { SHORT_LOOK_MS } from './shell-report.js';
import type { Ready } from './shell-run.js';
import { ToolNames } from './tool-names.js';

export interface ShellToolParams {
  command: string;
  /** For the person who is asked. */
  description?: string;
  /** Milliseconds. */
  timeout?: number;
  /** Absolute, inside the workspace. */
  directory?: string;
  is_background?: boolean;
  ready?: Ready;
  /** A pipe as stdin, which the tool for input writes to. */
  input?: boolean;
  /** A terminal of its own. */
  tty?: boolean;
  /** The person is asked to have it run outside the sandbox. */
  unsandboxed?: boolean;
}

const DEFAULT_TIMEOUT_MS = 120_000;
export const MAX_TIMEOUT_MS = 600_000;
const READY_WITHIN_MS = 30_000;

/** What a model must know to write for the shell. */
const SYNTAX: Readonly<Record<ShellProgram, string>> = {
  bash: '',
  powershell: ' Write its syntax, which has no && and no ||.',
  pwsh: ' Write its syntax, not that of bash.',
  cmd: ' Write its syntax, on one line.',
};
const FILE_COMMANDS: Readonly<Record<ShellProgram, string>> = {
  bash: 'cat, sed, ls, find and grep',
  powershell: 'Get-Content, Get-ChildItem and Select-String',
  pwsh: 'Get-Content, Get-ChildItem and Select-String',
  cmd: 'type, dir and findstr',
};

/** The same text for as long as the setting stays. */
export function shellDescription(program: ShellProgram): string {
  return `Runs a command line in ${SHELL_NAMES[program]} and returns stdout and stderr together, in order.${SYNTAX[program]}
- Each call is a fresh shell, unless the user keeps folder and variables. What is left running is ended.
- stdin is empty and there is no terminal; pagers and editors are off. Use options such as -y or -m.
- Servers and watchers: is_background, with ready to wait until they can be used. At its time limit a command becomes such a job.
- Long output keeps its beginning and end; all of it is saved to a file that the result names.
- Prefer the file and search tools to ${FILE_COMMANDS[program]}.`;
}

export function shellSchema(program: ShellProgram) {
  const command = { type: 'string', description: `The ${SHELL_NAMES[program]} command line.` };
  return { ...SCHEMA, properties: { command, ...SCHEMA.properties } };
}

const SCHEMA = {
  type: 'object',
  properties: {
    description: { type: 'string', description: 'What it does, in one short sentence.' },
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      description: `Milliseconds. Default ${DEFAULT_TIMEOUT_MS}.`,
    },
    directory: { type: 'string', description: 'Folder to run in, absolute. Default: the workspace root.' },
    is_background: { type: 'boolean', description: 'Start it as a job and return.' },
    ready: {
      type: 'object',
      description: 'With is_background: wait until this port of the machine answers or a line matches.',
      properties: {
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        pattern: { type: 'string', description: 'Regular expression.' },
      },
      additionalProperties: false,
    },
    input: { type: 'boolean', description: `Give it a stdin that ${ToolNames.JOB_INPUT} writes to.` },
    tty: { type: 'boolean', description: 'The same, with a terminal.' },
    unsandboxed: { type: 'boolean', description: 'Ask the user to run it outside the sandbox that denied it.' },
  },
  required: ['command'],
  additionalProperties: false,
};

/** How long a call waits when it does not say. */
export function defaultWait(isBackground: boolean, ready: Ready | undefined): number {
  if (!isBackground) return DEFAULT_TIMEOUT_MS;
  return ready === undefined ? SHORT_LOOK_MS : READY_WITHIN_MS;
}

/** What the schema cannot say, or null. */
export function problemOfParams(params: ShellToolParams, program: ShellProgram): string | null {
  if (params.command.trim() === '') return 'command must not be empty. Give a command line such as "npm test".';
  if (params.command.includes('\0'))
    return "command must not contain a NUL character. Write \\0 in printf or $'…' instead.";
  if (params.command.length > MAX_COMMAND_LENGTH) {
    return `command must not be longer than ${MAX_COMMAND_LENGTH} characters. Write it to a file and run the file.`;
  }
  return problemOfText(program, params.command, process.platform) ?? problemOfReady(params);
}

function problemOfReady({ ready, is_background: isBackground }: ShellToolParams): string | null {
  if (ready === undefined) return null;
  if (isBackground !== true) return 'ready is only for commands in the background. Set is_background too.';
  if (ready.port === undefined && ready.pattern === undefined) return 'ready needs a port or a pattern.';
  try {
    if (ready.pattern !== undefined) linearPattern(ready.pattern);
    return null;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}
