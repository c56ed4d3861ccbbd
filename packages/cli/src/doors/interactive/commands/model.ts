import { safeText } from '@tenon/core';
import { pickFromList } from '../panels/pick-from-list.js';
import type { CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';
import { switchModel } from '../../../slash/switch-model.js';

/** `/model [NAME]`: which model answers from the next request on, of those that the endpoint has. */
export const modelCommand: CommandBody = {
  run: async (typed, context) => {
    const { agent, stage, signal } = context;
    if (typed !== '') return say((await switchModel(typed, context)).told);
    const names = await namesOf(context);
    if (names.length === 0)
      return say(`The model is ${agent.model.label}. Its endpoint lists no others; /model NAME asks for one by name.`);
    const picked = await pickFromList(
      stage,
      {
        title: safeText`Which model answers from now on?`,
        items: names.map((value) => ({
          label: value,
          ...(value === agent.model.model && { detail: 'now' }),
          value,
        })),
        filterable: true,
        preselected: agent.model.model,
      },
      signal,
    );
    return picked === undefined ? {} : say((await switchModel(picked, context)).told);
  },
  complete: async (typed, context) => completionsOf(await namesOf(context), typed),
};

function namesOf({ endpoint, signal }: CommandContext): Promise<readonly string[]> {
  return endpoint.list(signal);
}
