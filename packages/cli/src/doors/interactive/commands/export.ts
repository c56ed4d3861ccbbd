import { randomUUID } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, Failure, safeText } from '@tenon/core';
import { safeLine } from '../../../ui/safe-lines.js';
import { confirm } from '../panels/confirm.js';
import type { CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';
import { htmlOf } from './export/html.js';
import { markdownOf } from './export/markdown.js';
import { sessionEntries } from './export/session-entries.js';

const FORMATS = ['md', 'json', 'html'] as const;
type Format = (typeof FORMATS)[number];

/** `/export [FILE|md|json|html]`: the whole session as a file. One that is there is replaced only after a yes. */
export const exportCommand: CommandBody = {
  run: async (typed, context) => {
    const { agent, stage, signal } = context;
    const place = placeOf(typed, context);
    if (place === undefined) return say('The name must end in .md, .json or .html.');
    const { file, format } = place;
    if (await exists(file)) {
      const isAgreed = await confirm(stage, safeText`${safeLine(file)} is there already. Replace it?`, signal);
      if (!isAgreed) return say('Nothing was written.');
    }
    await writeWhole(file, contentOf(format, agent));
    return say(`The session is in ${file}. It holds all that was said and read: look through it before you share it.`);
  },
  complete: async (typed) => completionsOf(FORMATS, typed),
};

function placeOf(
  typed: string,
  { agent, preparation }: CommandContext,
): { readonly file: string; readonly format: Format } | undefined {
  const [root] = preparation.roots;
  const known = FORMATS.find((each) => each === typed.toLowerCase());
  const name = `tenon-session-${agent.sessionId.slice(0, 8)}`;
  if (typed === '' || known !== undefined) {
    const format = known ?? 'md';
    return { file: path.join(root, `${name}.${format}`), format };
  }
  const file = path.resolve(root, typed.replace(/^(["'])(.*)\1$/, '$2'));
  const ending = path.extname(file).slice(1).toLowerCase();
  const format = FORMATS.find((each) => each === ending.replace(/^htm$/, 'html').replace(/^markdown$/, 'md'));
  return format === undefined ? undefined : { file, format };
}

function contentOf(format: Format, { history, sessionId }: CommandContext['agent']): string {
  if (format === 'json') return `${JSON.stringify({ sessionId, events: history }, undefined, 2)}\n`;
  const entries = sessionEntries(history);
  return format === 'md' ? markdownOf(entries) : htmlOf(entries, `Session ${sessionId}`);
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

/** A link of that name is replaced, not written through. @throws Failure `not_exported` */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw new Failure('not_exported', `${file} could not be written: ${errorMessage(thrown)}`, { cause: thrown });
  }
}
