// Writes docs/reference/tools.md, settings.md, commands.md and keys.md from the sources. With `--check`, only says whether they are current.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import { ApprovalMode, createToolSystem, SETTINGS } from '../packages/core/dist/index.js';

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url));
const GENERATED = 'Made from the sources by `node scripts/generate-docs.mjs`.';

async function tools() {
  const base = mkdtempSync(join(tmpdir(), 'tenon-docs-'));
  try {
    const system = await createToolSystem({
      roots: [base],
      tenonHome: join(base, 'home'),
      userHome: base,
      approvalMode: ApprovalMode.DEFAULT,
      rules: [],
      environment: {},
    });
    const pages = system.config.getToolRegistry().getAllTools().map(toolSection);
    await system.close();
    return `# Tools\n\nWhat the model is told about each tool. ${GENERATED}\n\n${pages.join('\n\n')}\n`;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function toolSection(tool) {
  const required = new Set(tool.schema.required ?? []);
  const rows = Object.entries(tool.schema.properties ?? {}).map(
    ([name, schema]) =>
      `| \`${name}\` | ${typeName(schema)} | ${required.has(name) ? 'yes' : ''} | ${cell(schema.description ?? '')} |`,
  );
  const aliases = Object.entries(tool.parameterAliases).map(([alias, name]) => `\`${alias}\` for \`${name}\``);
  return [
    `## \`${tool.name}\` (${tool.displayName})`,
    plain(tool.description),
    ['| parameter | type | required | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    aliases.length > 0 ? `Also accepted: ${aliases.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function typeName(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  return schema.type === 'array' ? `list of ${typeName(schema.items ?? {})}` : String(schema.type ?? 'any');
}

/** Text as text: what Markdown would read as markup is escaped. */
const plain = (text) => text.replaceAll(/[\\*_<>[\]|`]/g, '\\$&');
const cell = (text) => plain(text).replaceAll('\n', ' ');

const PROJECT = {
  free: 'counts',
  stricter: 'counts where it is stricter',
  trusted: 'counts once the folder is trusted with it',
  ignored: 'is ignored',
};

function settings() {
  const rows = SETTINGS.map(
    ({ key, sentence, default: value, project, aliases }) =>
      `| \`${key}\`${(aliases ?? []).map((alias) => ` (or \`${alias}\`)`).join('')} | ${cell(sentence)} | ${value === undefined ? '' : `\`${JSON.stringify(value)}\``} | ${PROJECT[project]} |`,
  );
  return `# Settings

JSON with comments, in \`~/.tenon/settings.json\` (or below \`TENON_HOME\`) for you and in \`.tenon/settings.json\` for a project;
an administrator bounds both in the machine's own file, such as \`/etc/tenon/settings.json\` (see the guide on rules and approvals).
\`tenon config\` shows the values that hold and where each comes from. ${GENERATED}

| key | meaning | default | in a project's file |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

const interactive = fileURLToPath(new URL('../packages/cli/src/doors/interactive/', import.meta.url));

/** A module of the terminal as it is in the sources. What it loads only when it is used is left out. */
async function terminalModule(file) {
  const withoutBodies = {
    name: 'without-bodies',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : undefined,
      ),
  };
  const { outputFiles } = await build({
    entryPoints: [join(interactive, file)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    plugins: [withoutBodies],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

async function commands() {
  const { BUILTIN_COMMANDS } = await terminalModule('commands/command-list.ts');
  const rows = BUILTIN_COMMANDS.map(({ name, usage, sentence, aliases = [], isAlwaysThere }) => {
    const also = aliases.map((alias) => `\`/${alias}\``).join(', ');
    const call = `/${name}${usage === undefined ? '' : ` ${usage}`}`.replaceAll('|', '\\|');
    return `| \`${call}\` | ${cell(sentence)} | ${also} | ${isAlwaysThere === true ? 'yes' : ''} |`;
  });
  return `# Commands of a session

What can be typed behind a slash. Those that may be used while the model works run at once; the others wait in line. Commands of
your own and the prompts of servers come on top (see [the terminal](../guide/terminal.md)). ${GENERATED}

| command | what it does | also | while the model works |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

async function keys() {
  const { bindKeys, describeKeys } = await terminalModule('composer/key-bindings.ts');
  const bindings = bindKeys();
  const described = describeKeys(bindings);
  const rows = bindings.rows.map(({ action }, index) => {
    const { keys: names, does } = described[index];
    return `| \`${action}\` | ${names.map((name) => `\`${name}\``).join(', ')} | ${cell(does).replaceAll('\\`', '`')} |`;
  });
  return `# Keys

What the keys do while you type. \`ui.keys\` gives an action other keys, by its name: \`{"ui": {"keys": {"openTranscript": "f2"}}}\`
(see [the terminal](../guide/terminal.md)). ${GENERATED}

| action | keys | what it does |
| --- | --- | --- |
${rows.join('\n')}
`;
}

let stale = 0;
for (const [name, text] of [
  ['tools.md', await tools()],
  ['settings.md', settings()],
  ['commands.md', await commands()],
  ['keys.md', await keys()],
]) {
  const file = join(folder, name);
  const page = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
  if (!process.argv.includes('--check')) writeFileSync(file, page);
  else if (readFileSync(file, 'utf8') !== page) {
    console.error(`docs/reference/${name} is not current: run node scripts/generate-docs.mjs`);
    stale++;
  }
}
process.exitCode = stale === 0 ? 0 : 1;
