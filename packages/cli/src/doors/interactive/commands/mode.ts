import { ApprovalMode, isLooserMode, parseApprovalMode, type Agent } from '@tenon/core';
import { trySetMode } from '../../../slash/set-mode.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

const DOES: Readonly<Record<ApprovalMode, string>> = {
  [ApprovalMode.PLAN]: 'looks only, changes nothing',
  [ApprovalMode.DEFAULT]: 'asks before it changes or runs anything',
  [ApprovalMode.AUTO_EDIT]: 'changes files of the workspace without a question',
  [ApprovalMode.YOLO]: 'asks about nothing but what is beyond repair',
};

/** `/mode [NAME]`: what goes without a question. */
export const modeCommand: CommandBody = {
  run: async (typed, { agent }) => {
    const [argument] = typed.split(/\s+/, 1);
    return say(setMode(argument === '' ? undefined : argument, agent));
  },
  complete: async (typed, { agent }) => {
    const ceiling = agent.config.getApprovalCeiling()?.mode;
    const modes = Object.values(ApprovalMode).filter((mode) => ceiling === undefined || !isLooserMode(mode, ceiling));
    return completionsOf(
      modes.map((word) => ({ word, detail: DOES[word] })),
      typed,
    );
  },
};

/** What was done, or why not. Undefined only asks. */
export function setMode(argument: string | undefined, agent: Pick<Agent, 'config'>): string {
  if (argument === undefined) return `The mode is ${agent.config.getApprovalMode()}.\n`;
  const mode = parseApprovalMode(argument);
  if (mode === undefined) return `"${argument}" is not a mode: plan, default, auto_edit, yolo.\n`;
  return `${trySetMode(agent, mode) ?? `The mode is now ${mode}.`}\n`;
}
