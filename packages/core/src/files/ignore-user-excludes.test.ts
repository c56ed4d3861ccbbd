import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userExcludesFile } from './ignore-user-excludes.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tenon-excludes-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function gitSays(): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const args = ['config', '--global', '--includes', '--type=path', 'core.excludesFile'];
  return execFileSync('git', args, { cwd: home, env, encoding: 'utf8' }).trimEnd();
}

describe('userExcludesFile', () => {
  it.each([
    '[core]\n\texcludesFile = ~/.gitignore_global\n',
    '[user]\nname = x\n[CORE]\nEXCLUDESFILE=/etc/my ignore ; comment\n[core "sub"]\nexcludesFile = /no\n',
    '[core] excludesfile = "/a # b"  # c\n',
    '[core]\nexcludesFile = /first\nexcludesFile = /seco\\\\nd   \n',
    '[core]\n# excludesFile = /no\nexcludesFile = /yes\n',
    '[core]\nexcludesFile = /a\\\n/b\n',
    '[core]\nexcludesFile = /no\n[include]\npath = more/included\n',
    '[include] path = "~/more/included"\n[core]\nexcludesFile = /last\n',
    '[include]\npath = nowhere\n[core]\nexcludesFile = /yes\n',
  ])('says of %j what git says', (config) => {
    put('.gitconfig', config);
    put('more/included', '[core]\nexcludesFile = ~/of-included\n[include]\npath = deeper\n');
    put('more/deeper', '[core]\n  excludesFile = /deeper\n');
    expect(userExcludesFile(home)).toBe(gitSays());
  });

  it('is the default file where the configuration says nothing', () => {
    put('.gitconfig', '[user]\nexcludesFile = /no\n');
    expect(userExcludesFile(home)).toBe(join(home, '.config/git/ignore'));
    expect(userExcludesFile(home, { XDG_CONFIG_HOME: '/xdg' })).toBe('/xdg/git/ignore');
  });

  it('reads only the file that the environment names', () => {
    put('.gitconfig', '[core]\nexcludesFile = /no\n');
    put('other', '[core]\nexcludesFile = /yes\n');
    expect(userExcludesFile(home, { GIT_CONFIG_GLOBAL: join(home, 'other') })).toBe('/yes');
  });

  it('prefers .gitconfig to the configuration in the XDG folder, and none when the value is empty', () => {
    put('.config/git/config', '[core]\nexcludesFile = /xdg\n');
    expect(userExcludesFile(home)).toBe('/xdg');
    put('.gitconfig', '[core]\nexcludesFile = ""\n');
    expect(userExcludesFile(home)).toBeUndefined();
  });
});
