import createIgnore from 'ignore';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect, FetchEffect, PathEffect, RunEffect } from '../effects/effect.js';
import { compileRules, RuleCompiler } from './compile-rules.js';
import type { Rule, RuleList } from './rule.js';

const places = { roots: ['/work/app', '/work/lib'], home: '/home/ann' };

function run(...argv: string[]): RunEffect {
  return { kind: 'run', command: argv.join(' '), argv, directory: '/work/app', zone: 'workspace', readOnly: false };
}

function touch(kind: PathEffect['kind'], requested: string, more: Partial<PathEffect> = {}): PathEffect {
  return { kind, path: requested, requested, zone: 'workspace', ...more };
}

function match(list: RuleList, text: string, effect: Effect, toolName = 'any_tool'): string {
  const { rules, problems } = compileRules([{ list, text, origin: 'test' }], places);
  expect(problems).toEqual([]);
  return rules[0]?.match(toolName, effect) ?? 'missing';
}

describe('command rules', () => {
  it.each<[string, string[], boolean]>([
    ['npm test', ['npm', 'test'], true],
    ['npm test', ['npm', 'test', '--x'], false],
    ['npm test', ['npm', 'testing'], false],
    ['npm test', ['npm test'], false],
    ['npm   test', ['npm', 'test'], true],
    ['npm\ttest'.replace('\t', ' '), ['npm', 'test'], true],
    ['git *', ['git'], true],
    ['git *', ['git', 'push', '--force'], true],
    ['git *', ['gitk'], false],
    ['git *', ['git-evil', 'x'], false],
    ['git:*', ['git', 'log'], true],
    ['git:*', ['git:x'], false],
    ['npm run test:*', ['npm', 'run', 'test', '--', 'a'], true],
    ['npm run test:*', ['npm', 'run', 'test:unit'], false],
    ['git status*', ['git', 'status'], true],
    ['git status*', ['git', 'status; rm -rf x'], false],
    ['git status*', ['git', 'status\nrm'], false],
    ['git status*', ['git', 'status&&rm'], false],
    ['git status*', ['git', 'status', 'x'], true],
    ['npm run*', ['npm', 'run', 'lint'], true],
    ['npm run*', ['npm', 'run-script', 'lint'], true],
    ['npm run*', ['npm', 'test', 'run'], false],
    ['npm run lint*', ['npm', 'run', 'lint', 'x'], false],
    ['git -c*', ['git', '-cx=y', 'push'], false],
    ['rm a*', ['rm', 'a', 'b'], false],
    ['npm*', ['npm', 'test'], false],
    ['git status', ['git', 'status; rm -rf x'], false],
    ['git * main', ['git', 'merge', 'main'], true],
    ['git * main', ['git', '-cx=y', 'main'], false],
    ['git * main', ['git', 'a', 'b', 'main'], false],
    ['npm*', ['./npm-evil'], false],
    ['*test', ['/tmp/test'], false],
    ['rm *', ['/bin/rm', 'x'], false],
    ['rm *', ['RM', 'x'], false],
    ['echo "a; b"', ['echo', 'a; b'], true],
    ['echo a\\*b', ['echo', 'a*b'], true],
    ['echo a\\*b', ['echo', 'axb'], false],
    ['git *', ['env', 'git', 'push'], false],
    ['git *', [], false],
  ])('an allow rule %j on %j matches: %s', (specifier, argv, expected) => {
    expect(match('allow', `Bash(${specifier})`, run(...argv))).toBe(expected ? 'yes' : 'no');
  });

  it('leaves commands and paths alone that its exceptions name', () => {
    const judged = (text: string, unless: readonly string[], effect: Effect): string | undefined =>
      compileRules([{ list: 'deny', text, unless, origin: 'test' }], places).rules[0]?.match('any_tool', effect);
    expect(judged('Bash', ['git *'], run('git', 'log'))).toBe('no');
    expect(judged('Bash', ['git *'], run('rm', 'x'))).toBe('yes');
    expect(judged('Edit', ['docs/*.md'], touch('write', '/work/app/docs/a.md'))).toBe('no');
    expect(judged('Edit', ['docs/*.md'], touch('write', '/work/app/docs/a.ts'))).toBe('yes');
    expect(judged('Edit', ['docs/*.md'], touch('write', '/etc/x', { requested: '/work/app/docs/a.md' }))).toBe('yes');
    expect(judged('Read', ['docs/*.md'], touch('write', '/work/app/docs/a.md'))).toBe('no');
  });

  it('an allow rule never matches a command with variables in front', () => {
    const effect: RunEffect = { ...run('npm', 'test'), command: 'LD_PRELOAD=/tmp/x.so npm test' };
    expect(match('allow', 'Bash(npm test)', effect)).toBe('no');
    expect(match('allow', 'Bash(npm *)', effect)).toBe('no');
    expect(match('deny', 'Bash(npm *)', effect)).toBe('yes');
  });

  it.each<[string, string[], boolean]>([
    ['rm *', ['rm', 'x'], true],
    ['rm *', ['/bin/rm', 'x'], true],
    ['rm *', ['RM.exe', 'x'], true],
    ['/bin/rm *', ['rm', 'x'], true],
    ['rm *', ['rmdir', 'x'], false],
    ['rm *', ['echo', 'rm', 'x'], false],
    ['rm *', ['sudo', 'rm', 'x'], true],
    ['rm *', ['env', '-i', 'A=b', 'rm', 'x'], true],
    ['rm *', ['timeout', '5', 'nice', 'rm', 'x'], true],
    ['rm *', ['xargs', 'rm'], true],
    ['rm *', ['find', '.', '-exec', 'rm', '{}', ';'], true],
    ['rm *', ['bash', '-c', 'cd x && rm -r y'], true],
    ['rm -rf *', ['rm', '-rf', 'x'], true],
    ['rm -rf *', ['rm', '-fr', 'x'], true],
    ['rm -rf *', ['rm', '-r', '-f', 'x'], true],
    ['rm -rf *', ['rm', 'x', '-rfv'], true],
    ['rm -rf *', ['rm', '-r', 'x'], false],
    ['git push *', ['git', 'push', 'origin'], true],
    ['git push *', ['git', '-C', 'x', 'push'], true],
    ['git push *', ['git', '--git-dir', 'x', '-c', 'a=b', '--no-pager', 'push'], true],
    ['git push *', ['git', 'pull'], false],
    ['git push --force *', ['git', 'push', 'origin', 'main', '--force'], true],
    ['git push --force *', ['git', 'push', 'origin'], false],
    ['git branch -D *', ['git', 'branch', '-d', 'x'], false],
    ['npm publish', ['npm', 'publish'], true],
    ['npm publish', ['npm', 'test'], false],
    ['npm run deploy:*', ['npm', 'run', 'deploy:prod'], true],
    ['npm run deploy:*', ['npm', 'run', 'deploy', 'x'], true],
    ['curl *evil*', ['curl', '-s', 'http://evil.example'], true],
    ['git status*', ['git', 'status; x'], true],
    ['rm *', [], false],
  ])('a deny rule %j on %j matches: %s', (specifier, argv, expected) => {
    for (const list of ['deny', 'ask'] as const) {
      expect(match(list, `Bash(${specifier})`, run(...argv))).toBe(expected ? 'yes' : 'no');
    }
  });

  it('may be met where the program stands among the words of another', () => {
    for (const list of ['deny', 'ask'] as const) {
      expect(match(list, 'Bash(rm *)', run('unheard-of', 'rm', 'x'))).toBe('part');
      expect(match(list, 'Bash(rm *)', run('unheard-of', '--run=rm -f x'))).toBe('part');
      expect(match(list, 'Bash(rm *)', { ...run('unheard-of', 'rm'), readOnly: true })).toBe('no');
      expect(match(list, 'Bash(rm *)', run('ls', 'rm'))).toBe('no');
      expect(match(list, 'Bash(rm *)', run('./ls', 'rm'))).toBe('part');
    }
    expect(match('allow', 'Bash(rm *)', run('unheard-of', 'rm', 'x'))).toBe('no');
  });

  it('of an allow list match in the workspace only', () => {
    for (const zone of ['temp', 'outside'] as const) {
      expect(match('allow', 'Bash(npm test)', { ...run('npm', 'test'), zone })).toBe('no');
      expect(match('allow', 'Bash', { ...run('npm', 'test'), zone })).toBe('no');
      expect(match('allow', 'any_tool', { ...run('npm', 'test'), zone })).toBe('no');
      expect(match('deny', 'Bash(npm test)', { ...run('npm', 'test'), zone })).toBe('yes');
    }
  });

  it('fails closed behind a wrapper with more words than are looked through', () => {
    expect(match('deny', 'Bash(rm *)', run('xargs', ...Array.from({ length: 5000 }, () => 'a')))).toBe('yes');
  });

  it('is not stalled by stars and long arguments', () => {
    const start = performance.now();
    match('deny', 'Bash(a *a*a*a*a*b)', run('a', 'a'.repeat(200_000)));
    match('allow', 'Bash(a *a*a*a*a*b)', run('a', 'a'.repeat(200_000)));
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  const word = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'b', '-', '*', ';', ' ', '/') });

  it('whatever an allow rule accepts, the same deny rule stops (property)', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        (rule, argv) => {
          const text = `Bash(${rule.join(' ')})`;
          const [allow] = compileRules([{ list: 'allow', text, origin: 'test' }], places).rules;
          const [deny] = compileRules([{ list: 'deny', text, origin: 'test' }], places).rules;
          if (allow?.match('t', run(...argv)) === 'yes') expect(deny?.match('t', run(...argv))).toBe('yes');
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('path rules', () => {
  it.each<[string, string, boolean]>([
    ['src/**', '/work/app/src/a.ts', true],
    ['src/**', '/work/app/src/deep/er/a.ts', true],
    ['src/**', '/work/app/srcs/a.ts', false],
    ['src/**', '/work/lib/src/a.ts', false],
    ['src/**', '/work/app/lib/src/a.ts', false],
    ['src', '/work/app/src/a.ts', true],
    ['src/', '/work/app/src/a.ts', true],
    ['*.ts', '/work/app/deep/a.ts', true],
    ['/*', '/work/app/a.ts', true],
    ['/*', '/work/app/src/a.ts', false],
    ['/*', '/work/app/.env', true],
    ['./a.ts', '/work/app/a.ts', true],
    ['./a.ts', '/work/app/b/a.ts', false],
    ['/src/*.ts', '/work/app/src/a.ts', true],
    ['/src/*.ts', '/work/app/src/x.ts/a', false],
    ['src/**/test', '/work/app/src/test', true],
    ['src/**/test', '/work/app/src/a/b/test', true],
    ['~/notes/**', '/home/ann/notes/a', true],
    ['~/notes/**', '/home/bob/notes/a', false],
    ['//opt/x/**', '/opt/x/a', true],
    ['//opt/x/**', '/work/app/opt/x/a', false],
    ['SRC/**', '/work/app/src/a.ts', false],
    ['app/(group)/[[]id]/**', '/work/app/app/(group)/[id]/page.tsx', true],
    ['[a-c].ts', '/work/app/b.ts', true],
    ['[!a-c].ts', '/work/app/b.ts', false],
    ['a\\*b', '/work/app/a*b', true],
    ['a\\*b', '/work/app/axb', false],
    ['*', '/work/app/deep/a', true],
    ['*', '/etc/passwd', false],
    ['**', '/work/appendix/a', false],
    ['src/**', '/work/app/src/../../../etc/passwd', false],
  ])('an allow rule %j on %j matches: %s', (specifier, path, expected) => {
    expect(match('allow', `Read(${specifier})`, touch('read', path))).toBe(expected ? 'yes' : 'no');
  });

  it.each<[string, string, boolean]>([
    ['SRC/**', '/work/app/src/a.ts', true],
    ['.env', '/work/app/deep/.ENV', true],
    ['.env', '/other/.env', true],
    ['secret/**', '/work/lib/secret/a', true],
    ['secret/**', '/work/app/secret', true],
    ['secret/', '/work/app/secret/', true],
    ['/*', '/work/app/src/a.ts', true],
    ['dir/**', '/work/app/dir/a/b/c', true],
    ['caf\u00e9/**', '/work/app/cafe\u0301/a', true],
    ['~/.ssh/**', '/home/ann/.ssh/id', true],
    ['//etc/**', '/etc/passwd', true],
    ['src/**', '/work/app/source/a', false],
  ])('a deny rule %j on %j matches: %s', (specifier, path, expected) => {
    expect(match('deny', `Read(${specifier})`, touch('read', path))).toBe(expected ? 'yes' : 'no');
  });

  it('an allow rule must match the path as asked for and the real one; a deny rule either', () => {
    const through = touch('read', '/work/app/src/link', { path: '/work/app/secret/key' });
    expect(match('allow', 'Read(src/**)', through)).toBe('no');
    expect(match('allow', 'Read(secret/**)', through)).toBe('no');
    expect(match('allow', 'Read(**)', through)).toBe('yes');
    expect(match('deny', 'Read(src/**)', through)).toBe('yes');
    expect(match('deny', 'Read(secret/**)', through)).toBe('yes');
  });

  it('an allow rule covers a searched tree only when it covers all of it', () => {
    const tree = (path: string): PathEffect => touch('read', path, { scope: 'tree' });
    expect(match('allow', 'Read(src/**)', tree('/work/app/src'))).toBe('yes');
    expect(match('allow', 'Read(src)', tree('/work/app/src'))).toBe('yes');
    expect(match('allow', 'Read(**)', tree('/work/app'))).toBe('yes');
    expect(match('allow', 'Read(src/**)', tree('/work/app'))).toBe('no');
    expect(match('allow', 'Read(src/*.ts)', tree('/work/app/src'))).toBe('no');
    expect(match('allow', 'Read(src/*)', tree('/work/app/src'))).toBe('no');
  });

  it('a deny rule on something inside a searched tree may apply', () => {
    const tree = touch('read', '/work/app/src', { scope: 'tree' });
    expect(match('deny', 'Read(src/secret/**)', tree)).toBe('part');
    expect(match('deny', 'Read(.env)', tree)).toBe('part');
    expect(match('deny', 'Read(lib/secret/**)', tree)).toBe('no');
    expect(match('deny', 'Read(src/**)', tree)).toBe('yes');
    expect(match('deny', 'Read(~/.ssh/**)', touch('read', '/', { scope: 'tree' }))).toBe('part');
  });

  it('allowing what is in a folder does not allow deleting or replacing the folder', () => {
    expect(match('allow', 'Edit(docs/**)', touch('delete', '/work/app/docs/a'))).toBe('yes');
    expect(match('allow', 'Edit(docs/**)', touch('delete', '/work/app/docs', { scope: 'tree' }))).toBe('no');
    expect(match('allow', 'Edit(docs/**)', touch('write', '/work/app/docs'))).toBe('no');
  });

  it('a tool with a path specifier speaks of that tool’s paths only', () => {
    const effect = touch('write', '/work/app/docs/a');
    expect(match('allow', 'write_file(docs/**)', effect, 'write_file')).toBe('yes');
    expect(match('allow', 'write_file(docs/**)', effect, 'edit')).toBe('no');
    expect(match('allow', 'write_file(docs/**)', run('ls'), 'write_file')).toBe('no');
  });

  const name = fc.constantFrom('a', 'b', 'ab', 'a.b', '.a');
  const piece = fc.constantFrom('a', 'b', '*', '?', 'a*', '**', '[ab]', '[!a]', '.*', 'ab');

  it('a deny rule stops all that gitignore would ignore, an allow rule accepts nothing else (property)', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (pieces, slash, names) => {
          const text = pieces.join('/') + (slash ? '/' : '');
          const path = names.join('/');
          const ignored = createIgnore({ ignorecase: false }).add(text).ignores(path);
          const effect = touch('write', `/work/app/${path}`);
          if (ignored) expect([text, path, match('deny', `Edit(${text})`, effect)]).toEqual([text, path, 'yes']);
          else expect([text, path, match('allow', `Edit(${text})`, effect)]).toEqual([text, path, 'no']);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('host rules', () => {
  const fetchOf = (url: string, host = new URL(url).hostname): FetchEffect => ({ kind: 'fetch', url, host });

  it.each<[string, string, boolean]>([
    ['domain:example.com', 'https://example.com/x', true],
    ['domain:example.com', 'https://a.b.example.com/x', true],
    ['domain:example.com', 'https://evilexample.com/', false],
    ['domain:example.com', 'https://example.com.evil.net/', false],
    ['domain:EXAMPLE.com', 'https://example.com./', true],
    ['domain:*.example.com', 'https://a.example.com/', true],
    ['domain:*.example.com', 'https://example.com/', false],
    ['domain:bücher.example', 'https://xn--bcher-kva.example/', true],
    ['domain:0.0.1', 'https://127.0.0.1/', false],
    ['domain:127.0.0.1', 'https://127.0.0.1:8080/', true],
  ])('%j on %s matches: %s', (specifier, url, expected) => {
    for (const list of ['allow', 'deny'] as const) {
      expect(match(list, `WebFetch(${specifier})`, fetchOf(url))).toBe(expected ? 'yes' : 'no');
    }
  });

  it('allows only when stated host and URL agree, denies when either matches', () => {
    const effect = fetchOf('https://evil.net/', 'example.com');
    expect(match('allow', 'WebFetch(domain:example.com)', effect)).toBe('no');
    expect(match('deny', 'WebFetch(domain:evil.net)', effect)).toBe('yes');
    expect(match('deny', 'WebFetch(domain:example.com)', effect)).toBe('yes');
  });
});

describe('compileRules', () => {
  it('reports rules that cannot be read, with list and origin', () => {
    const { rules, problems } = compileRules(
      [
        { list: 'deny', text: 'Bash(', origin: 'user settings' },
        { list: 'allow', text: '*', origin: 'command line' },
        { list: 'allow', text: 'gith*', origin: 'command line' },
        { list: 'deny', text: '*', origin: 'command line' },
      ],
      places,
    );
    expect(rules).toHaveLength(1);
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('deny rule "Bash(" of user settings: The "(" of the rule is never closed'),
      expect.stringContaining('allow rule "*" of command line'),
      expect.stringContaining('allow rule "gith*" of command line'),
    ]);
  });
});

describe('RuleCompiler', () => {
  const rule = (text: string): Rule => ({ list: 'deny', text, origin: 'test' });
  const [first, second] = [rule('Read(a)'), rule('Read(b)')];
  const texts = (found: ReturnType<typeof compileRules>): string[] => found.rules.map((each) => each.rule.text);

  it('reads the same rules once, be the list another', () => {
    const compiler = new RuleCompiler();
    const compiled = compiler.compile([first, second], places);
    expect(compiler.compile([first, second], { ...places, roots: [...places.roots] })).toBe(compiled);
  });

  it('reads them anew when a rule, a root or the home is another, also in the list that it was given', () => {
    const compiler = new RuleCompiler();
    const rules = [first];
    expect(texts(compiler.compile(rules, places))).toEqual(['Read(a)']);
    rules.push(second);
    const both = compiler.compile(rules, places);
    expect(texts(both)).toEqual(['Read(a)', 'Read(b)']);
    expect(texts(compiler.compile([second], places))).toEqual(['Read(b)']);
    expect(compiler.compile(rules, { ...places, home: '/other' })).not.toBe(both);
    expect(compiler.compile(rules, { ...places, roots: ['/other'] })).not.toBe(both);
  });
});
