import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLanguageProject,
  installed,
  textOf,
  WITH_NATIVE,
  WITH_TSSERVER,
  type LanguageProject,
} from '../testing/language-project.js';

const SHAPES = `export interface Shape {
  area(): number;
}

export class Circle implements Shape {
  constructor(readonly radius: number) {}

  area(): number {
    return 3.14 * square(this.radius);
  }
}

/** Squares a number. */
export function square(n: number): number {
  return n * n;
}
`;

const MAIN = `import { Circle, square, type Shape } from './shapes.js';

export function total(shapes: Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.area(), square(2));
}

const circle = new Circle(1);
export const wrong: string = square(3);
export const all = total([circle]);
`;

const PROJECT = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, module: 'NodeNext', target: 'ES2022', noEmit: true, types: [] },
    include: ['src'],
  }),
  'package.json': '{"name": "shapes", "type": "module"}',
  'src/shapes.ts': SHAPES,
  'src/main.ts': MAIN,
};

it('costs at most 1,800 characters of every request, and nothing where no server may run', async () => {
  const project = await createLanguageProject(PROJECT);
  const offered = project.config.getToolRegistry().getToolsForModel();
  await project.remove();
  const lsp = offered.find(({ name }) => name === 'lsp');
  expect(JSON.stringify(lsp).length).toBeLessThanOrEqual(1_800);
});

