import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeSafe } from '@tenon/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTerminalLook } from '../app/terminal-look.js';
import { loadOwnTheme, ownThemeNames, readOwnTheme } from './own-theme.js';
import { PALETTES } from './palettes.js';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'tenon-themes-')));
  mkdirSync(path.join(home, 'themes'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const write = (name: string, content: unknown): void =>
  writeFileSync(path.join(home, 'themes', name), typeof content === 'string' ? content : JSON.stringify(content));

describe('a theme of the person', () => {
  it('says some roles and takes the others from the theme that it is based on (S139)', () => {
    const user = { colour: '#111111', behind: '#eeeeee', bold: true, basic: 0 };
    const { palette, problems } = readOwnTheme('mine', { base: 'light', roles: { accent: '#005f87', user } });
    expect(problems).toEqual([]);
    expect(palette.background).toBe(PALETTES.light.background);
    expect(palette.roles.accent).toEqual({ ...PALETTES.light.roles.accent, colour: '#005f87' });
    expect(palette.roles.user).toEqual({ ...PALETTES.light.roles.user, ...user });
    expect(palette.roles.error).toEqual(PALETTES.light.roles.error);
  });

  it('is told what is hard to read, by the same measure as those of Tenon', () => {
    const roles = {
      accent: '#0000aa',
      dim: '#555555',
      border: '#777777',
      user: { colour: '#888888', behind: '#777777' },
    };
    const { problems } = readOwnTheme('mine', { background: '#000000', roles });
    expect(problems).toEqual([
      'The theme mine: dim has a contrast of 2.8 to what is behind it, and 3 can be read well.',
      'The theme mine: accent has a contrast of 1.6 to what is behind it, and 4.5 can be read well.',
      'The theme mine: user has a contrast of 1.3 to what is behind it, and 4.5 can be read well.',
    ]);
  });

  it('keeps what is sound of a file that says more than there is', () => {
    const roles = { acent: '#ffffff', error: 'red', link: { blink: true }, code: { bold: 'yes' }, success: '#00ff00' };
    const { palette, problems } = readOwnTheme('mine', { colours: 1, background: 'black', roles });
    expect(palette.roles.success.colour).toBe('#00ff00');
    expect(palette.roles.error).toEqual(PALETTES.dark.roles.error);
    expect(problems.map((problem) => problem.replace('The theme mine: ', ''))).toEqual([
      'colours is not known.',
      'background is no colour such as #1e1e1e.',
      'acent is no role (did you mean accent?).',
      'error is no colour such as #6cb6ff.',
      'link has blink, which is not known or no such value.',
      'code has bold, which is not known or no such value.',
    ]);
  });

  it.each([
    ['[]', /no JSON object/],
    ['{"base": "pink"}', /"base" must be one of dark, light, high-contrast/],
    ['{"roles": []}', /"roles" must be an object/],
    ['{broken', /JSON/],
  ])('is none where its file is %s', (content, message) => {
    write('mine.json', content);
    expect(loadOwnTheme('mine', home)).toEqual({ missing: expect.stringMatching(message) });
  });

  it('is found by its file; no name leads elsewhere or takes that of Tenon’s', () => {
    for (const name of ['b.json', 'a_1.json', 'dark.json', 'auto.json', '.hidden.json', 'x y.json', 'notes.txt'])
      write(name, '{}');
    expect(ownThemeNames(home)).toEqual(['a_1', 'b']);
    expect(ownThemeNames(path.join(home, 'nowhere'))).toEqual([]);
    expect(loadOwnTheme('../themes/b', home)).toEqual({ missing: expect.stringContaining('no name of a theme') });
    const file = path.join(home, 'themes', 'drak.json');
    const missing = `There is no theme "drak": ${file} does not exist. Did you mean dark?`;
    expect(loadOwnTheme('drak', home)).toEqual({ missing });
  });
});

describe('the look of a terminal', () => {
  const paint = (theme: string | undefined, more: Readonly<Record<string, string>> = {}) => {
    const env = { TERM: 'xterm-256color', COLORTERM: 'truecolor', ...more };
    return createTerminalLook({ surroundings: { env, tenonHome: home }, values: {}, theme });
  };

  it('is that of the own theme in its colours, by setting, option and command; without colour where there is none', () => {
    write('mine.json', { roles: { accent: '#aabbcc' } });
    const look = paint('mine');
    expect([look.theme().name, look.problems]).toEqual(['mine', []]);
    expect(look.theme().paint('accent', makeSafe('x'))).toContain('38;2;170;187;204');
    look.setTheme('light');
    expect(look.theme().name).toBe('light');
    look.setTheme('mine');
    expect(look.theme().paint('accent', makeSafe('x'))).toContain('38;2;170;187;204');
    expect(paint('mine', { NO_COLOR: '1' }).theme().name).toBe('no-colour');
    expect(paint('mine', { TERM: 'xterm', COLORTERM: '' }).theme().paint('accent', makeSafe('x'))).toContain('[94m');
  });

  it('is what fits the background where there is no such theme, and that is told', () => {
    const look = paint('gone');
    expect(look.theme().name).toBe('dark');
    expect(look.problems).toEqual([expect.stringContaining('There is no theme "gone"')]);
    expect(look.onReply({ kind: 'background', rgb: [250, 250, 250] })).toBe(true);
    expect(look.theme().name).toBe('light');
  });
});
