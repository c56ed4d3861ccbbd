import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { createTempWorkspace, type TempWorkspace, type WorkspaceEntry } from '../testing/temp-workspace.js';
import { isWithin } from '../util/paths-below.js';
import { contextNames } from './context-names.js';
import { ContextReader, MAX_CONTEXT_FILE_BYTES } from './context-reader.js';
import { gatherContext, MAX_IMPORT_DEPTH, MAX_IMPORTS } from './gather-context.js';
import type { GatheredContext } from './memory-types.js';

let tree: TempWorkspace | undefined;
afterEach(async () => tree?.remove());

/** The root is `repo`; what lies beside it is out of bounds. */
async function gather(
  entries: Readonly<Record<string, WorkspaceEntry>>,
  names = contextNames(undefined),
): Promise<GatheredContext & { readonly at: (path: string) => string }> {
  const made = await createTempWorkspace({ 'repo/': '', 'temp/': '', ...entries });
  tree = made;
  const root = made.path('repo');
  const reader = new ContextReader({
    tempDir: made.path('temp'),
    ignore: new IgnoreRules(QWEN_IGNORE, [root]),
    isWithheld: (path) => path.endsWith('withheld.md'),
  });
  const gathered = await gatherContext({
    places: [{ folder: root, role: 'root', boundary: root }],
    names,
    userHome: made.path('home'),
    read: reader.read.bind(reader),
  });
  return { ...gathered, at: (path) => join(root, path) };
}
const names = ({ files, at }: Awaited<ReturnType<typeof gather>>): string[] =>
  files.map(({ path }) => path.slice(at('').length + 1));
const reasons = ({ leftOut }: GatheredContext): string[] => leftOut.map(({ why }) => why);

