import {
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { ApprovalMode, isLooserMode, type Agent } from '@tenon/core';
import { trySetMode } from '../../slash/set-mode.js';

export const MODE_OPTION = 'mode';
export const MODEL_OPTION = 'model';

interface ModeWords {
  readonly name: string;
  readonly description: string;
}

const MODES: Readonly<Record<ApprovalMode, ModeWords>> = {
  [ApprovalMode.PLAN]: { name: 'Plan', description: 'Looks only; changes nothing.' },
  [ApprovalMode.DEFAULT]: { name: 'Default', description: 'Asks before it changes or runs anything.' },
  [ApprovalMode.AUTO_EDIT]: { name: 'Auto edit', description: 'Changes files of the workspace without a question.' },
  [ApprovalMode.YOLO]: { name: 'Yolo', description: 'Asks about nothing but what is beyond repair.' },
};

/** What of an agent the options are of. */
export type OptionsAgent = Pick<Agent, 'config' | 'model'>;

/** Modes above what the administrator allows are not offered. */
export function modesOf({ config }: Pick<Agent, 'config'>): SessionModeState {
  const ceiling = config.getApprovalCeiling()?.mode;
  const modes = Object.values(ApprovalMode).filter((mode) => ceiling === undefined || !isLooserMode(mode, ceiling));
  return {
    currentModeId: config.getApprovalMode(),
    availableModes: modes.map((id) => ({ id, ...MODES[id] })),
  };
}

/** `models`: names by which the same provider knows others. The current one is among the choices, whatever it is. */
export function configOptionsOf(agent: OptionsAgent, models: readonly string[]): SessionConfigOption[] {
  const { currentModeId, availableModes } = modesOf(agent);
  const current = agent.model.model;
  const names = [...new Set([current, ...models])].toSorted();
  return [
    {
      type: 'select',
      id: MODE_OPTION,
      category: 'mode',
      name: 'Approval',
      description: 'What goes without a question.',
      currentValue: currentModeId,
      options: availableModes.map(({ id, name, description }) => ({
        value: id,
        name,
        ...(typeof description === 'string' && { description }),
      })),
    },
    {
      type: 'select',
      id: MODEL_OPTION,
      category: 'model',
      name: 'Model',
      description: 'From the next request on.',
      currentValue: current,
      options: names.map((value) => ({ value, name: value })),
    },
  ];
}

/** @throws RequestError -32602 for a mode that there is not, or that is not permitted */
export function setMode(agent: Pick<Agent, 'config'>, modeId: string): void {
  const mode = Object.values(ApprovalMode).find((each) => each === modeId);
  const known = modesOf(agent).availableModes.map(({ id }) => id);
  if (mode === undefined) {
    throw RequestError.invalidParams(undefined, `There is no mode ${JSON.stringify(modeId)}: ${known.join(', ')}.`);
  }
  const problem = trySetMode(agent, mode);
  if (problem !== undefined) throw RequestError.invalidParams(undefined, problem);
}

/** Both ways of telling it, for clients of either age. */
export function modeUpdates(agent: OptionsAgent, models: readonly string[]): SessionUpdate[] {
  return [
    { sessionUpdate: 'current_mode_update', currentModeId: agent.config.getApprovalMode() },
    optionUpdate(agent, models),
  ];
}

export function optionUpdate(agent: OptionsAgent, models: readonly string[]): SessionUpdate {
  return { sessionUpdate: 'config_option_update', configOptions: configOptionsOf(agent, models) };
}