it('tells how to install a server that is missing, once', async () => {
  const project = await createLanguageProject({ 'a.go': 'package a\n' });
  const call = { operation: 'documentSymbol', filePath: 'a.go' } as const;
  const first = await project.ask(call);
  const second = await project.ask(call);
  await project.remove();
  expect(first).toMatch(/ERROR lsp_no_server: No language server for go is installed.*`go install /);
  expect(second).toMatch(/^ERROR lsp_no_server: No language server for go is installed \(gopls\)\.$/);
});

const { version } = createRequire(import.meta.url)('typescript/package.json') as { version: string };

describe.each([
  ['typescript-language-server', WITH_TSSERVER],
  ['typescript', WITH_NATIVE],
  [`tsserver of typescript ${version}`, { 'node_modules/typescript': installed('typescript') }],
])('lsp with %s', { timeout: 60_000 }, (name, packages) => {
  let project: LanguageProject;
  beforeAll(async () => {
    project = await createLanguageProject({ ...PROJECT, ...packages });
  });
  afterAll(async () => project.remove());

  it('finds a definition by the name on a line (S127)', async () => {
    const answer = await project.ask({
      operation: 'goToDefinition',
      filePath: 'src/main.ts',
      line: 8,
      symbol: 'square',
    });
    expect(answer).toContain('src/shapes.ts:14:17  export function square(n: number): number {');
    expect(answer).toContain(`(Source: ${name}.)`);
  });

  it('finds a definition by line and column', async () => {
    const answer = await project.ask({ operation: 'goToDefinition', filePath: 'src/main.ts', line: 7, character: 20 });
    expect(answer).toMatch(/src\/shapes\.ts:[56]:/);
  });

  it('finds every use in all files, each with what is around it', async () => {
    const answer = await project.ask({ operation: 'findReferences', symbol: 'square' });
    expect(answer).toContain(
      'src/main.ts:4:60  return shapes.reduce((sum, shape) => sum + shape.area(), square(2));  [total]',
    );
    expect(answer).toContain('src/shapes.ts:9:19  return 3.14 * square(this.radius);  [Circle.area]');
    expect(answer).toMatch(/^5 references in 2 files:/);
  });

  it('tells types, documentation and outlines', async () => {
    expect(await project.ask({ operation: 'hover', filePath: 'src/shapes.ts', symbol: 'square' })).toContain(
      'Squares a number.',
    );
    const outline = await project.ask({ operation: 'documentSymbol', filePath: 'src/shapes.ts' });
    expect(outline).toMatch(/1(-3)?:18 interface Shape/);
    expect(outline).toMatch(/ {2}8-10:3 method area/);
    expect(outline.indexOf('interface Shape')).toBeLessThan(outline.indexOf('class Circle'));
  });

  it('finds implementations, type definitions and symbols of the workspace', async () => {
    expect(
      await project.ask({ operation: 'goToImplementation', filePath: 'src/shapes.ts', line: 1, symbol: 'Shape' }),
    ).toContain('src/shapes.ts:5:14');
    expect(
      await project.ask({ operation: 'goToTypeDefinition', filePath: 'src/main.ts', line: 7, symbol: 'circle' }),
    ).toContain('src/shapes.ts:5:14');
    expect(await project.ask({ operation: 'workspaceSymbol', query: 'Circle' })).toContain('src/shapes.ts:5:14');
  });

  it('follows calls both ways', async () => {
    const incoming = await project.ask({ operation: 'incomingCalls', filePath: 'src/shapes.ts', symbol: 'square' });
    expect(incoming).toContain('src/main.ts:4:60');
    expect(incoming).toContain('function total');
    expect(incoming).toContain('top level');
    const outgoing = await project.ask({
      operation: 'outgoingCalls',
      filePath: 'src/shapes.ts',
      symbol: 'Circle.area',
    });
    expect(outgoing).toContain('src/shapes.ts:14:17');
    expect(outgoing).toContain('called at src/shapes.ts:9');
    expect(
      await project.ask({ operation: 'prepareCallHierarchy', filePath: 'src/shapes.ts', symbol: 'square' }),
    ).toContain('function square');
  });

  it('tells what is wrong in a file, and in all', async () => {
    const one = await project.ask({ operation: 'diagnostics', filePath: 'src/main.ts' });
    expect(one).toContain('src/main.ts:8:14  error');
    expect(one).toContain("2322: Type 'number' is not assignable to type 'string'.");
    expect(await project.ask({ operation: 'diagnostics', filePath: 'src/shapes.ts' })).toContain('checked, no errors');
    const all = await project.ask({ operation: 'workspaceDiagnostics' });
    expect(all).toContain('1 diagnostic in 2 checked files.');
    expect(all).toContain('src/main.ts:8:14');
  });

  it('knows a file by any name that leads to it', async () => {
    await project.workspace.write({ 'linked.ts': { linkTo: 'src/shapes.ts' } });
    const outline = await project.ask({ operation: 'documentSymbol', filePath: project.workspace.path('linked.ts') });
    expect(outline).toMatch(/^src\/shapes\.ts: \d+ symbols/);
  });

  it('refuses what lies outside, and what points nowhere', async () => {
    expect(await project.ask({ operation: 'documentSymbol', filePath: '/etc/passwd' })).toMatch(
      /path_not_in_workspace/,
    );
    const far = await project.ask({ operation: 'hover', filePath: 'src/main.ts', line: 999, symbol: 'x' });
    expect(far).toContain('src/main.ts has 10 lines, not 999.');
    expect(await project.ask({ operation: 'hover', filePath: 'src/main.ts' })).toContain('hover needs symbol');
    expect(await project.ask({ operation: 'documentSymbol', filePath: 'none.ts' })).toMatch(/^ERROR/);
  });

  it('asks which symbol is meant where there are several', async () => {
    const answer = await project.ask({ operation: 'findReferences', filePath: 'src/shapes.ts', symbol: 'area' });
    expect(answer).toMatch(/^ERROR lsp_ambiguous_symbol/);
    expect(answer).toContain('src/shapes.ts:2:3');
    expect(answer).toContain('src/shapes.ts:8:3');
    const missing = await project.ask({ operation: 'hover', filePath: 'src/shapes.ts', line: 1, symbol: 'nothing' });
    expect(missing).toMatch(/^ERROR lsp_symbol_not_found/);
  });

  it('renames everywhere as one change, and tells new diagnostics only', async () => {
    const own = await createLanguageProject({ ...PROJECT, ...packages });
    try {
      const rename = { operation: 'rename', filePath: 'src/main.ts', line: 8, symbol: 'square', newName: 'quadrat' };
      const [end] = await own.call(['lsp', rename]);
      expect(end === undefined ? '' : textOf(end)).toContain('Renamed square to quadrat in 2 files');
      expect(end === undefined ? '' : textOf(end)).toContain('No new diagnostics');
      expect(await own.workspace.read('src/main.ts')).toBe(MAIN.replaceAll('square', 'quadrat'));
      expect(await own.workspace.read('src/shapes.ts')).toBe(SHAPES.replaceAll('square', 'quadrat'));
      const edit = { file_path: own.workspace.path('src/shapes.ts'), old_string: 'n: number', new_string: 'n: string' };
      const moved = {
        file_path: own.workspace.path('src/main.ts'),
        old_string: 'import {',
        new_string: '\n\nimport {',
      };
      const ends = await own.call(['edit', edit], ['edit', moved]);
      const texts = ends.map(textOf);
      expect(texts.filter((text) => text.includes('New diagnostics since this change'))).toHaveLength(1);
      const told = texts.find((text) => text.includes('New diagnostics')) ?? '';
      expect(told).toContain('src/shapes.ts:9:27  error');
      expect(told).toContain('src/main.ts:10:38');
      expect(told).not.toContain("Type 'number' is not assignable to type 'string'.\nsrc/main.ts:10:14");
    } finally {
      await own.remove();
    }
  });
});
