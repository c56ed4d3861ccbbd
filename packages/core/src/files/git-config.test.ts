import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseGitConfig, type GitSetting } from './git-config.js';

const folder = mkdtempSync(join(tmpdir(), 'git-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git itself reads, as `name` and value; undefined when it refuses the file. */
function askGit(text: string): [string, string | undefined][] | undefined {
  const file = join(folder, 'config');
  writeFileSync(file, text);
  try {
    const listed = execFileSync('git', ['config', '--list', '-z', '--no-includes', '-f', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
    return listed
      .split('\0')
      .filter((item) => item !== '')
      .map((item) => {
        const at = item.indexOf('\n');
        return at === -1 ? [item, undefined] : [item.slice(0, at), item.slice(at + 1)];
      });
  } catch {
    return undefined;
  }
}

const nameOf = ({ section, subsection, key }: GitSetting): string =>
  [...(section === '' ? [] : [section]), ...(subsection === undefined ? [] : [subsection]), key].join('.');

describe('parseGitConfig', () => {
  it.each([
    [
      '[core]\n\tbare = false\n\tfsmonitor=./x # note\n',
      [
        ['core.bare', 'false'],
        ['core.fsmonitor', './x'],
      ],
    ],
    ['[Core] FSMonitor = "a b" ; c\n', [['core.fsmonitor', 'a b']]],
    ['[remote "Or\\"i gin"]url=x\n', [['remote.Or"i gin.url', 'x']]],
    ['[core]\nfsmonitor\n', [['core.fsmonitor', undefined]]],
    ['[core]\r\n  pager = a\\\r\nb\r\n', [['core.pager', 'ab']]],
    ['\uFEFF[a]b=c', [['a.b', 'c']]],
    ['[a]b = "x;#" y "z"', [['a.b', 'x;# y z']]],
    ['[a]b =   " x "  # c', [['a.b', ' x ']]],
    ['[a]b = ""  x  \\\n y ', [['a.b', 'x   y']]],
    ['[a.b]\nc = x\\t\\"\n', [['a.b.c', 'x\t"']]],
    [
      'A = b\nflag\n[core]\nbare = false\n',
      [
        ['a', 'b'],
        ['flag', undefined],
        ['core.bare', 'false'],
      ],
    ],
  ])('reads %j', (text, expected) => {
    const read = parseGitConfig(text)?.map((setting) => [nameOf(setting), setting.value]);
    expect(read).toEqual(expected);
  });

  it.each([
    'a.b = c\n',
    '[a\nb=c',
    '[a "b\n"]c=d',
    '[a]b = "c\n',
    '[a]b = \\q\n',
    '[a]1b = c\n',
    '[a]b = c\0\n',
    '[a]b c\n',
  ])('does not read %j', (text) => expect(parseGitConfig(text)).toBeUndefined());

  it('never misses a setting that git reads', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '[',
        ']',
        '"',
        '\\',
        '=',
        ' ',
        '\t',
        '\n',
        '\r\n',
        '#',
        ';',
        'a',
        'core',
        'fsmonitor',
        '.',
        '-',
        '1',
        'x y',
      ),
      fc.constantFrom(
        '[core]',
        '[core]\n',
        '[a "b"]',
        'fsmonitor = x\n',
        'key\n',
        'k=v',
        '\\\n',
        '"q"',
        '\\"',
        '; c\n',
        '\n\n',
      ),
    );
    const text = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''));
    const begun = fc.tuple(fc.constantFrom('[s]', ''), text).map(([head, rest]) => head + rest);
    fc.assert(
      fc.property(begun, (config) => {
        const read = parseGitConfig(config)?.map(nameOf);
        const asked = askGit(config);
        if (read !== undefined && asked !== undefined) expect(read).toEqual(asked.map(([name]) => name));
      }),
      { numRuns: 300 },
    );
  });
});
