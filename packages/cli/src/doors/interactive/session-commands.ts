import {
  createPainter,
  errorMessage,
  Failure,
  joinSafe,
  openUndo,
  parseApprovalMode,
  safeText,
  type Agent,
  type AgentOptions,
  type RevertReport,
  type Safe,
  type Selection,
} from '@tenon/core';
import { countOf } from '../../changed-calls.js';
import type { Output } from '../../output.js';
import { diffLines, revertLines } from '../../ui/changes-view.js';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';

/** Paths of one undo that the model is told. */
const MOST_PATHS = 20;

const HELP = `Write what should be done, then Enter. Ctrl-C cancels what runs; twice on an empty line leaves.
  /mode [plan|default|auto_edit|yolo]  show or set what goes without a question
  /diff [N|ID|--turn]                  show what the last call changed, the last N, one, the turn
  /undo [N|ID|--turn]                  take it back
  /redo                                take back the last undo
  /mcp [reconnect NAME]                servers with their tools and prompts, or connect one anew
  /NAME:PROMPT [key=value …]           a prompt of a server
  /help                                this text
  /exit                                leave
`;

export interface SessionCommands {
  readonly agent: Pick<Agent, 'config'>;
  /** Whose changes are shown and taken back. */
  readonly project: Pick<AgentOptions, 'roots' | 'tenonHome'>;
  /** Where the answer will be shown. */
  readonly screen: Pick<Output, 'colors' | 'columns'>;
}

export interface CommandAnswer {
  readonly shown: Safe;
  /** What the model must be told with the next prompt: the files are no longer as it left them. */
  readonly forModel?: string;
}

/** Runs a slash command, but for /exit. */
export async function sessionCommand(text: string, session: SessionCommands): Promise<CommandAnswer> {
  const [name = '', argument] = text.split(/\s+/, 2);
  switch (name) {
    case '/help':
      return { shown: safeBlock(HELP) };
    case '/mode':
      return { shown: safeBlock(setMode(argument, session.agent)) };
    case '/diff':
    case '/undo':
    case '/redo':
      return changes(name, argument, session);
    default:
      return { shown: safeBlock(`There is no ${name}. /help lists what there is.\n`) };
  }
}

function setMode(argument: string | undefined, { config }: SessionCommands['agent']): string {
  if (argument === undefined) return `The mode is ${config.getApprovalMode()}.\n`;
  const mode = parseApprovalMode(argument);
  if (mode === undefined) return `"${argument}" is not a mode: plan, default, auto_edit, yolo.\n`;
  try {
    config.setApprovalMode(mode);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return `${errorMessage(thrown)}\n`;
  }
  return `The mode is now ${mode}.\n`;
}

async function changes(
  name: '/diff' | '/undo' | '/redo',
  word: string | undefined,
  { agent, project, screen }: SessionCommands,
): Promise<CommandAnswer> {
  const undo = openUndo(project);
  try {
    // What jobs changed until now counts as well.
    await agent.config.getFileChanges().catchUp();
    if (name === '/diff') {
      const look = { paint: createPainter(screen.colors), colour: screen.colors, columns: screen.columns() };
      return { shown: diffLines(await undo.diff(selectionOf(word)), look) };
    }
    const report = await (name === '/undo' ? undo.undo(selectionOf(word)) : undo.redo());
    const problems = report.problems.map((problem) => safeText`${safeLine(problem)}\n`);
    const shown = joinSafe([...problems, revertLines(report)], safeText``);
    return report.entryId === undefined ? { shown } : { shown, forModel: noteOf(report) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { shown: safeBlock(`${errorMessage(thrown)}\n`) };
  }
}

function noteOf({ kind, files }: RevertReport): string {
  const paths = files.filter(({ result }) => result !== 'left' && result !== 'unchanged').map(({ path }) => path);
  const shown = paths.slice(0, MOST_PATHS).join(', ') + (paths.length > MOST_PATHS ? ' and others' : '');
  const what = kind === 'undo' ? 'took back changes of' : 'made changes again that had been taken back, in';
  return `[The user ${what}: ${shown}. Read these files again before you rely on them.]`;
}

/** In the words of `tenon undo`. @throws ExitFailure */
function selectionOf(word: string | undefined): Selection {
  if (word === undefined) return { last: 1 };
  if (word === '--turn') return { lastTurn: true };
  const count = countOf(word);
  return count === undefined ? { id: word } : { last: count };
}
