import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isPathEffect, type Effect } from '../effects/effect.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { commandSurroundings } from '../tools/command-surroundings.js';
import { commandEffects as effectsIn, type CommandSurroundings } from './command-effects.js';

const place = { directory: '/w', zone: 'workspace' } as const;
const NAMES = ['a.ts', 'b.ts', 'c.js', '.env', 'sub', "it's", '-rf', 'é'];

/** A machine without links; `/w` is the workspace. */
const surroundings: CommandSurroundings = {
  home: '/home/ann',
  resolve: (path) => {
    const names: string[] = [];
    for (const name of path.split('/'))
      if (name === '..') names.pop();
      else if (name !== '' && name !== '.') names.push(name);
    const real = `/${names.join('/')}`;
    return { path: real, zone: real === '/w' || real.startsWith('/w/') ? 'workspace' : 'outside' };
  },
  list: (folder) => ({ '/w': NAMES, '/w/sub': ['f', '.g'] })[resolve(folder)] ?? [],
};
const commandEffects = (text: string, more: Partial<CommandSurroundings> = {}): Effect[] =>
  effectsIn(text, place, { ...surroundings, ...more });

/** `read /w/a`, `delete* /w/b` for trees, `? why`. */
function shown(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.kind === 'unknown') return [`? ${effect.reason}`];
    return isPathEffect(effect) ? [`${effect.kind}${effect.scope === 'tree' ? '*' : ''} ${effect.path}`] : [];
  });
}

describe('the runs of a text', () => {
  it('are read-only where they can change nothing', () => {
    expect(commandEffects('sleep 1; echo "a b"')).toMatchObject([
      { kind: 'run', command: 'sleep 1', argv: ['sleep', '1'], ...place, readOnly: true },
      { kind: 'run', command: 'echo "a b"', argv: ['echo', 'a b'], ...place, readOnly: true },
    ]);
  });

  it('are neither read-only nor stated in a text that is not understood whole', () => {
    for (const text of ['echo $(sudo x); ls', 'PATH=. whoami', 'enable -n echo; echo x', 'ls *.a > $y']) {
      const effects = commandEffects(text);
      expect(
        shown(effects).some((effect) => effect.startsWith('?')),
        text,
      ).toBe(true);
      expect(
        effects.some((effect) => effect.kind === 'run' && (effect.readOnly || effect.isStated === true)),
        text,
      ).toBe(false);
    }
  });

  it('know a program by its bare name only', () => {
    for (const text of ['./echo x', '/tmp/whoami', 'ECHO x', 'bin/true'])
      expect(commandEffects(text), text).toEqual([expect.objectContaining({ kind: 'run', readOnly: false })]);
  });

  it('are the shell with the whole text where no command was found', () => {
    for (const text of ['', ' ', '#', '('.repeat(500), 'x'.repeat(100_000)]) {
      const [run, unknown] = commandEffects(text);
      expect(run, text.slice(0, 9)).toMatchObject({
        kind: 'run',
        argv: ['bash', '-c', text],
        ...place,
        readOnly: false,
      });
      expect(unknown?.kind, text.slice(0, 9)).toBe('unknown');
    }
  });

  it('say where each command runs', () => {
    const places = (text: string): unknown =>
      commandEffects(text).flatMap((effect) => (effect.kind === 'run' ? [[effect.directory, effect.zone]] : []));
    const here = ['/w', 'workspace'];
    const below = ['/w/a', 'workspace'];
    expect(places('make; make x')).toEqual([here, here]);
    expect(places('cd a && make && npm test | tail')).toEqual([here, below, below, below]);
    expect(places('cd /w/a/../b && make')).toEqual([here, ['/w/b', 'workspace']]);
    expect(places('cd .. && make')).toEqual([here, ['/', 'outside']]);
    expect(places('cd a; make')).toEqual([here, below, here]);
    expect(shown(commandEffects('cd - && make'))).toContain('? a folder that is not certain');
  });

  it('do not lose what stands behind more commands than can be followed', () => {
    const effects = commandEffects(`${'true;'.repeat(5_000)} rm x`);
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'run', argv: ['rm', 'x'] }));
    expect(commandEffects(`rm ${'x '.repeat(30_000)}`)[0]).toMatchObject({ kind: 'run', readOnly: false });
  });
});

