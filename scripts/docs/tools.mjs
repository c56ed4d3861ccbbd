// The pages of the tools: what of them comes from the sources, and the list of all of them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApprovalMode, createToolSystem, ToolNames } from '../../packages/core/dist/index.js';
import { namesTool, peerNames, subjectOf } from '../../packages/core/dist/policy/tool-aliases.js';
import { ownToolNames } from '../../packages/core/dist/testing/own-tools.js';
import { McpResourceTool } from '../../packages/core/dist/tools/mcp-resource.js';
import { ToolSearchTool } from '../../packages/core/dist/tools/tool-search.js';
import { cell, firstSentence, GENERATED, plain } from './markdown.mjs';

const BEGIN = '<!-- generated -->';
const END = '<!-- /generated -->';

/** All tools that Tenon brings, those that come only with servers too, in the order in which models see them. */
export async function builtinTools() {
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
    const registered = system.config.getToolRegistry().getAllTools();
    await system.close();
    // As with the server of the example project.
    const search = new ToolSearchTool({ sources: () => new Map([['garden', 2]]) });
    const resources = new McpResourceTool({ servers: () => [] });
    const all = [...registered, search, resources];
    const unknown = Object.values(ToolNames).filter((name) => !all.some((tool) => tool.name === name));
    if (unknown.length > 0) throw new Error(`nobody makes these tools here: ${unknown.join(', ')}`);
    const own = ownToolNames(system.config);
    return all.filter(({ name }) => own.includes(name));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** The pages as they should be, by tool; what is wrong with those that there are. */
export function toolPages(tools, folder) {
  const written = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const names = new Set(tools.map(({ name }) => `${name}.md`));
  const problems = written.filter((name) => !names.has(name)).map((name) => `tools/${name} is of no tool: remove it`);
  const pages = new Map();
  for (const tool of tools) {
    const file = `${tool.name}.md`;
    const page = written.includes(file) ? readFileSync(join(folder, file), 'utf8') : '';
    const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
    if (page === '') problems.push(`tools/${file} is missing: write it, as the others are`);
    else if (begin === -1 || end < begin) problems.push(`tools/${file} has no place between ${BEGIN} and ${END}`);
    else pages.set(tool, `${page.slice(0, begin + BEGIN.length)}\n\n${generatedPart(tool)}\n\n${page.slice(end)}`);
  }
  return { pages, problems };
}

function generatedPart(tool) {
  return [factsOf(tool), toldOf(tool), ...parametersOf(tool)].join('\n\n');
}

function factsOf({ name, displayName, kind }) {
  const other = peerNames(name);
  const all = [...new Set([name, displayName, ...other])];
  const ofTool = all.filter((each) => namesTool(subjectOf(each), name));
  const ofEffect = all.filter((each) => subjectOf(each).by === 'effect');
  const rows = [
    ['name', code([name])],
    ['on screens', displayName],
    ['kind', kind],
    ['in rules, each call of it', code(ofTool)],
    ['in rules, whatever tool does it', code(ofEffect)],
    ['in hooks, also', code(other)],
  ];
  return [
    '| | |',
    '| --- | --- |',
    ...rows.filter(([, value]) => value !== '').map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

const code = (names) => names.map((name) => `\`${name}\``).join(', ');

/** A text of several lines is laid out by its author. */
function toldOf({ description }) {
  const text = description.trim();
  const shown = text.includes('\n') ? `\`\`\`text\n${text}\n\`\`\`` : `> ${plain(text)}`;
  return `What the model is told:\n\n${shown}`;
}

function parametersOf({ schema, parameterAliases }) {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    parameterRows(name, property, required.has(name)),
  );
  if (rows.length === 0) return ['It has no parameters.'];
  const aliases = Object.entries(parameterAliases).map(([alias, name]) => `\`${alias}\` for \`${name}\``);
  return [
    ['| parameter | type | required | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n'),
    ...(aliases.length > 0 ? [`Also accepted: ${aliases.join(', ')}.`] : []),
  ];
}

/** A row for the parameter, and one for each of its own where it is an object or a list of objects. */
function parameterRows(name, schema, isRequired) {
  const inner = schema.items?.properties === undefined ? schema : schema.items;
  const needed = new Set(inner.required ?? []);
  const below = Object.entries(inner.properties ?? {}).flatMap(([key, property]) =>
    parameterRows(inner === schema ? `${name}.${key}` : `${name}[].${key}`, property, needed.has(key)),
  );
  const row = `| \`${name}\` | ${typeName(schema)} | ${isRequired ? 'yes' : ''} | ${cell(schema.description ?? '')} |`;
  return [row, ...below];
}

function typeName(schema) {
  if (schema.enum) return code(schema.enum);
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeName({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {})}`;
  const { minimum, maximum } = schema;
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum.toLocaleString('en')}`]),
    ...(maximum === undefined ? [] : [`to ${maximum.toLocaleString('en')}`]),
  ];
  return [String(schema.type ?? 'any'), ...bounds].join(' ');
}

/** `pages`: as `toolPages` gives them. */
export function toolsOverview(pages) {
  const rows = Array.from(
    pages,
    ([{ name, displayName }, page]) =>
      `| [\`${name}\`](../tools/${name}.md) | ${displayName} | ${(firstSentence(page) ?? '').replaceAll('|', '\\|')} |`,
  );
  return `# Tools

Each tool that Tenon brings has its page: what it is for, what it answers and refuses, its limits, and when you are asked.
${GENERATED}

| tool | on screens | what it is for |
| --- | --- | --- |
${rows.join('\n')}

\`tenon tools\` lists those that there are for you, with those of [servers](../guide/mcp.md), [discovered ones](../guide/discovered-tools.md) and
[your own](../guide/custom-tools.md). In [rules](../guide/rules-and-approvals.md), in hooks and in \`tenon call\` tools have further names; each page
tells them.

## About the examples

The examples on these pages are run with every test of Tenon, and what they print is compared with the page. They run in the
[example project](../tools/example-project/) as \`/home/you/project\`, for each page in a new copy of it, one after the other.

- A command is run by a shell, where nobody can be asked. What is printed on standard output and on standard error stands together.
- Calls that are told as JSON are made by a scripted model in one session, in the order of the page, in mode \`yolo\`; below each stands what the
  model reads. An \`answer\` is what the person says when asked.
- Settings on a page are yours (\`~/.tenon/settings.json\`) for what comes below them.
- \`ID\` stands for identifiers that are new each time, \`1 s\` for durations below half a minute, and \`localhost:8080\` for a site on the same
  machine. Blanks at ends of lines are left out.

\`TENON_WRITE_EXAMPLES=1 npx vitest run --project integration integration-tests/tool-pages.test.ts\` writes what is printed into the pages, to be read
before it is believed.
`;
}
