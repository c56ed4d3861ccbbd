import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLanguageProject,
  findClangd,
  textOf,
  WITH_PYRIGHT,
  type LanguageProject,
} from '../testing/language-project.js';

const PYTHON = {
  'shapes.py': `class Circle:
    def __init__(self, radius: float) -> None:
        self.radius = radius

    def area(self) -> float:
        return 3.14 * square(self.radius)


def square(n: float) -> float:
    """Squares a number."""
    return n * n
`,
  'main.py': `from shapes import Circle, square


def total() -> float:
    return sum(circle.area() for circle in [Circle(1)])


wrong: str = square(3)
`,
};

describe('lsp with pyright', { timeout: 60_000 }, () => {
  let project: LanguageProject;
  beforeAll(async () => {
    project = await createLanguageProject({ ...PYTHON, ...WITH_PYRIGHT });
  });
  afterAll(async () => project.remove());

  it('knows definitions, uses and calls (S127)', async () => {
    const at = { filePath: 'main.py', line: 8, symbol: 'square' } as const;
    expect(await project.ask({ operation: 'goToDefinition', ...at })).toContain(
      'shapes.py:9:5  def square(n: float) -> float:',
    );
    const uses = await project.ask({ operation: 'findReferences', ...at });
    expect(uses).toContain('shapes.py:6:23  return 3.14 * square(self.radius)  [Circle.area]');
    expect(uses).toContain('main.py:8:14');
    expect(await project.ask({ operation: 'hover', ...at })).toContain('Squares a number.');
    expect(await project.ask({ operation: 'incomingCalls', ...at })).toContain('shapes.py:6:23');
    expect(await project.ask({ operation: 'workspaceSymbol', query: 'Circle' })).toContain('shapes.py:1:7');
  });

  it('tells what is wrong where it looked', async () => {
    expect(await project.ask({ operation: 'diagnostics', filePath: 'main.py' })).toMatch(
      /main\.py:8:14 {2}error Pyright reportAssignmentType: /,
    );
    expect(await project.ask({ operation: 'diagnostics', filePath: 'shapes.py' })).toContain('checked, no errors');
    expect(await project.ask({ operation: 'workspaceDiagnostics' })).toContain('1 diagnostic in 2 checked files');
  });

  it('says what pyright does not offer', async () => {
    const answer = await project.ask({ operation: 'goToImplementation', filePath: 'shapes.py', symbol: 'Circle' });
    expect(answer).toMatch(/ERROR lsp_unsupported/);
  });

  it('renames, and tells of new diagnostics in other open files', async () => {
    const rename = { operation: 'rename', filePath: 'shapes.py', symbol: 'Circle.area', newName: 'surface' };
    const [end] = await project.call(['lsp', rename]);
    expect(end === undefined ? '' : textOf(end)).toContain('Renamed area to surface in 2 files');
    expect(await project.workspace.read('main.py')).toContain('circle.surface()');
    const edit = {
      file_path: project.workspace.path('shapes.py'),
      old_string: 'def square(n',
      new_string: 'def squared(n',
    };
    const [broken] = await project.call(['edit', edit]);
    expect(broken === undefined ? '' : textOf(broken)).toMatch(/New diagnostics[^]*main\.py:1:28 {2}error/);
  });
});

const clangd = findClangd();

describe.skipIf(clangd === undefined)(
  'lsp with clangd (needs it on PATH or at TENON_TEST_CLANGD)',
  { timeout: 60_000 },
  () => {
    let project: LanguageProject;
    beforeAll(async () => {
      project = await createLanguageProject(
        {},
        {
          own: {
            disabled: [],
            specs: [
              {
                name: 'clangd',
                language: 'c',
                files: { '.c': 'c', '.h': 'c' },
                command: clangd ?? '',
                args: ['--log=error'],
                quirks: { forgetsDependents: true },
                env: { LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] ?? '' },
              },
            ],
          },
        },
      );
      const { root } = project.workspace;
      const commands = ['main.c', 'shapes.c'].map((file) => ({ directory: root, file, command: `cc -c ${file}` }));
      await project.workspace.write({
        'compile_commands.json': JSON.stringify(commands),
        'shapes.h': '#pragma once\ndouble square(double n);\n',
        'shapes.c': '#include "shapes.h"\ndouble square(double n) { return n * n; }\n',
        'main.c': '#include "shapes.h"\nint main(void) {\n  int *wrong = "text";\n  return (int)square(2);\n}\n',
      });
    });
    afterAll(async () => project.remove());

    it('knows definitions, uses and what is wrong (S127)', async () => {
      expect(execFileSync(clangd ?? '', ['--version'], { encoding: 'utf8' })).toContain('clangd');
      const at = { filePath: 'main.c', line: 4, symbol: 'square' } as const;
      expect(await project.ask({ operation: 'goToDefinition', ...at })).toMatch(/shapes\.[ch]:[12]:8/);
      expect(await project.ask({ operation: 'findReferences', ...at })).toContain('main.c:4:15');
      expect(await project.ask({ operation: 'diagnostics', filePath: 'main.c' })).toMatch(
        /main\.c:3:8 {2}(error|warning)/,
      );
      const edit = { file_path: project.workspace.path('shapes.h'), old_string: 'square', new_string: 'squared' };
      const [end] = await project.call(['edit', edit]);
      expect(end === undefined ? '' : textOf(end)).toMatch(/New diagnostics[^]*main\.c:4/);
    });
  },
);
