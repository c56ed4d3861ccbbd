import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IgnoreRules } from './ignore-rules.js';
import { GIT_IGNORE, QWEN_IGNORE } from './ignore-stack.js';

const FILES = ['a.log', 'b.txt', 'build/x.ts', 'pkg/build/x.ts', 'pkg/a.log', 'pkg/sub/keep/b.txt', 'pkg/sub/a.log'];
const LINES = [
  '*.log',
  'build',
  'build/',
  '/build',
  '!build',
  '!a.log',
  'sub/',
  'pkg/sub',
  '**/keep',
  '!*.txt',
  '*',
  'keep/**',
  '# x',
  ' ',
  'b.t?t',
  '[ab].*',
  '[!b]*.l?g',
  '[[:alpha:]].log',
  '[b-a].*',
  'pkg/**/a.log',
  '***/keep',
  'b[',
  '\\*.log',
  'p*g/*u*d/',
];

describe('IgnoreRules', () => {
  let root: string;
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-ignore-')));
    execFileSync('git', ['init', '-q', root]);
    for (const file of FILES) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('agrees with git on nested files, negation and anchors (S64)', () => {
    const text = fc.array(fc.constantFrom(...LINES), { maxLength: 4 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, text, (top, pkg, exclude) => {
        writeFileSync(join(root, '.gitignore'), top);
        writeFileSync(join(root, 'pkg', '.gitignore'), pkg);
        writeFileSync(join(root, '.git', 'info', 'exclude'), exclude);
        const rules = new IgnoreRules(GIT_IGNORE, [root]);
        const listed = execFileSync('git', ['-C', root, 'ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
        const shown = new Set(listed.split('\n'));
        for (const file of FILES)
          expect([file, rules.isIgnored(join(root, file), false)]).toEqual([file, !shown.has(file)]);
      }),
      { numRuns: 60 },
    );
  });

  it('agrees with git on two stars behind text', () => {
    const part = fc.constantFrom('p', 'pkg', 'pkg/s', 'sub', 'a', '.log', '/', '**', '**/', '*', '[!b]', '\\a', 'keep');
    const line = fc.tuple(fc.constantFrom('', '', '!', '/', '!/'), fc.array(part, { minLength: 1, maxLength: 5 }));
    const text = fc
      .array(line, { minLength: 1, maxLength: 3 })
      .map((lines) => lines.map(([before, parts]) => before + parts.join('')).join('\n'));
    rmSync(join(root, 'pkg', '.gitignore'), { force: true });
    fc.assert(
      fc.property(fc.constantFrom('', '*\n!*/\n'), text, (first, rest) => {
        writeFileSync(join(root, '.gitignore'), first + rest);
        const rules = new IgnoreRules(GIT_IGNORE, [root]);
        const listed = execFileSync('git', ['-C', root, 'ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
        const shown = new Set(listed.split('\n'));
        for (const file of FILES)
          expect([file, rules.isIgnored(join(root, file), false)]).toEqual([file, !shown.has(file)]);
      }),
      { numRuns: 150 },
    );
  });

  it('agrees with git where case is ignored, but for what .qwenignore names, of which it never counts', () => {
    const capitals = [
      '*.LOG',
      'BUILD/',
      '/Build',
      '!A.log',
      '[A-B].*',
      '[AB].*',
      'Pkg/**/a.LOG',
      '[[:upper:]].LOG',
      '\\A.log',
    ];
    const text = fc.array(fc.constantFrom(...LINES, ...capitals), { maxLength: 4 }).map((lines) => lines.join('\n'));
    const config = readFileSync(join(root, '.git/config'), 'utf8');
    writeFileSync(join(root, '.git/config'), `${config}[core]\nignoreCase = true\nexcludesFile = .git/excludes\n`);
    fc.assert(
      fc.property(text, text, text, (top, pkg, excludes) => {
        writeFileSync(join(root, '.gitignore'), top);
        writeFileSync(join(root, 'pkg', '.gitignore'), pkg);
        writeFileSync(join(root, '.git', 'excludes'), excludes);
        const ignored = execFileSync('git', ['-C', root, 'ls-files', '-oi', '--exclude-standard'], {
          encoding: 'utf8',
        });
        const hidden = new Set(ignored.split('\n'));
        const rules = new IgnoreRules(GIT_IGNORE, [root]);
        for (const file of FILES)
          expect([file, rules.isIgnored(join(root, file), false)]).toEqual([file, hidden.has(file)]);
      }),
      { numRuns: 60 },
    );
    writeFileSync(join(root, '.git/config'), config);
  });

  it('takes for a repository what git does: whole ones, also behind links, and no broken ones', () => {
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    mkdirSync(join(root, 'broken/.git'), { recursive: true });
    writeFileSync(join(root, 'broken/.git/HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(join(root, 'linked'));
    execFileSync('git', ['init', '-q', '--separate-git-dir', join(root, '.git/other'), join(root, 'linked')]);
    renameSync(join(root, 'linked/.git'), join(root, '.git/pointer'));
    symlinkSync('../.git/pointer', join(root, 'linked/.git'));
    writeFileSync(join(root, '.git/other/info/exclude'), '*.txt\n');
    const rules = new IgnoreRules(GIT_IGNORE, [root]);
    const isIgnored = (path: string): boolean => rules.isIgnored(join(root, path), false);
    expect([isIgnored('broken/a.log'), isIgnored('linked/a.log'), isIgnored('linked/a.txt')]).toEqual([
      true,
      false,
      true,
    ]);
    rmSync(join(root, 'broken'), { recursive: true });
    rmSync(join(root, 'linked'), { recursive: true });
  });

  it('holds nothing to be ignored outside the roots, and .qwenignore in any case', () => {
    writeFileSync(join(root, '.qwenignore'), 'secret\n');
    const rules = new IgnoreRules(QWEN_IGNORE, [root]);
    expect(rules.isIgnored(join(root, 'SECRET', 'x'), false)).toBe(true);
    expect(rules.isIgnored(join(dirname(root), 'secret'), false)).toBe(false);
    expect(rules.isIgnored(root, true)).toBe(false);
  });

  it('answers at once, whatever an ignore file of a stranger says', () => {
    const name = 'a'.repeat(250);
    writeFileSync(join(root, '.git', 'info', 'exclude'), '');
    const hostile = [
      `${'*a'.repeat(60)}*b`,
      `x/${'*a'.repeat(60)}*b`,
      `${'**/'.repeat(50_000)}b`,
      `[${'[:'.repeat(50_000)}`,
      'x'.repeat(20_000_000),
    ];
    for (const kind of [GIT_IGNORE, QWEN_IGNORE]) {
      writeFileSync(join(root, kind.fileName), hostile.join('\n'));
      const started = performance.now();
      const rules = new IgnoreRules(kind, [root]);
      expect([rules.isIgnored(join(root, name), false), rules.isIgnored(join(root, 'x', name), false)]).toEqual([
        false,
        false,
      ]);
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});