describe('paths', () => {
  it.each([
    ['cat a.ts', ['read /w/a.ts']],
    ['cat /etc/passwd', ['read /etc/passwd']],
    ['cd sub && cat ../x', ['read /w/x']],
    ['cd sub; cat x', ['read /w/sub/x', 'read /w/x']],
    ['f=a.ts; cat "$f"', ['read /w/a.ts']],
    ['for f in a b; do cat $f; done', ['read /w/a', 'read /w/b']],
    ['echo x > .git/hooks/pre-commit', ['write /w/.git/hooks/pre-commit']],
    ['echo x >> sub/f', ['write /w/sub/f']],
    ['echo x &> /w/f', ['write /w/f']],
    ['if true; then echo x >| "a b"; fi', ['write /w/a b']],
    ['cd sub && echo x > f', ['write /w/sub/f']],
    ['cat < a.ts', ['read /w/a.ts']],
    ['ls > /dev/null 2>&1', ['read /w']],
    ['rm -r sub', ['delete* /w/sub']],
    ['cat "$x"', ['? a path that is not certain (`"$x"`)']],
  ])('of %j', (text, expected) => {
    expect(shown(commandEffects(text)).sort()).toEqual(expected);
  });

  it('that redirections open are no part of what a rule on the command speaks of', () => {
    for (const effect of commandEffects('echo x > f')) expect(effect).not.toHaveProperty('by');
    expect(commandEffects('cat f')).toContainEqual(expect.objectContaining({ kind: 'read', by: expect.anything() }));
  });

  it('belong to the run in their own folder', () => {
    const by = commandEffects('(cd /etc && cat x); cat x').flatMap((effect) =>
      isPathEffect(effect) ? [[effect.path, effect.by?.directory]] : [],
    );
    expect(by).toEqual([
      ['/etc/x', '/etc'],
      ['/w/x', '/w'],
    ]);
  });

  it('that are refused, or hold something that is, are doubted', () => {
    const refuse = (path: string, isTree: boolean): string | undefined =>
      path === '/w/.env' || (isTree && path === '/w') ? 'refused' : undefined;
    expect(shown(commandEffects('cat .env', { refuse }))).toContain('? refused');
    expect(shown(commandEffects('grep -r x .', { refuse }))).toContain('? refused');
    expect(shown(commandEffects('ls', { refuse }))).not.toContain('? refused');
  });
});

