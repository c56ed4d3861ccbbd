import { spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../../testing/temp-config.js';
import type { WorkspaceEntry } from '../../testing/temp-workspace.js';
import { BaseDeclarativeTool } from '../../tools/tools.js';
import { CustomTool } from './custom-tool.js';
import type { DefinedTool } from '../../tools/defined/defined-tool.js';
import { Guard } from './guard.js';
import { loadCustomTools, type LoadedTools } from './load-custom-tools.js';

let temp: TempConfig;
let guard: Guard;
const failures: string[] = [];

beforeEach(async () => {
  temp = await createTempConfig();
  guard = new Guard({ wrote: () => undefined, failed: (name) => failures.push(name) });
});
afterEach(async () => {
  guard.close();
  await temp.remove();
});

async function load(files: Readonly<Record<string, WorkspaceEntry>>, importMs = 2_000): Promise<LoadedTools> {
  await temp.workspace.write(files);
  return loadCustomTools({
    folders: [{ origin: 'user', folder: temp.workspace.path('tools') }],
    runtime: temp.config,
    guard,
    isBuiltin: () => false,
    importMs,
  });
}

const definition = (name: string, text: string): string =>
  `defineTool({ name: '${name}', description: 'd', parameters: { type: 'object' }, execute: () => ${text} })`;
const FACE = `import { defineTool } from '@tenon/core';\n`;
const tool = (name: string, text: string): string => `${FACE}export default ${definition(name, text)};\n`;

const signal = new AbortController().signal;

/** What each tool answers, by name. */
async function answers({ tools, problems }: LoadedTools): Promise<Record<string, unknown>> {
  expect(problems).toEqual([]);
  const all = await Promise.all(tools.map(async (each) => [each.name, (await each.execute({}, signal)).llmContent]));
  return Object.fromEntries(all) as Record<string, unknown>;
}

/** What was wrong, without the folder. */
const told = ({ problems }: LoadedTools): string[] =>
  problems.map((problem) => problem.replaceAll(`${temp.workspace.path('tools')}/`, ''));

describe('loadCustomTools', () => {
  it('finds modules of every ending and the index of folders, and leaves helpers, tests and hidden files alone', async () => {
    const names = ['a.ts', 'b.mts', 'c.js', 'd.mjs', 'e/index.ts', 'f/index.js'];
    const entries = Object.fromEntries(names.map((file, at) => [`tools/${file}`, tool(`tool_${at}`, `'${file}'`)]));
    const boom = `throw new Error('loaded');`;
    const left = [
      '_h.ts',
      'g.test.ts',
      'h.d.ts',
      '.i.ts',
      'lib/j.ts',
      'e/k.ts',
      'node_modules/l/index.js',
      'm.txt',
      '_n/index.ts',
    ];
    const found = await load({ ...entries, ...Object.fromEntries(left.map((file) => [`tools/${file}`, boom])) });
    expect(await answers(found)).toEqual(Object.fromEntries(names.map((file, at) => [`tool_${at}`, file])));
  });

  it('runs what modules may hold: cycles, later imports, top-level await, meta data, enums, re-exports', async () => {
    const found = await load({
      'tools/a.ts': `#!/usr/bin/env node\r
import type { Nothing } from './not-there.js';
${FACE}import * as all from './lib/all.js';
import { even } from './lib/even.js';
import fs, { existsSync } from 'node:fs';
import { join as joined } from 'path';
enum Colour { Red = 'r' }
abstract class Base<T> { constructor(protected readonly value: T) {} declare readonly kind: string; }
class Own extends Base<number> { static #count = 1; get sum(): number { return this.value + Own.#count; } }
const later = await import('./lib/later.ts');
const words = "import.meta.url import('x')"; // import.meta import('y')
const pattern = /import.meta/u;
const nested = \`\${import.meta.filename.split('/').at(-1)} import.meta\`;
const anything = { import: (x: string) => x, meta: 1 };
const here: string = fs.readFileSync(new URL('./lib/data.txt', import.meta.url), 'utf8');
const result = [all.one, all.two, even(10), existsSync(joined(import.meta.dirname, 'a.ts')), Colour.Red, new Own(1).sum,
  later.default, words, nested, pattern.source, anything.import('z'), here satisfies string, typeof require] as const;
export const first = ${definition('first', 'JSON.stringify(result)')};
export const second = ${definition('second', `'two'`)};
`,
      'tools/lib/all.ts': `export * from './one.js';\nexport { default as two } from './two.mjs';`,
      'tools/lib/one.ts': `export const one = 1;`,
      'tools/lib/two.mjs': `export default 2;`,
      'tools/lib/even.ts': `import { odd } from './odd';\nexport function even(n: number): boolean { return n === 0 || odd(n - 1); }`,
      'tools/lib/odd.ts': `import { even } from './even.js';\nexport const odd = (n: number): boolean => n !== 0 && even(n - 1);`,
      'tools/lib/later.ts': `await new Promise((resolve) => setTimeout(resolve, 5));\nexport default 'later';`,
      'tools/lib/data.txt': 'data',
    });
    const { first, second } = await answers(found);
    expect(second).toBe('two');
    expect(JSON.parse(String(first))).toEqual([
      1,
      2,
      true,
      true,
      'r',
      2,
      'later',
      "import.meta.url import('x')",
      'a.ts import.meta',
      'import.meta',
      'z',
      'data',
      'function',
    ]);
  });

  it('runs what authors are used to write: names of CommonJS of their own, types of other modules, data by its names', async () => {
    const found = await load({
      'tools/names.ts': `${FACE}import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
type Elsewhere = import('./nowhere.js').Elsewhere;
const none: typeof import('node:fs') | Elsewhere | undefined = undefined;
const __filename = fileURLToPath(import.meta.url);
const __dirname = dirname(__filename);
const require = createRequire(import.meta.url);
const module = 'mine';
const path: string = require('node:path').basename(__dirname);
const own = { require, of: (it: { require?: unknown }) => typeof it.require };
export default ${definition('names', `[path, module, typeof none, own.of(own), typeof (await import('node:fs')).readFileSync].join()`).replace('execute: ()', 'execute: async ()')};
`,
      'tools/data.ts': `${FACE}import { list } from './data.json';
import all from './data.json' with { type: 'json' };
export default ${definition('data', 'JSON.stringify([list, all.list])')};
`,
      'tools/data.json': '{ "list": [1] }',
      'tools/common.js': `const { defineTool } = require('@tenon/core');
var exports = module.exports = {};
function twice(n) { return n * 2; }
exports.tool = ${definition('common', `[__filename.split('/').at(-1), twice(2)].join()`)};
`,
    });
    expect(await answers(found)).toEqual({
      names: 'tools,mine,undefined,function,function',
      data: '[[1],[1]]',
      common: 'common.js,4',
    });
  });

  it('lets the own tools of the person stand in for built-in ones, and no others', async () => {
    const names = ['own', 'kit'];
    await temp.workspace.write(Object.fromEntries(names.map((name) => [`${name}/a.ts`, tool('taken', `'${name}'`)])));
    const withTools = async (folder: object): Promise<LoadedTools> =>
      loadCustomTools({
        folders: [{ origin: 'user', folder: '', ...folder }],
        runtime: temp.config,
        guard,
        isBuiltin: (name) => name === 'taken',
        importMs: 2_000,
      });
    const own = await withTools({ folder: temp.workspace.path('own') });
    expect([own.tools.length, own.problems.join()]).toEqual([1, expect.stringContaining('stands in for the built-in')]);
    const kit = await withTools({ folder: temp.workspace.path('kit'), extension: 'kit' });
    expect([kit.tools.length, kit.problems.join()]).toEqual([
      0,
      expect.stringContaining('taken is left out: a tool of an extension does not replace a built-in one.'),
    ]);
  });

  it('says in which line it breaks', async () => {
    const found = await load({
      'tools/breaks.ts': `${FACE}\ninterface Nothing { a: string }\nexport default undefinedName;\n`,
      'tools/deeper.ts': `import './lib/deep.js';\n`,
      'tools/lib/deep.ts': `const none = undefined as any;\n\nexport const it = none.there;\n`,
      'tools/newer.ts': `class A {\n  @x(1) @@ y = 1;\n}\n`,
      'tools/none.ts': `import x from './here.json';\nx();`,
      'tools/here.json': `{ broken`,
    });
    expect(told(found)).toEqual([
      'breaks.ts: it throws when it is loaded (undefinedName is not defined, line 4).',
      expect.stringMatching(/^deeper\.ts: it throws when it is loaded \(Cannot read .*, lib\/deep\.ts line 3\)\.$/),
      expect.stringMatching(/^newer\.ts: it .* \(.*2.*\)\.$/),
      expect.stringMatching(/^none\.ts: here\.json cannot be read \(.+\)\.$/),
    ]);
  });

  it('is not held up by a constructor that never ends', async () => {
    const found = await load(
      {
        'tools/a.ts': `import { BaseDeclarativeTool } from '@tenon/core';\nexport class A extends BaseDeclarativeTool<object, any> { constructor() { for (;;); } }`,
        'tools/b.ts': tool('b', `'b'`),
      },
      300,
    );
    expect(found.tools.map(({ name }) => name)).toEqual(['b']);
    expect(told(found)).toEqual(['a.ts: it runs for more than 0.3 seconds as soon as it is loaded.']);
  });

  it('takes packages of the project as Node does: with exports, conditions, patterns, CommonJS and ES modules', async () => {
    const manifest = (more: object): string => JSON.stringify({ name: 'x', version: '1.0.0', ...more });
    const found = await load({
      'tools/a.ts': `${FACE}import only, { named } from 'only-esm'; import sub from 'only-esm/sub/deep'; import old from 'old'; import { y } from '@scope/plain';
import { createRequire } from 'node:module';
const again = (await import('only-esm')).named === named;
export const t = ${definition('t', 'JSON.stringify([only, named, sub, old.z, y, again])')};`,
      'tools/b.js': `const { y } = require('@scope/plain');\nmodule.exports = { name: 'common', description: 'd', parameters: { type: 'object' }, execute: () => y };`,
      'node_modules/only-esm/package.json': manifest({
        type: 'module',
        exports: {
          '.': { types: './x.d.ts', import: { default: './main.js' } },
          './sub/*': { import: './below/*.js' },
        },
      }),
      'node_modules/only-esm/main.js': `export default 'main'; export const named = 'named';`,
      'node_modules/only-esm/below/deep.js': `export default 'deep';`,
      'node_modules/old/package.json': manifest({ main: 'lib.js' }),
      'node_modules/old/lib.js': `module.exports = { z: 'old' };`,
      'node_modules/@scope/plain/package.json': manifest({ exports: './i.cjs' }),
      'node_modules/@scope/plain/i.cjs': `exports.y = 'plain';`,
    });
    const { t, common } = await answers(found);
    expect(JSON.parse(String(t))).toEqual(['main', 'named', 'deep', 'old', 'plain', true]);
    expect(common).toBe('plain');
  });

  it('gives the very library that runs: classes of tools are made with what built-in ones get', async () => {
    const found = await load({
      'tools/class.ts': `import { BaseDeclarativeTool, BaseToolInvocation, Kind } from '@tenon/core';
import type { Config, ToolInvocation, ToolResult } from '@tenon/core';
class Invocation extends BaseToolInvocation<{ who?: string }, ToolResult> {
  constructor(private config: Config, params: { who?: string }) { super(params); }
  getDescription() { return 'greets\\nover lines'; }
  async execute() { return { llmContent: this.config.getTargetDir() }; }
}
export class GreetTool extends BaseDeclarativeTool<{ who?: string }, ToolResult> {
  constructor(private config: Config) {
    super('greet', 'Greet', 'Greets.', Kind.Other, { type: 'object', properties: { who: { type: 'string', minLength: 2 } } });
  }
  protected override validateToolParamValues({ who }: { who?: string }) { return who === 'nobody' ? 'nobody is not greeted' : null; }
  protected createInvocation(params: { who?: string }): ToolInvocation<{ who?: string }, ToolResult> { return new Invocation(this.config, params); }
}
export { Invocation };
export const notATool = 1;
export default GreetTool;`,
      'tools/made.ts': `import { BaseDeclarativeTool, Kind } from '@tenon/core';
export class Made extends BaseDeclarativeTool { constructor() { super('made', 'Made', 'd', Kind.Other, { type: 'object' }); } createInvocation(params) { return { params, getDescription: () => 'x', effects: () => [{ kind: 'read', path: '/etc', requested: '/etc/passwd', zone: 'workspace', leavesOut: 'denied' }, { kind: 'run', command: 'x', argv: ['x'], directory: '/', zone: 'workspace', readOnly: false, isContained: true }], execute: async () => ({ llmContent: 'made' }) }; } }
export const made = new Made();`,
    });
    expect(await answers(found)).toEqual({ greet: temp.workspace.root, made: 'made' });
    const [greet, made] = found.tools;
    expect(greet).toBeInstanceOf(CustomTool);
    expect(greet).toBeInstanceOf(Object.getPrototypeOf(BaseDeclarativeTool) as typeof DefinedTool);
    expect(greet?.validateToolParams({ who: 'nobody' })).toBe('nobody is not greeted');
    expect(greet?.validateToolParams({ who: 1 })).toContain('must be a string');
    const invocation = greet?.build({});
    expect(invocation?.getDescription()).toBe('greets over lines');
    expect(invocation).not.toHaveProperty('effects');
    // Where a path leads, and what a sandbox holds, is not the tool's word.
    expect(await made?.build({}).effects?.()).toEqual([
      { kind: 'read', path: '/etc/passwd', requested: '/etc/passwd', zone: 'outside' },
      expect.objectContaining({ kind: 'run', isContained: false }),
    ]);
  });

  it('says what is wrong with a file in one sentence, and loads the others', async () => {
    const broken = await load(
      {
        'tools/good.ts': tool('good', `'good'`),
        'tools/throws.ts': `throw new Error('not today');`,
        'tools/rejects.ts': `await Promise.reject(new Error('never'));`,
        'tools/nothing.ts': `export {};`,
        'tools/other.ts': `export const list = [1]; export function help() {}`,
        'tools/syntax.ts': `export const = 1;`,
        'tools/hangs.ts': `await new Promise(() => {});`,
        'tools/loops.ts': `for (;;);`,
        'tools/schema.ts': `${FACE}export default defineTool({ name: 'schema', description: 'd', parameters: { type: 'object', required: 'x' }, execute: () => '' });`,
        'tools/name.ts': tool('Bash', `''`),
        'tools/server.ts': tool('a__b', `''`),
        'tools/long.ts': tool('spaces in it', `''`),
        'tools/face.ts': `import { createAgent } from '@tenon/core';\ncreateAgent();`,
        'tools/package.ts': `import x from 'not-installed'; x();`,
        'tools/escape.ts': `import x from '../outside.js'; x();`,
        'tools/missing.ts': `import x from './nowhere.js'; x();`,
        'tools/dynamic.cjs': 'left out',
        'tools/made-up.js': `require('./' + 'good.ts');`,
        'tools/class.ts': `import { BaseDeclarativeTool } from '@tenon/core'; export class X extends BaseDeclarativeTool { constructor(config) { config.nothing(); } }`,
        'tools/bytes.ts': new Uint8Array([0xff, 0xfe, 0x00]),
        'tools/huge.ts': `//${'x'.repeat(1024 * 1024)}`,
        'tools/twice.ts': tool('good', `'again'`),
        'outside.ts': `throw new Error('loaded');`,
      },
      400,
    );
    expect(broken.tools.map(({ name }) => name)).toEqual(['good']);
    expect(told(broken)).toEqual([
      expect.stringMatching(/^bytes\.ts: it cannot be read/),
      expect.stringMatching(
        /^class\.ts: "X" cannot be made: config\.nothing is not a function\.$|^class\.ts: "X" cannot be made: /,
      ),
      'escape.ts: escape.ts imports "../outside.js", which is not in the folder of tools: only what is there, and packages, can be imported.',
      expect.stringMatching(/^face\.ts: @tenon\/core has no "createAgent" for tools\. It has: BaseDeclarativeTool, /),
      'hangs.ts: it is not loaded after 0.4 seconds, and Tenon goes on without it.',
      'huge.ts: huge.ts cannot be read, or is larger than 1 MiB.',
      expect.stringMatching(/^long\.ts: "default" cannot be used: its name "spaces in it" is not made of/),
      'loops.ts: it runs for more than 0.4 seconds as soon as it is loaded.',
      'made-up.js: it requires "./good.ts" by a name that is made up as it runs: use import() for that.',
      'missing.ts: missing.ts imports "./nowhere.js": there is no such file.',
      'name.ts: "default" cannot be used: its name "Bash" means something else in rules.',
      expect.stringMatching(/^nothing\.ts: it exports nothing\. A tool is what defineTool/),
      expect.stringMatching(/^other\.ts: it exports no tool \(but list, help\)\. A tool is/),
      'package.ts: there is no package "not-installed" for it: install it in the project, or bring what is needed along.',
      'rejects.ts: it throws when it is loaded (never, line 1).',
      expect.stringMatching(
        /^schema\.ts: "default" cannot be used: its parameters are no sound JSON Schema\. `\/required`/,
      ),
      'server.ts: "default" cannot be used: its name "a__b" means something else in rules.',
      expect.stringMatching(/^syntax\.ts: it cannot be read \(.*\(1:14\)\)\.$/),
      'throws.ts: it throws when it is loaded (not today, line 1).',
      'twice.ts: its tool good is left out: good.ts has one of that name.',
    ]);
  });

  it.skipIf(process.platform === 'win32')('is not held up by what is no file, and follows links to files', async () => {
    await temp.workspace.write({ 'tools/': '', 'elsewhere.ts': tool('linked', `'linked'`) });
    spawnSync('mkfifo', [temp.workspace.path('tools/pipe.ts')]);
    await symlink(temp.workspace.path('elsewhere.ts'), temp.workspace.path('tools/link.ts'));
    await symlink('/dev/zero', temp.workspace.path('tools/zero.ts'));
    const found = await load({});
    expect(found.tools.map(({ name }) => name)).toEqual(['linked']);
    expect(told(found)).toEqual(['zero.ts: zero.ts cannot be read, or is larger than 1 MiB.']);
  });

  it('loads nothing of a project but what was agreed to, whatever is imported', async () => {
    await temp.workspace.write({
      'tools/a.ts': `import './b.js';\n${tool('a', `''`)}`,
      'tools/b.ts': `throw new Error('loaded')`,
    });
    const digest = '0'.repeat(64);
    const { tools, problems } = await loadCustomTools({
      folders: [{ origin: 'project', folder: temp.workspace.path('tools'), agreed: [{ path: 'a.ts', digest }] }],
      runtime: temp.config,
      guard,
      isBuiltin: () => false,
      importMs: 1_000,
    });
    expect(tools).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('a.ts is not what it was when the folder was trusted with it')]);
  });
});
