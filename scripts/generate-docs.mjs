// Writes what of the documentation comes from the sources: pages of the reference, parts of the pages of tools, the index for
// models. With `--check`, only says what is not current. `--docs FOLDER`: another folder than `docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { llmsIndex } from './docs/llms.mjs';
import { commands, keys, settings } from './docs/reference.mjs';
import { builtinTools, toolPages, toolsOverview } from './docs/tools.mjs';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, docs: { type: 'string' } } });
const standard = fileURLToPath(new URL('../docs/', import.meta.url));
const docs = values.docs === undefined ? standard : resolve(values.docs);

const { pages, problems } = toolPages(await builtinTools(), join(docs, 'tools'));
const texts = new Map([
  ['reference/tools.md', toolsOverview(pages)],
  ['reference/settings.md', settings()],
  ['reference/commands.md', await commands()],
  ['reference/keys.md', await keys()],
  ...Array.from(pages, ([{ name }, page]) => [`tools/${name}.md`, page]),
]);
const formatted = new Map();
for (const [path, text] of texts) {
  const options = await resolveConfig(join(standard, path));
  formatted.set(path, await format(text, { ...options, parser: 'markdown' }));
}
formatted.set('llms.txt', llmsIndex(docs, formatted));

for (const [path, text] of formatted) {
  const file = join(docs, path);
  if (!values.check) writeFileSync(file, text);
  else if (textOf(file) !== text) problems.push(`${path} is not current: run node scripts/generate-docs.mjs`);
}
for (const problem of problems) console.error(`docs/${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