describe('wildcards', () => {
  it.each([
    ['cat *.ts', ['read /w/a.ts', 'read /w/b.ts']],
    ['cat [ab].*', ['read /w/a.ts', 'read /w/b.ts']],
    ['cat ?.js', ['read /w/c.js']],
    ['cat *', ['a.ts', 'b.ts', 'c.js', 'sub', "it's", '-rf', 'é'].map((name) => `read /w/${name}`).sort()],
    ['cat .e*', ['read /w/.env']],
    ['cat s*/f', ['read /w/sub/f']],
    ['cat sub/*', ['read /w/sub/f']],
    ['cat /w/sub/.*', ['read /w', 'read /w/sub', 'read /w/sub/.g']],
    ['cat *.none', ['read /w/*.none']],
    ['cat "*".ts', ['read /w/*.ts']],
    ["cat *'.'ts", ['read /w/a.ts', 'read /w/b.ts']],
    ["cat 'a'*", ['read /w/a.ts']],
    ['cat \\**', ['read /w/**']],
    ['cat */../../etc/x', ['read /etc/x']],
    ['for f in *.ts; do cat "$f"; done', ['read /w/a.ts', 'read /w/b.ts']],
    ['f=*.ts; cat $f', ['read /w/a.ts', 'read /w/b.ts']],
    ['cd sub && cat ../*.js', ['read /w/c.js']],
    ['rm -r s*', ['delete* /w/sub']],
    ['cat ??', ['read /w/é']],
  ])('%j stand for names', (text, expected) => {
    expect([...new Set(shown(commandEffects(text)))].sort()).toEqual(expected);
  });

  it.each([
    'echo /etc/*',
    'for f in /etc/*; do echo $f; done',
    'f() { echo "$@"; }; f /etc/*',
    'a=(/etc/*)',
    'x=/etc/*; echo $x',
    '[ -e /etc/* ]',
  ])('read names whatever is done with them: %j', (text) => {
    const list = (folder: string): string[] => (folder === '/etc' ? ['passwd'] : []);
    expect(shown(commandEffects(text, { list }))).toContain('read /etc/passwd');
  });

  it('may stand for more where another command makes names', () => {
    expect(shown(commandEffects('touch x.ts; cat *.ts'))).toContain('read* /w');
    expect(shown(commandEffects('npm run build && cat sub/*'))).toContain('read* /w/sub');
    expect(shown(commandEffects('rm *.ts'))).not.toContain('delete* /w');
  });

  it('are doubted where names cannot be told, or are too many', () => {
    expect(shown(effectsIn('cat *', place, { ...surroundings, list: () => undefined }))).toEqual([
      '? a path that is not certain (`*`)',
    ]);
    const many = Array.from({ length: 2_000 }, (_, index) => `f${index}`);
    expect(shown(commandEffects('cat *', { list: () => many }))).toEqual(['? a path that is not certain (`*`)']);
  });
});

describe('on a real disk', () => {
  let workspace: TempWorkspace | undefined;
  afterEach(() => workspace?.remove());

  /** The workspace is `root`; `away` in it leads to `outside`. */
  async function realEffects(): Promise<{ root: string; outside: string; effects: (text: string) => string[] }> {
    workspace = await createTempWorkspace({
      'root/plain': 'x',
      'root/a/b/hidden': 'x',
      'root/a/.qwenignore': 'hidden\n',
      'root/c/': '',
      'outside/in/secret': 'x',
      'temp/': '',
    });
    await workspace.write({ 'root/away': { linkTo: workspace.path('outside/in') } });
    const root = workspace.path('root');
    const ignore = new IgnoreRules(QWEN_IGNORE, [root]);
    const gate = new WorkspaceGate({ roots: [root], tempDir: workspace.path('temp'), ignore });
    const real = commandSurroundings(gate, { HOME: '/home/ann', PATH: '/usr/bin' });
    const effects = (text: string): string[] => shown(effectsIn(text, { directory: root, zone: 'workspace' }, real));
    return { root, outside: workspace.path('outside'), effects };
  }

  it('links are followed as the system follows them, also those that wildcards find', async () => {
    const { root, outside, effects } = await realEffects();
    expect(effects('cat *')).toContain(`read ${join(outside, 'in')}`);
    expect(effects('cat */secret')).toEqual([`read ${join(outside, 'in/secret')}`]);
    expect(effects('cat away/*')).toEqual([`read ${join(outside, 'in/secret')}`]);
    expect(effects('cat away/../x')).toEqual([`read ${join(outside, 'x')}`]);
    expect(effects('cd away && cat ../x')).toContain(`read ${join(outside, 'x')}`);
    expect(effects('cd away/.. && cat plain')).toContain(`read ${join(root, 'plain')}`);
  });

  it('a tree in which .qwenignore hides something is doubted, one in which it hides nothing is not', async () => {
    const { effects } = await realEffects();
    const hides = '? a folder in which .qwenignore keeps something from the agent (hidden)';
    expect(effects('grep -r x .')).toContain(hides);
    expect(effects('grep -r x a/b')).toContain(hides);
    expect(effects('grep -r x c').join()).not.toContain('?');
    expect(effects('cat a/b/hidden').join()).toContain('? a path that .qwenignore keeps');
    expect(effects('cat a/b/*').join()).toContain('? a path that .qwenignore keeps');
    expect(effects('ls a').join()).not.toContain('?');
  });
});
