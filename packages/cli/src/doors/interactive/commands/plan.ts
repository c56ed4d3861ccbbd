import { ApprovalMode, errorMessage, Failure, type Agent } from '@tenon/core';
import type { CommandAnswer } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

const WORDS = [
  { word: 'show', detail: 'the plan that was approved last' },
  { word: 'off', detail: 'leaves plan mode without a plan' },
];

/** `/plan [show|off|WORDS]`: plan mode by hand; with words they are what is planned. */
export const planCommand: CommandBody = {
  run: async (typed, { agent }) => {
    const words = typed.trim();
    if (words === 'show') return say(lastPlan(agent) ?? 'No plan was approved in this session yet.');
    if (words === 'off') return say(leave(agent));
    return enter(words, agent);
  },
  complete: async (typed) => completionsOf(WORDS, typed),
};

type Planned = Pick<Agent, 'config'>;

function enter(words: string, agent: Planned): CommandAnswer {
  const { config } = agent;
  const isOn = config.getApprovalMode() === ApprovalMode.PLAN;
  config.setApprovalMode(ApprovalMode.PLAN);
  const told = isOn
    ? 'Plan mode is on already: nothing is changed. /plan off leaves it.'
    : 'Plan mode is on: nothing is changed until you approve a plan. /plan off leaves it.';
  if (words !== '') return { ...say(told), prompt: { text: words } };
  const plan = lastPlan(agent);
  return say(plan === undefined ? told : `${told}\n\n${plan}`);
}

/** Back to what was before; the administrator may hold it. */
function leave({ config }: Planned): string {
  if (config.getApprovalMode() !== ApprovalMode.PLAN)
    return `Plan mode is not on; the mode is ${config.getApprovalMode()}.`;
  try {
    config.setApprovalMode(config.getPlanning().modeBefore ?? ApprovalMode.DEFAULT);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return errorMessage(thrown);
  }
  return `The mode is now ${config.getApprovalMode()}.`;
}

function lastPlan({ config }: Planned): string | undefined {
  const plan = config.getPlanning().conversation?.plan();
  if (plan === undefined) return undefined;
  const where = plan.file === undefined ? '' : ` (${plan.file})`;
  return `The plan that you approved last${where}:\n\n${plan.text.trimEnd()}`;
}
