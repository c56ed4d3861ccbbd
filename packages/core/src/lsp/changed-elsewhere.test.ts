import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FileJournal } from '../journal/file-journal.js';
import { createUndo, type Undo } from '../journal/undo.js';
import {
  createLanguageProject,
  WITH_NATIVE,
  WITH_PYRIGHT,
  WITH_TSSERVER,
  type LanguageProject,
} from '../testing/language-project.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { fileURLToPath } from 'node:url';
import { readServerSpecs } from './server-spec.js';

/** As another process has it: `tenon undo` in another terminal. */
function undoOf(project: LanguageProject): Undo {
  const gate = project.config.getWorkspaceGate();
  return createUndo({ gate, journal: new FileJournal({ gate, folder: project.journalDir }) });
}

async function run(project: LanguageProject, command: string): Promise<void> {
  const [end] = await project.call(['run_shell_command', { command }]);
  expect(end?.status).toBe('success');
}

const TYPESCRIPT = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}}',
  'a.ts': "import { made } from './b';\nexport const a: number = made;\n",
  'b.ts': 'export const made = 1;\n',
};
const PYTHON = { 'a.py': 'from b import made\n\na: int = made\n', 'b.py': 'made = 1\n' };

describe.each([
  [
    'tsserver alone',
    { ...TYPESCRIPT, 'node_modules/typescript': WITH_TSSERVER['node_modules/typescript'] ?? '' },
    'ts',
    '// x\\nexport const made = "text";\\n',
    'a.ts:2:14',
  ],
  [
    'typescript-language-server',
    { ...TYPESCRIPT, ...WITH_TSSERVER },
    'ts',
    '// x\\nexport const made = "text";\\n',
    'a.ts:2:14',
  ],
  [
    'the TypeScript 7 server',
    { ...TYPESCRIPT, ...WITH_NATIVE },
    'ts',
    '// x\\nexport const made = "text";\\n',
    'a.ts:2:14',
  ],
  ['pyright', { ...PYTHON, ...WITH_PYRIGHT }, 'py', '# x\\nmade = "text"\\n', 'a.py:3:10'],
])('with %s, a file that is not open', { timeout: 120_000 }, (_name, files, extension, text, wrong) => {
  let project: LanguageProject;
  beforeAll(async () => {
    project = await createLanguageProject(files);
  });
  afterAll(async () => project.remove());

  const filePath = `a.${extension}`;
  const diagnostics = async (): Promise<string> => project.ask({ operation: 'diagnostics', filePath });
  const definition = async (): Promise<string> =>
    project.ask({ operation: 'goToDefinition', filePath, line: extension === 'ts' ? 2 : 3, symbol: 'made' });

  it('is heard of when a command changes it, or it is taken back and made again', async () => {
    expect(await diagnostics()).toContain('no errors');
    const opened = project.servers.running().flatMap(({ documents }) => documents.paths());
    expect(opened).toEqual([project.workspace.path(filePath)]);
    await run(project, `printf '${text}' > b.${extension}`);
    expect(await diagnostics()).toContain(`${wrong}  error`);
    const undo = undoOf(project);
    await undo.undo();
    expect(await diagnostics()).toContain('no errors');
    await undo.redo();
    expect(await diagnostics()).toContain(`${wrong}  error`);
    await run(project, `rm b.${extension}`);
    expect(await diagnostics()).toMatch(/^a\.\w+:1:\d+ {2}error/m);
    await undo.undo();
    expect(await diagnostics()).toContain(`${wrong}  error`);
    expect(await definition()).toContain(`b.${extension}:2:`);
    await undo.undo();
    expect(await definition()).toContain(`b.${extension}:1:`);
  });
});

describe('what a server hears of files', { timeout: 60_000 }, () => {
  const SCRIPT = fileURLToPath(new URL('misbehaving-server.mjs', import.meta.url));
  const HOVER = { operation: 'hover', filePath: 'a.odd', line: 1, character: 1 } as const;
  let kept: TempWorkspace;
  let project: LanguageProject;
  beforeEach(async () => {
    kept = await createTempWorkspace({ heard: '' });
  });
  afterEach(async () => {
    await project.remove();
    await kept.remove();
  });

  async function hearing(word: string): Promise<() => Promise<string[]>> {
    const file = kept.path('heard');
    const args = [SCRIPT, word, file];
    const own = readServerSpecs({ odd: { command: process.execPath, args, extensionToLanguage: { '.odd': 'odd' } } });
    project = await createLanguageProject({ 'a.odd': 'fine\n', 'old.odd': '1\n', 'sub/old.x': '1\n' }, { own });
    expect(await project.ask(HOVER)).toContain('asked');
    return async () => {
      // It answers in order: what it was told before stands there.
      await project.ask(HOVER);
      const lines = (await kept.read('heard')).split('\n').filter(Boolean);
      await kept.write({ heard: '' });
      return lines.toSorted();
    };
  }

  it('is all that changes, each once, where it wants nothing in particular', async () => {
    const heard = await hearing('hears');
    await run(project, 'echo 2 > old.odd; echo 2 > sub/new.z; rm sub/old.x');
    expect(await heard()).toEqual(['1 sub/new.z', '2 old.odd', '3 sub/old.x']);
    expect(await heard()).toEqual([]);
    const edit = { file_path: project.workspace.path('old.odd'), old_string: '2', new_string: '3' };
    await project.call(['edit', edit]);
    expect(await heard()).toEqual(['2 old.odd']);
    const undo = undoOf(project);
    await undo.undo();
    await undo.undo();
    expect(await heard()).toEqual(['1 sub/old.x', '2 old.odd', '3 sub/new.z']);
    await undo.redo();
    await undo.undo();
    // It is open since the edit, and another file by now; of the others nothing is told where nothing came of it.
    expect(await heard()).toEqual(['2 old.odd']);
  });

  it('is what it asked for, by name and by kind', async () => {
    const heard = await hearing('watches');
    await run(
      project,
      'echo 2 > old.odd; echo 2 > new.odd; echo 2 > sub/old.x; mkdir sub/in; echo 2 > sub/in/b.y; echo 2 > b.x',
    );
    expect(await heard()).toEqual(['1 new.odd', '1 sub/in/b.y', '2 sub/old.x']);
    await undoOf(project).undo();
    expect(await heard()).toEqual(['2 sub/old.x', '3 sub/in/b.y']);
  });
});
