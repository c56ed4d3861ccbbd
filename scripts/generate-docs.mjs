// Writes docs/reference/tools.md and settings.md from the sources. With `--check`, only says whether they are current.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

let stale = 0;
for (const [name, text] of [
  ['tools.md', await tools()],
  ['settings.md', settings()],
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
