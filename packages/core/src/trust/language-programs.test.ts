import { describe, expect, it } from 'vitest';
import { createTempWorkspace, type WorkspaceEntry } from '../testing/temp-workspace.js';
import { languagePrograms } from './language-programs.js';

const COMMANDS = ['pyright-langserver', 'tsc', 'rust-analyzer'];
const TYPESCRIPT = {
  'node_modules/typescript/package.json': '{"name": "typescript", "version": "6.0.3"}',
  'node_modules/typescript/lib/tsserver.js': 'start();',
};
const PLUGIN =
  '{\n  // loaded by the compiler\n  "compilerOptions": { "plugins": [{ "name": "evil" }, { "name": "b" }] }\n}';

async function linesOf(entries: Readonly<Record<string, WorkspaceEntry>>): Promise<readonly string[]> {
  const workspace = await createTempWorkspace(entries);
  try {
    return (await languagePrograms(workspace.root, COMMANDS))?.lines ?? [];
  } finally {
    await workspace.remove();
  }
}

describe('what language servers run of a folder', () => {
  it.each<[string, Readonly<Record<string, WorkspaceEntry>>, readonly string[]]>([
    ['the compiler', TYPESCRIPT, ['node_modules/typescript (6.0.3) is started to understand code']],
    [
      'the compiler of a package',
      { 'packages/a/node_modules/typescript/package.json': '{}' },
      ['packages/a/node_modules/typescript (of no version) is started to understand code'],
    ],
    [
      'a server in node_modules',
      { 'node_modules/.bin/pyright-langserver': '#!/bin/sh\n' },
      ['node_modules/.bin/pyright-langserver is started as a language server'],
    ],
    ['plugins', { 'tsconfig.json': PLUGIN }, ['tsconfig.json has the compiler load plugins: evil, b']],
    [
      'plugins of a package',
      { 'apps/web/tsconfig.build.json': PLUGIN },
      ['apps/web/tsconfig.build.json has the compiler load plugins: evil, b'],
    ],
    ['a build script', { 'build.rs': 'fn main() {}' }, ['build.rs is run by rust-analyzer']],
    [
      'a macro',
      { 'macros/Cargo.toml': '[lib]\nproc-macro = true\n' },
      ['macros/Cargo.toml names code that rust-analyzer runs'],
    ],
    ['programs of cargo', { '.cargo/config.toml': '' }, ['.cargo/config.toml names programs that cargo runs']],
    ['a Python', { 'pyrightconfig.json': '{"venv": "x"}' }, ['pyrightconfig.json names the Python that pyright runs']],
    ['nothing', { 'tsconfig.json': '{}', 'a.ts': '', 'Cargo.toml': '[package]\n', 'config.toml': '' }, []],
  ])('shows %s', async (_, entries, expected) => expect(await linesOf(entries)).toEqual(expected));

  it('is bound to the content of what is started', async () => {
    const workspace = await createTempWorkspace({ ...TYPESCRIPT, 'tsconfig.json': PLUGIN });
    const digest = async () => (await languagePrograms(workspace.root, COMMANDS))?.digest;
    try {
      const first = await digest();
      expect(await digest()).toBe(first);
      const seen = new Set([first]);
      for (const [path, text] of [
        ['node_modules/typescript/lib/tsserver.js', 'other();'],
        ['node_modules/evil/index.js', 'evil();'],
        ['tsconfig.json', PLUGIN.replace('evil', 'worse')],
        ['sub/build.rs', ''],
      ] as const) {
        await workspace.write({ [path]: text });
        seen.add(await digest());
      }
      expect(seen.size).toBe(5);
    } finally {
      await workspace.remove();
    }
  });
});
