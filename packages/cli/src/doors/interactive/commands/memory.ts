import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { count, memoryOverview, reloadMemory, safeText, type MemoryOverview } from '@tenon/core';
import { memoryText } from '../../../commands/memory.js';
import { createEditText } from '../edit-text.js';
import { pickFromList } from '../panels/pick-from-list.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** `/memory [show|edit|reload]`: the context files that the model is told. */
export const memoryCommand: CommandBody = {
  run: async (typed, context) => {
    const { config } = context.agent;
    switch (typed) {
      case '':
      case 'show':
        return say(memoryText(await memoryOverview(config)));
      case 'reload':
        return reloaded(context);
      case 'edit':
        return edit(await memoryOverview(config), context);
      default:
        return say('Write /memory, /memory edit or /memory reload.');
    }
  },
  complete: async (typed) =>
    completionsOf(
      [
        { word: 'show', detail: 'what the model is told' },
        { word: 'edit', detail: 'opens a file in your editor' },
        { word: 'reload', detail: 'reads the files anew' },
      ],
      typed,
    ),
};

async function reloaded({ agent }: CommandContext): Promise<CommandAnswer> {
  const notices = await reloadMemory(agent.config);
  return say(notices.length === 0 ? 'Nothing has changed.' : notices.map(({ text }) => text).join('\n'));
}

/** The person's own edit: no call of the model, so that it is none of the journal. */
async function edit(overview: MemoryOverview, context: CommandContext): Promise<CommandAnswer> {
  const { stage, signal, surroundings, preparation } = context;
  const { saved, files } = overview;
  const paths = [
    ...new Set([
      saved.project,
      ...(saved.global === undefined ? [] : [saved.global]),
      ...files.map((file) => file.path),
    ]),
  ];
  const items = paths.map((value) => ({ label: value, value }));
  const file = await pickFromList(stage, { title: safeText`Which file?`, items, filterable: true }, signal);
  if (file === undefined) return {};
  const before = await readFile(file, 'utf8').catch(() => '');
  const editor = preparation.settings.values['ui.editor']?.value;
  const env = editor === undefined ? surroundings.env : { ...surroundings.env, VISUAL: editor };
  const editText = createEditText(env, surroundings.tempFolder);
  const after = await stage.lend(() => editText(before, path.basename(file), signal));
  if (after === before) return say('Nothing was changed.');
  await writeFile(file, after);
  await reloadMemory(context.agent.config);
  return say(`${file} has ${count(Buffer.byteLength(after), 'byte')} now.`);
}
