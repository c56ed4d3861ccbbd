import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { leadsThroughNoLink } from '../util/real-path.js';
import { IgnoreRules } from './ignore-rules.js';
import { GIT_IGNORE, QWEN_IGNORE } from './ignore-stack.js';
import { WorkspaceGate } from './workspace-gate.js';

const workspace = await createTempWorkspace();
const base = realpathSync(workspace.root);
afterAll(() => workspace.remove());

/** Two roots, of which one lies in the other, the temp folder in that, and a folder outside. */
const FOLDERS = ['ws', 'ws/a', 'ws/a/b', 'ws/inner', 'ws/inner/a', 'ws/inner/temp', 'outside'];
const NAMES = ['f', 'g', 'a', 'b', '.qwenignore', '.gitignore'];
const folder = fc.constantFrom(...FOLDERS);
const entry = fc.oneof(
  { weight: 3, arbitrary: fc.record({ folder, name: fc.constantFrom('f', 'g'), text: fc.constant('x') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      folder,
      name: fc.constantFrom('.qwenignore', '.gitignore'),
      text: fc.constantFrom('f\n', 'a/\n', '/b\n', '*\n!g\n', 'inner\n', 'a/b/f\n', '.gitignore\n'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ folder, name: fc.constantFrom('a', 'b', 'f'), target: fc.constantFrom(...FOLDERS, 'ws/f') }),
  },
);

function make(entries: readonly { folder: string; name: string; text?: string; target?: string }[]): void {
  for (const name of ['ws', 'outside']) rmSync(join(base, name), { recursive: true, force: true });
  for (const path of FOLDERS) mkdirSync(join(base, path), { recursive: true });
  for (const { folder: at, name, text, target } of entries) {
    const path = join(base, at, name);
    if (!leadsThroughNoLink(dirname(path))) continue;
    rmSync(path, { recursive: true, force: true });
    if (target === undefined) writeFileSync(path, text ?? '');
    else symlinkSync(join(base, target), path);
  }
}

it('are those files that the gate would open, each at its own path', () => {
  const property = fc.property(fc.array(entry, { maxLength: 12 }), fc.boolean(), (entries, readsAll) => {
    make(entries);
    const roots = [join(base, 'ws'), join(base, 'ws/inner')];
    for (const path of [...roots, join(base, 'ws/inner/temp')]) mkdirSync(path, { recursive: true });
    const gate = new WorkspaceGate({
      roots,
      tempDir: join(base, 'ws/inner/temp'),
      ignore: new IgnoreRules(QWEN_IGNORE, roots),
      unread: readsAll ? undefined : new IgnoreRules(GIT_IGNORE, roots),
    });
    const paths = [...FOLDERS.flatMap((at) => NAMES.map((name) => join(base, at, name))), 'relative', `${base}/ws/\0`];
    const opens = (path: string): boolean => {
      try {
        const { path: real, kind } = gate.resolve(path, { toRead: true });
        return real === path && kind === 'file';
      } catch {
        return false;
      }
    };
    expect([...gate.filesInPlace(paths)]).toEqual(paths.filter(opens));
  });
  fc.assert(property, { numRuns: 400 });
});
