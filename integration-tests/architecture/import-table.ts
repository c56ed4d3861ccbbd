import type { SourceFile } from '../source-files.js';
import { isTest, type Finding } from './finding.js';
import { importsOf, type Import } from './imports.js';

const CORE = 'packages/core/src/';
const DOORS = 'packages/cli/src/doors/';
const FACES: ReadonlySet<string> = new Set(['@tenon/core', '@tenon/core/testing']);

const BASE = ['util', 'effects'];
const SERVICES = [
  'schema',
  'files',
  'editing',
  'search',
  'shell',
  'process',
  'network',
  'journal',
  'policy',
  'sandbox',
  'trust',
  'output',
  'mcp',
  'lsp',
  'memory',
  'web',
  'subagents',
  'skills',
  'secrets',
  'planning',
];
const TOOLS = [...BASE, ...SERVICES, 'runtime.ts', 'tools'];
/** What a run of the agent needs. */
const RUN = [...TOOLS, 'hooks', 'scheduler', 'models', 'agent'];
/** What stands around it. */
const AROUND = ['session', 'config', 'extensions'];
const ENGINE = [...RUN, ...AROUND, 'telemetry', 'delegation', 'agent-types.ts'];
const ALL = [...ENGINE, 'screen', 'settings', 'create-tool-system.ts', 'create-agent.ts'];

/** Which parts of the engine a part may use. A part is a folder of `packages/core/src`, or a file right in it. */
export const IMPORT_TABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ['util', []],
  ['effects', ['util']],
  ['schema', ['util']],
  ['files', BASE],
  ['editing', BASE],
  ['search', [...BASE, 'files']],
  ['shell', BASE],
  ['process', BASE],
  ['network', ['util']],
  ['journal', [...BASE, 'files', 'search', 'process']],
  ['policy', BASE],
  ['sandbox', [...BASE, 'policy', 'process', 'network']],
  ['trust', [...BASE, 'files', 'process']],
  ['output', BASE],
  ['mcp', [...BASE, 'schema', 'process', 'network', 'trust']],
  ['lsp', [...BASE, 'files', 'search', 'process']],
  ['web', [...BASE, 'files', 'network', 'sandbox']],
  ['memory', [...BASE, 'files', 'editing']],
  ['subagents', [...BASE, 'files', 'policy']],
  ['skills', [...BASE, 'files', 'policy']],
  ['secrets', [...BASE, 'files', 'memory', 'search']],
  ['planning', [...BASE, 'policy']],
  ['screen', BASE],
  [
    'runtime.ts',
    [
      ...BASE,
      'files',
      'process',
      'policy',
      'sandbox',
      'search',
      'mcp',
      'lsp',
      'memory',
      'web',
      'subagents',
      'skills',
      'secrets',
      'planning',
    ],
  ],
  ['tools', [...BASE, ...SERVICES, 'runtime.ts']],
  ['hooks', [...BASE, 'policy', 'process', 'network', 'trust']],
  ['scheduler', [...TOOLS, 'hooks']],
  ['models', ['util', 'network']],
  ['agent', [...TOOLS, 'hooks', 'scheduler', 'models']],
  ['session', RUN],
  [
    'settings',
    [
      ...BASE,
      'schema',
      'policy',
      'process',
      'sandbox',
      'trust',
      'models',
      'mcp',
      'lsp',
      'hooks',
      'web',
      'subagents',
      'skills',
    ],
  ],
  ['config', TOOLS],
  ['extensions', [...RUN, 'config']],
  ['telemetry', [...RUN, 'session']],
  ['delegation', [...RUN, ...AROUND, 'agent-types.ts']],
  ['agent-types.ts', [...RUN, ...AROUND, 'telemetry']],
  ['create-tool-system.ts', ENGINE],
  ['create-agent.ts', ALL],
  ['client', ALL],
  ['index.ts', [...ALL, 'client']],
  ['testing', ALL],
]);

/** Arrows of the engine point down only; a part that the table does not know is a finding. Tests are free. */
export function checkImportTable(
  files: readonly SourceFile[],
  table: ReadonlyMap<string, readonly string[]> = IMPORT_TABLE,
): Finding[] {
  const sources = files.filter(({ path }) => path.startsWith(CORE) && !isTest(path));
  const strangers = [...new Map(sources.map((file) => [partOf(file.path), file.path] as const))]
    .filter(([part]) => !table.has(part))
    .map(([part, path]) => ({ path, line: 1, message: `${part} has no line in the import table.` }));
  const wrong = sources.flatMap(importsOf).filter((one) => {
    if (one.target === undefined) return one.specifier.startsWith('@tenon/');
    if (!one.target.startsWith(CORE)) return true;
    const [from, to] = [partOf(one.from), partOf(one.target)];
    return from !== to && table.has(from) && table.get(from)?.includes(to) !== true;
  });
  return [...strangers, ...wrong.map((one) => finding(one, `${partOf(one.from)} may not import ${nameOf(one)}.`))];
}

/** The command line knows the engine by its two faces only, and no door knows another. */
export function checkCliImports(files: readonly SourceFile[]): Finding[] {
  const imports = files.filter(({ path }) => path.startsWith('packages/cli/src/') && !isTest(path)).flatMap(importsOf);
  const inside = imports
    .filter(({ specifier, target }) =>
      target === undefined
        ? specifier.startsWith('@tenon/') && !FACES.has(specifier)
        : !target.startsWith('packages/cli/src/'),
    )
    .map((one) => finding(one, `The command line may import ${[...FACES].join(' and ')} only, not ${one.specifier}.`));
  const doors = imports
    .filter(({ from, target }) => {
      const other = target === undefined ? undefined : doorOf(target);
      return doorOf(from) !== undefined && other !== undefined && other !== doorOf(from);
    })
    .map((one) => finding(one, `The door ${doorOf(one.from)} may not import the door ${doorOf(one.target ?? '')}.`));
  return [...inside, ...doors];
}

function partOf(path: string): string {
  return path.slice(CORE.length).split('/')[0] ?? '';
}

function doorOf(path: string): string | undefined {
  return path.startsWith(DOORS) ? path.slice(DOORS.length).split('/')[0] : undefined;
}

function nameOf(one: Import): string {
  return one.target?.startsWith(CORE) === true ? partOf(one.target) : one.specifier;
}

function finding(one: Import, message: string): Finding {
  return { path: one.from, line: one.line, message };
}