describe('context files', () => {
  it('of one folder come in the order of the names, each text once', async () => {
    const gathered = await gather({
      'repo/QWEN.md': 'q',
      'repo/AGENTS.md': 'a',
      'repo/TENON.md': 'a',
      'repo/CLAUDE.md': 'c',
    });
    expect(names(gathered)).toEqual(['TENON.md', 'QWEN.md']);
    expect(gathered.leftOut).toEqual([
      { path: gathered.at('AGENTS.md'), why: 'it says the same as TENON.md', isHarmless: true },
    ]);
  });

  it('of another agent are read where there is no other, and any that the setting names', async () => {
    expect(names(await gather({ 'repo/CLAUDE.md': 'c', 'repo/GEMINI.md': 'g' }))).toEqual(['CLAUDE.md']);
    await tree?.remove();
    const named = contextNames(['.qwen/QWEN.md', '../x.md', '/etc/passwd', 'GEMINI.md']);
    expect(named.problems).toHaveLength(2);
    expect(named.saved).toBe('.qwen/QWEN.md');
    expect(
      names(await gather({ 'repo/.qwen/QWEN.md': 'q', 'repo/GEMINI.md': 'g', 'repo/AGENTS.md': 'a' }, named)),
    ).toEqual(['.qwen/QWEN.md', 'GEMINI.md']);
  });

  it('import others, which come behind them (S140)', async () => {
    const gathered = await gather({
      'repo/AGENTS.md': 'See @docs/style and @docs/b.md, ask @alice.',
      'repo/docs/style': 'style',
      'repo/docs/b.md': 'b @c.md',
      'repo/docs/c.md': 'c',
    });
    expect(names(gathered)).toEqual(['AGENTS.md', 'docs/style', 'docs/b.md', 'docs/c.md']);
    expect(gathered.files.map(({ importedBy }) => importedBy)).toEqual([
      undefined,
      gathered.at('AGENTS.md'),
      gathered.at('AGENTS.md'),
      gathered.at('docs/b.md'),
    ]);
    expect(gathered.leftOut).toEqual([]);
  });

  it('import nothing from outside of the root, through no spelling and no link (S140)', async () => {
    const gathered = await gather({
      'secret.md': 'S3CRET',
      'home/notes.md': 'S3CRET',
      'repo/AGENTS.md': '@../secret.md @x/../../secret.md @link.md @folder/secret.md @~/notes.md @chain.md @missing.md',
      'repo/x/': '',
      'repo/link.md': { linkTo: '../secret.md' },
      'repo/folder': { linkTo: '..' },
      'repo/chain.md': { linkTo: 'link.md' },
    });
    expect(names(gathered)).toEqual(['AGENTS.md']);
    const outside = `it lies outside of ${gathered.at('').replace(/\/$/, '')}`;
    expect(reasons(gathered)).toEqual([...Array.from({ length: 6 }, () => outside), 'there is no such file']);
  });

  it('that are links out of the root are left out themselves', async () => {
    const gathered = await gather({ 'secret.md': 'S3CRET', 'repo/AGENTS.md': { linkTo: '../secret.md' } });
    expect(gathered.files).toEqual([]);
    expect(reasons(gathered)[0]).toContain('outside');
  });

  it('that are ignored, withheld by a rule, no text or too large are left out, and told', async () => {
    const gathered = await gather({
      'repo/.qwenignore': 'ignored.md\n',
      'repo/AGENTS.md': '@ignored.md @withheld.md @binary.md @large.md',
      'repo/ignored.md': 'x',
      'repo/withheld.md': 'x',
      'repo/binary.md': new Uint8Array([0, 1, 2, 0, 255, 0]),
      'repo/large.md': 'x'.repeat(MAX_CONTEXT_FILE_BYTES + 1),
    });
    expect(reasons(gathered)).toEqual([
      'an ignore file of the project names it',
      'a rule keeps it from being read',
      'it is no text',
      'it is larger than 256 KiB',
    ]);
  });

  it('are read whole up to the limit, without what cannot be seen', async () => {
    const long = 'x'.repeat(MAX_CONTEXT_FILE_BYTES);
    const gathered = await gather({ 'repo/TENON.md': long, 'repo/AGENTS.md': 'a\u001b[31mb\u{e0041}\r\nc' });
    expect(gathered.files.map(({ text }) => text)).toEqual([long, 'ab\nc']);
  });

  it('import circles and deep chains up to a limit only (S140)', async () => {
    const chain = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`repo/f${at}.md`, `@f${at + 1}.md`]));
    const gathered = await gather({
      ...chain,
      'repo/AGENTS.md': '@f0.md @self.md',
      'repo/self.md': '@self.md @AGENTS.md',
    });
    expect(names(gathered)).toEqual(['AGENTS.md', 'f0.md', 'f1.md', 'f2.md', 'f3.md', 'f4.md', 'self.md']);
    expect(reasons(gathered)).toEqual([
      `imports lead ${MAX_IMPORT_DEPTH} files deep at most`,
      'it is imported in a circle',
      'it is imported in a circle',
    ]);
  });

  it('import so many files at most', async () => {
    const many = Array.from({ length: MAX_IMPORTS + 5 }, (_, at) => `m${at}.md`);
    const gathered = await gather({
      'repo/AGENTS.md': many.map((name) => `@${name}`).join('\n'),
      ...Object.fromEntries(many.map((name) => [`repo/${name}`, name])),
    });
    expect(gathered.files).toHaveLength(MAX_IMPORTS + 1);
    expect(gathered.leftOut).toHaveLength(5);
  });

  it('come once, end, and stay within the root, whatever imports what (S140)', { timeout: 60_000 }, async () => {
    const place = fc.constantFrom('repo', 'repo/a', 'repo/a/b', 'outside');
    const name = fc.tuple(place, fc.integer({ min: 0, max: 5 })).map(([folder, at]) => `${folder}/n${at}.md`);
    const up = fc.constantFrom('', './', '../', '../../', '../../../', 'a/', 'a/b/', '../outside/', '../../outside/');
    const named = fc.tuple(up, fc.integer({ min: 0, max: 5 })).map(([way, at]) => `@${way}n${at}.md`);
    const text = fc.array(named, { maxLength: 5 }).map((all) => all.join('\n'));
    const entry = fc.oneof(
      { weight: 5, arbitrary: text },
      { weight: 1, arbitrary: name.map((target) => ({ linkTo: `../${target}` })) },
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, entry, { maxKeys: 14 }), text, async (files, first) => {
        const entries = Object.fromEntries(
          Object.entries(files).map(([path, each]) => [path, typeof each === 'string' ? `${path}\n${each}` : each]),
        );
        const gathered = await gather({ 'outside/': '', ...entries, 'repo/AGENTS.md': `top\n${first}` });
        const paths = gathered.files.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        for (const file of gathered.files) {
          expect(isWithin(file.path, gathered.at('').replace(/\/$/, ''))).toBe(true);
          expect(file.text.startsWith('outside/')).toBe(false);
          expect(depthOf(file.path, gathered)).toBeLessThanOrEqual(MAX_IMPORT_DEPTH);
        }
        expect(gathered.leftOut.every(({ why }) => why !== '')).toBe(true);
        await tree?.remove();
      }),
      { numRuns: 60 },
    );
  });

  it('that are folders or special files are none', async () => {
    tree = await createTempWorkspace({ 'repo/': '' });
    mkdirSync(tree.path('repo/AGENTS.md'));
    const root = tree.path('repo');
    const reader = new ContextReader({
      tempDir: tree.root,
      ignore: new IgnoreRules(QWEN_IGNORE, [root]),
      isWithheld: () => false,
    });
    const place = { folder: root, role: 'root', boundary: root } as const;
    expect(await reader.read(join(root, 'AGENTS.md'), place)).toEqual({ kind: 'missing' });
    expect(await reader.read('/dev/zero', { ...place, boundary: '/dev' })).toMatchObject({ kind: 'refused' });
    const foreign = { ...place, owners: new Set([123_456_789]) };
    await tree.write({ 'repo/TENON.md': 'x' });
    expect(await reader.read(join(root, 'TENON.md'), foreign)).toMatchObject({
      why: expect.stringContaining('another user'),
    });
  });
});

function depthOf(path: string, gathered: GatheredContext): number {
  let depth = 0;
  let at = gathered.files.find((file) => file.path === path)?.importedBy;
  while (at !== undefined && depth < 100) {
    depth += 1;
    const from = at;
    at = gathered.files.find((file) => file.path === from)?.importedBy;
  }
  return depth;
}
