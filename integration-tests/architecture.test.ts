import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ToolNames } from '../packages/core/src/tools/tool-names.js';
import { checkAmbientAccess } from './architecture/ambient-access.js';
import { checkComments } from './architecture/comments.js';
import { checkFileNames } from './architecture/file-names.js';
import { showFinding, type Check } from './architecture/finding.js';
import { checkFaces, checkModuleState, checkSyntax } from './architecture/forbidden-syntax.js';
import { checkImportCycles } from './architecture/import-cycles.js';
import { checkCliImports, checkImportTable } from './architecture/import-table.js';
import { checkSizes } from './architecture/size-limits.js';
import { checkToolNames } from './architecture/tool-name-literals.js';
import { readSourceFiles, type SourceFile } from './source-files.js';

const toolNames = Object.values(ToolNames).filter((name) => typeof name === 'string');
const packages = readSourceFiles('packages', /\.tsx?$/).filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
const everything = [
  ...packages,
  ...['integration-tests', 'examples', 'bench', 'scripts'].flatMap((folder) =>
    readSourceFiles(folder, /\.(?:ts|tsx|mjs)$/),
  ),
];
const core = packages.filter(({ path }) => path.startsWith('packages/core/src/'));

const show = (check: Check, files: readonly SourceFile[]): string[] => check(files).map(showFinding);

type Row = readonly [fact: string, check: Check, files: readonly SourceFile[]];

const NO_SUCH_SYNTAX = 'no any, no !, no enum, no default export, no module mock (S3)';
/** They look at each file by itself. */
const OF_FILES: readonly Row[] = [
  ['files and functions keep within their lines', checkSizes, everything],
  [NO_SUCH_SYNTAX, checkSyntax, everything],
  ['faces list their names', checkFaces, packages],
  ['modules hold no state', checkModuleState, packages],
  ['no check is switched off, no work left as a comment', checkComments, everything],
  ['the engine reads nothing from its surroundings and prints nothing', checkAmbientAccess, core],
  ['tools are known by their effects, not by their names', (files) => checkToolNames(files, toolNames), packages],
];

/** What each of these finds, file by file, so that a file is parsed once for all of them. */
function findInFiles(): ReadonlyMap<string, readonly string[]> {
  const rows = OF_FILES.map(([fact, check, files]) => ({ fact, check, files: new Set(files), shown: [] as string[] }));
  for (const file of everything)
    for (const { check, files, shown } of rows) if (files.has(file)) shown.push(...show(check, [file]));
  return new Map(rows.map(({ fact, shown }) => [fact, shown]));
}

let inFiles: ReadonlyMap<string, readonly string[]> | undefined;
const findingsOf = (fact: string): readonly string[] | undefined => (inFiles ??= findInFiles()).get(fact);

describe('the house', () => {
  it('is read: all packages and folders are there', () => {
    expect(core.length).toBeGreaterThan(50);
    expect(packages.length).toBeGreaterThan(core.length);
    expect(everything.length).toBeGreaterThan(packages.length);
    expect(toolNames).toContain('read_file');
  });

  it.each<Row>([
    ['arrows of the engine point down', checkImportTable, core],
    ['the command line knows the engine by its faces, and no door another', checkCliImports, packages],
    ['no files import one another in a circle', checkImportCycles, everything],
    ['files are named in kebab-case or as the specification says (S19)', checkFileNames, everything],
  ])('%s', (_fact, check, files) => {
    expect(show(check, files)).toEqual([]);
  });

  it.each(OF_FILES)('%s', (fact) => {
    expect(findingsOf(fact)).toEqual([]);
  });
});

describe('imports', () => {
  it('name the .js file, as ES modules do, and types as types (S20)', () => {
    const relativeImports = packages.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/^(?:import|export) [^;]*? from '(\.[^']*)';$/gms), (match) => ({
        path,
        to: match[1] ?? '',
      })),
    );
    expect(relativeImports.length).toBeGreaterThan(500);
    expect(relativeImports.filter(({ to }) => !to.endsWith('.js'))).toEqual([]);
    // That types are imported as types is the compiler's check.
    const base = readFileSync(new URL('../tsconfig.base.json', import.meta.url), 'utf8');
    expect(base).toContain('"verbatimModuleSyntax": true');
    expect(base).toContain('"strict": true');
  });

  it('lead to the files that the specification names for the contract (S3, S15, S16, S17, S18)', () => {
    const paths = core.map(({ path }) => path.replace('packages/core/src/', ''));
    const named = ['tools/tools.ts', 'tools/tool-registry.ts', 'tools/tool-names.ts', 'config/config.ts'];
    expect(named.filter((path) => !paths.includes(path))).toEqual([]);
    expect(findingsOf(NO_SUCH_SYNTAX)).toEqual([]);
  });
});

