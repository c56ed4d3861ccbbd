import {
  createPainter,
  errorMessage,
  Failure,
  joinSafe,
  openUndo,
  safeText,
  type Agent,
  type AgentOptions,
  type RevertReport,
  type Safe,
} from '@tenon/core';
import { wordSelection } from '../../../changed-calls.js';
import { diffLines, revertLines } from '../../../ui/changes-view.js';
import { safeBlock, safeLine } from '../../../ui/safe-lines.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf } from './lines.js';

/** Paths of one undo that the model is told. */
const MOST_PATHS = 20;

export type ChangeVerb = 'diff' | 'undo' | 'redo';

export interface ChangeCommandOptions {
  readonly agent: Pick<Agent, 'config'>;
  /** Whose changes are shown and taken back. */
  readonly project: Pick<AgentOptions, 'roots' | 'tenonHome'>;
  /** Where the answer will be shown. */
  readonly screen: { readonly colors: boolean; readonly columns: () => number };
}

/** `/diff [N|ID|--turn]`: what calls changed. */
export const diffCommand: CommandBody = bodyOf('diff');
/** `/undo [N|ID|--turn]`: takes it back. */
export const undoCommand: CommandBody = bodyOf('undo');
/** `/redo`: takes the last undo back. */
export const redoCommand: CommandBody = bodyOf('redo');

function bodyOf(verb: ChangeVerb): CommandBody {
  const run: CommandBody['run'] = async (typed, context) => {
    const [word] = typed.split(/\s+/, 1);
    return changeCommand(verb, word === '' ? undefined : word, optionsOf(context));
  };
  if (verb === 'redo') return { run };
  const words = [
    { word: '--turn', detail: 'all that the last turn changed' },
    { word: '2', detail: 'the last two calls' },
  ];
  return { run, complete: async (typed) => completionsOf(words, typed) };
}

function optionsOf({ agent, preparation, surroundings, stage }: CommandContext): ChangeCommandOptions {
  return {
    agent,
    project: { roots: preparation.roots, tenonHome: surroundings.tenonHome },
    screen: { colors: stage.theme().name !== 'no-colour', columns: () => stage.size().columns },
  };
}

/** Shows, takes back or makes again what calls changed. */
export async function changeCommand(
  verb: ChangeVerb,
  word: string | undefined,
  { agent, project, screen }: ChangeCommandOptions,
): Promise<CommandAnswer & { readonly shown: Safe }> {
  const undo = openUndo(project);
  try {
    // What jobs changed until now counts as well.
    await agent.config.getFileChanges().catchUp();
    if (verb === 'diff') {
      const look = { paint: createPainter(screen.colors), colour: screen.colors, columns: screen.columns() };
      return { shown: diffLines(await undo.diff(wordSelection(word)), look) };
    }
    const report = await (verb === 'undo' ? undo.undo(wordSelection(word)) : undo.redo());
    const shown = revertShown(report);
    return report.entryId === undefined ? { shown } : { shown, forModel: revertNote(report) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { shown: safeBlock(`${errorMessage(thrown)}\n`) };
  }
}

/** What was taken back or made again, with what went wrong. */
export function revertShown(report: RevertReport): Safe {
  const problems = report.problems.map((problem) => safeText`${safeLine(problem)}\n`);
  return joinSafe([...problems, revertLines(report, '/')], safeText``);
}

/** What the model must be told: the files are no longer as it left them. */
export function revertNote({ kind, files }: RevertReport): string {
  const paths = files.filter(({ result }) => result !== 'left' && result !== 'unchanged').map(({ path }) => path);
  const shown = paths.slice(0, MOST_PATHS).join(', ') + (paths.length > MOST_PATHS ? ' and others' : '');
  const what = kind === 'undo' ? 'took back changes of' : 'made changes again that had been taken back, in';
  return `[The user ${what}: ${shown}. Read these files again before you rely on them.]`;
}
