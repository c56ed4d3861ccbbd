import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import {
  createLanguageProject,
  textOf,
  WITH_NATIVE,
  WITH_TSSERVER,
  type LanguageProject,
} from '../testing/language-project.js';

const FILES = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "module": "NodeNext", "types": []}, "include": ["src"]}',
  'package.json': '{"name": "edits", "type": "module"}',
  'src/b.ts': 'export const beta = 2;\nexport const alpha = 1;\nexport function helper(): number {\n  return 1;\n}\n',
  'src/a.ts':
    "import { beta } from './b.js';\nimport { alpha } from './b.js';\n\nexport const sum = alpha + beta;\nexport const more = helper();\n",
};

function text(ends: Awaited<ReturnType<LanguageProject['call']>>): string {
  return ends.map(textOf).join('\n');
}

describe('edits that typescript-language-server proposes', { timeout: 60_000 }, () => {
  let project: LanguageProject;
  beforeAll(async () => {
    project = await createLanguageProject({ ...FILES, ...WITH_TSSERVER });
  });
  afterEach(async () => project.workspace.write(FILES));
  afterAll(async () => project.remove());

  it('offers code actions for a line, and applies the one that is named', async () => {
    const at = { operation: 'codeActions', filePath: 'src/a.ts', line: 5 } as const;
    const offered = await project.ask(at);
    expect(offered).toMatch(/\d+\. .*import.*[[]quickfix/i);
    const title = /\d+\. (.*import from.*?) [[]/i.exec(offered)?.[1] ?? '';
    const ends = await project.call(['lsp', { ...at, apply: title }]);
    expect(text(ends)).toContain('Applied ');
    expect(await project.workspace.read('src/a.ts')).toMatch(/import \{[^}]*helper[^}]*\} from/);
  });

  it('never runs what would install a package', async () => {
    await project.workspace.write({ 'src/a.ts': "import { join } from 'node:path';\nexport const path = join;\n" });
    const at = { operation: 'codeActions', filePath: 'src/a.ts', line: 1 } as const;
    const offered = await project.ask(at);
    const install = /\d+\. (Install .*?) [[].*cannot be applied/.exec(offered)?.[1];
    expect(install).toBeDefined();
    expect(text(await project.call(['lsp', { ...at, apply: install ?? '' }]))).toContain('is not applied');
    expect(await project.workspace.read('package.json')).toBe(FILES['package.json']);
  });

  it('applies a refactoring whose edits the server sends by itself', async () => {
    const at = { operation: 'codeActions', filePath: 'src/b.ts', line: 3, symbol: 'helper' } as const;
    const offered = await project.ask(at);
    const title = /\d+\. (Convert to default export|Convert .*?|Move to a new file) [[]/.exec(offered)?.[1] ?? '';
    expect(title).not.toBe('');
    expect(text(await project.call(['lsp', { ...at, apply: title }]))).toContain(`Applied "${title}" in`);
    expect(await project.workspace.read('src/b.ts')).not.toBe(FILES['src/b.ts']);
  });

  it('puts imports in order, and says when they are', async () => {
    const call = { operation: 'organizeImports', filePath: 'src/a.ts' } as const;
    expect(text(await project.call(['lsp', call]))).toContain('Organized the imports in 1 file');
    expect((await project.workspace.read('src/a.ts')).split('\n')[0]).toBe("import { alpha, beta } from './b.js';");
    expect(text(await project.call(['lsp', call]))).toContain('nothing to change');
  });

  it('is asked about by a diff, with the files that it changes as effects', async () => {
    project.config.setApprovalMode(ApprovalMode.DEFAULT);
    try {
      const rename = { operation: 'rename', filePath: 'src/b.ts', symbol: 'beta', newName: 'gamma' };
      const [end] = await project.call(['lsp', rename]);
      expect(end?.status).toBe('denied');
      expect(end?.verdict?.decision).toBe('ask');
      expect(await project.workspace.read('src/b.ts')).toBe(FILES['src/b.ts']);
    } finally {
      project.config.setApprovalMode(ApprovalMode.YOLO);
    }
    const tool = project.config.getToolRegistry().getTool('lsp');
    const invocation = tool?.build({ operation: 'rename', filePath: 'src/b.ts', symbol: 'beta', newName: 'gamma' });
    const effects = (await invocation?.effects?.()) ?? [];
    expect(effects.filter(({ kind }) => kind === 'write')).toHaveLength(2);
    const details = await invocation?.confirmationDetails?.(new AbortController().signal);
    expect(details).toMatchObject({ type: 'edit', fileName: '2 files' });
    await project.workspace.write({ 'src/b.ts': `// new\n${FILES['src/b.ts']}` });
    const result = await invocation?.execute(new AbortController().signal);
    expect(result?.error?.type).toBe('file_changed');
  });

  it('tells why nothing can be renamed, and changes nothing', async () => {
    const at = { operation: 'rename', filePath: 'src/b.ts', line: 4, symbol: 'return', newName: 'x' } as const;
    const [end] = await project.call(['lsp', at]);
    expect(end?.status).toBe('error');
    expect(await project.workspace.read('src/b.ts')).toBe(FILES['src/b.ts']);
  });
});

describe('edits that TypeScript 7 proposes', { timeout: 60_000 }, () => {
  it('reach every file of the project, those too that nobody opened', async () => {
    const project = await createLanguageProject({ ...FILES, ...WITH_NATIVE });
    try {
      const call = { operation: 'organizeImports', filePath: 'src/a.ts' } as const;
      expect(text(await project.call(['lsp', call]))).toContain('Organized the imports in 1 file (typescript)');
      const rename = { operation: 'rename', symbol: 'beta', newName: 'gamma' };
      expect(text(await project.call(['lsp', rename]))).toContain('Renamed beta to gamma in 2 files');
      expect(await project.workspace.read('src/b.ts')).toContain('export const gamma = 2;');
    } finally {
      await project.remove();
    }
  });
});