describe('the checks', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text });
  const inCore = (path: string, text: string): SourceFile => file(`packages/core/src/${path}`, text);
  const inCli = (path: string, text: string): SourceFile => file(`packages/cli/src/${path}`, text);
  const lines = (count: number): string => 'const a = 1;\n'.repeat(count);

  it('find imports against the direction, of any form', () => {
    const text = [
      "import type { Tool } from '../tools/tools.js';",
      "export { b } from '../scheduler/b.js';",
      "type C = import('../agent/c.js').C;",
      "const d = await import('../models/d.js');",
      "import { e } from '../util/e.js';",
      "import { f } from './f.js';",
      "import { g } from '@tenon/core';",
      "import { h } from '../../../cli/src/h.js';",
      "import ignore from 'ignore';",
    ].join('\n');
    expect(show(checkImportTable, [inCore('files/a.ts', text)])).toEqual([
      'packages/core/src/files/a.ts:1 files may not import tools.',
      'packages/core/src/files/a.ts:2 files may not import scheduler.',
      'packages/core/src/files/a.ts:3 files may not import agent.',
      'packages/core/src/files/a.ts:4 files may not import models.',
      'packages/core/src/files/a.ts:7 files may not import @tenon/core.',
      'packages/core/src/files/a.ts:8 files may not import ../../../cli/src/h.js.',
    ]);
    expect(checkImportTable([inCore('files/a.test.ts', text)])).toEqual([]);
  });

  it('let a tool name the type of Config, as document A does, and nothing more of what lies above (S20, S44)', () => {
    const typed = inCore('tools/my-tool.ts', "import type { Config } from '../config/config.js';");
    const config = inCore('config/config.ts', "import { MyTool } from '../tools/my-tool.js';");
    expect([...checkImportTable([typed, config]), ...checkImportCycles([typed, config])]).toEqual([]);
    for (const text of [
      "import { Config } from '../config/config.js';",
      "import type { ConfigOptions } from '../config/config.js';",
      "import type { Agent } from '../agent/agent.js';",
    ])
      expect(checkImportTable([inCore('tools/my-tool.ts', text)])).toHaveLength(1);
    expect(checkImportTable([inCore('files/a.ts', typed.text)])).toHaveLength(1);
  });

  it('find folders and top files without a line in the table', () => {
    const found = show(checkImportTable, [inCore('helpers/a.ts', ''), inCore('extra.ts', ''), inCore('util/a.ts', '')]);
    expect(found).toEqual([
      'packages/core/src/helpers/a.ts:1 helpers has no line in the import table.',
      'packages/core/src/extra.ts:1 extra.ts has no line in the import table.',
    ]);
  });

  it('find a command line that reaches into the engine, and doors that know one another', () => {
    const text = [
      "import { a } from '@tenon/core';",
      "import { b } from '@tenon/core/testing';",
      "import { c } from '@tenon/core/dist/c.js';",
      "import { d } from '../../../../core/src/d.js';",
      "import type { E } from '../headless/e.js';",
      "import { f } from './f.js';",
      "import { g } from '../../ui/g.js';",
    ].join('\n');
    expect(show(checkCliImports, [inCli('doors/acp/a.ts', text)])).toEqual([
      expect.stringContaining('acp/a.ts:3 The command line may import'),
      expect.stringContaining('acp/a.ts:4 The command line may import'),
      expect.stringContaining('acp/a.ts:5 The door acp may not import the door headless.'),
    ]);
  });

  it('find circles of imports, type imports included', () => {
    const two = [
      file('x/a.ts', "import type { B } from './b.js';"),
      file('x/b.ts', "import { C } from './c.js';"),
      file('x/c.ts', "export * from './a.js';\nexport * from './d.js';"),
      file('x/d.ts', ''),
      file('x/self.ts', "import './self.js';"),
    ];
    expect(show(checkImportCycles, two)).toEqual([
      'x/a.ts:1 Import cycle of 3 files: x/a.ts → x/b.ts → x/c.ts → x/a.ts.',
      'x/self.ts:1 Import cycle of 1 files: x/self.ts → x/self.ts.',
    ]);
    expect(checkImportCycles(two.slice(1, 4))).toEqual([]);
  });

  it('find files and functions that are too long', () => {
    expect(
      checkSizes([inCore('a.ts', lines(400)), inCore('tools/b.ts', lines(250)), inCore('c.test.ts', lines(900))]),
    ).toEqual([]);
    expect(show(checkSizes, [inCore('a.ts', lines(401)), inCore('tools/b.ts', lines(251))])).toEqual([
      'packages/core/src/a.ts:401 The file has 401 lines; 400 are allowed.',
      'packages/core/src/tools/b.ts:251 The file has 251 lines; 250 are allowed.',
    ]);
    const body = (count: number): string => '  call();\n'.repeat(count);
    const long = `const a = 1;\nfunction b() {\n${body(79)}}\nconst c = () => {\n${body(78)}};\nclass D {\n  e() {\n${body(79)}}\n}\n`;
    expect(show(checkSizes, [inCore('a.ts', long)])).toEqual([
      'packages/core/src/a.ts:2 The function has 81 lines; 80 are allowed.',
      'packages/core/src/a.ts:164 The function has 81 lines; 80 are allowed.',
    ]);
  });

  it('find each forbidden piece of syntax, and not its name in a string', () => {
    const text = [
      'const a = (b: any): unknown => b;',
      'const c = list[0]!.name;',
      'class D { e!: string }',
      'enum F { G }',
      'const enum H { I }',
      'export default a;',
      'export { a as default };',
      'export default function j() {}',
      "vi.mock('./k.js');",
      "const l = 'any enum export default vi.mock !';",
      'const m = a !== c && !a;',
      'vi.fn();',
    ].join('\n');
    const found = checkSyntax([inCore('a.test.ts', text)]).map(({ line }) => line);
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('find a face that exports all of a file', () => {
    const text =
      "export * from './a.js';\nexport type * from './b.js';\nexport * as c from './c.js';\nexport { d } from './d.js';";
    expect(checkFaces([inCore('index.ts', text)]).map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(checkFaces([inCore('tools/tools.ts', text)])).toEqual([]);
  });

  it('find state at the top of a module', () => {
    const text = [
      'let a = 1;',
      'export var b = 2;',
      'const c = new Map<string, string>();',
      'const d: string[] = [];',
      'const e = {};',
      'const f = new Set([1]);',
      'const g = [1];',
      'function h() { let i = 1; return i; }',
      'declare let j: number;',
    ].join('\n');
    expect(checkModuleState([inCore('a.ts', text)]).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    expect(checkModuleState([inCore('a.test.ts', text)])).toEqual([]);
  });

  it('find comments that switch checks off or leave work undone, and not their words in strings', () => {
    const text = [
      '// eslint-disable-next-line no-console',
      '/* oxlint-disable */',
      '// @ts-ignore',
      'const a = 1; // @ts-expect-error: later',
      '/**\n * TODO: more\n */',
      'const b = "// TODO"; const c = /[/]/; const d = `// FIXME ${a /* FIXME */} // @ts-nocheck`;',
      '// a word such as todoWrite or TODOS is fine',
    ].join('\n');
    expect(checkComments([inCore('a.ts', text)]).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 8]);
  });

  it('find an engine that looks around or prints', () => {
    const text = [
      'const a = process.env.HOME;',
      'const b = process.cwd();',
      "process.stdout.write('');",
      'const c = globalThis.process.stdin;',
      'console.log(1);',
      'const { env } = process;',
      "const d = process['env'];",
      "import { e } from 'node:process';",
      'const f = process.platform;',
      "const g = 'process.env';",
      'run({ process: 1 }).process.env;',
    ].join('\n');
    expect(checkAmbientAccess([inCore('files/a.ts', text)]).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(checkAmbientAccess([inCore('testing/a.ts', text), inCli('a.ts', text), inCore('a.test.ts', text)])).toEqual(
      [],
    );
  });

  it('find tool names that are spelled out', () => {
    const text = [
      "const a = 'read_file';",
      'const b = `Use read_file or ${a}`;',
      "if (call.toolName === 'edit') act();",
      "registry.getTool('glob');",
      "switch (toolName) { case 'edit': break; }",
      "const c = { toolName: 'edit' };",
      "const kind = 'edit';",
      "const d = 'my_read_file';",
      "const e = { type: 'edit' };",
    ].join('\n');
    const check: Check = (files) => checkToolNames(files, ['read_file', 'edit', 'glob']);
    expect(check([inCore('agent/a.ts', text)]).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    const own = `class T {\n  static readonly Name = 'read_file';\n}`;
    expect(check([inCore('tools/read-file.ts', own), inCore('policy/tool-aliases.ts', text)])).toEqual([]);
    expect(check([inCore('agent/read-file.ts', own)])).toHaveLength(1);
  });

  it('find files that are not named in kebab-case', () => {
    const good = ['tools/ripGrep.ts', 'tools/todoWrite.test.ts', 'tools/read-file.ts', 'a1/b.test.ts'];
    expect(checkFileNames(good.map((path) => inCore(path, '')))).toEqual([]);
    const bad = ['tools/readFile.ts', 'agent/todoWrite.ts', 'My/a.ts', 'a_b.ts', 'a..ts'];
    expect(checkFileNames(bad.map((path) => inCore(path, '')))).toHaveLength(bad.length);
  });
});
