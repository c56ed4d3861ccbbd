import { safeText } from '@tenon/core';
import { extensionsNamed, extensionsText, extensionText, partsText, whoseOf } from '../../../commands/extensions.js';
import { pickFromList } from '../panels/pick-from-list.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** `/extensions [NAME|list]`: a list to choose from, one of them, or all with what is wrong. As they were when Tenon started. */
export const extensionsCommand: CommandBody = {
  run: async (typed, context) => {
    const { bundles } = context.preparation.settings.extensions;
    if (typed === 'list' || bundles.length === 0) return say(extensionsText(bundles));
    if (typed === '') return pick(context);
    const named = extensionsNamed(typed, bundles);
    return say(typeof named === 'string' ? named : named.map(extensionText).join('\n'));
  },
  complete: async (typed, { preparation }) => {
    const list = { word: 'list', detail: 'all of them, with what is wrong' };
    const words = preparation.settings.extensions.bundles.map((each) => ({
      word: each.name,
      detail: `brings ${partsText(each)}`,
    }));
    return completionsOf([list, ...words], typed);
  },
};

async function pick({ preparation, stage, signal }: CommandContext): Promise<CommandAnswer> {
  const items = preparation.settings.extensions.bundles.map((value) => ({
    label: value.name,
    detail: `brings ${partsText(value)} (${whoseOf(value)}, ${value.state})`,
    value,
  }));
  const extension = await pickFromList(stage, { title: safeText`Which extension?`, items, filterable: true }, signal);
  return extension === undefined ? {} : say(extensionText(extension));
}
