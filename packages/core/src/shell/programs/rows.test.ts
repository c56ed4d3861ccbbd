import { describe, expect, it } from 'vitest';
import { factsText } from '../../testing/facts-text.js';
import { COMPRESSOR_TABLE } from './compressors.js';
import { COPIERS } from './changers.js';
import { ROWS } from './judge-program.js';
import { LOOKUPS } from './name-lookups.js';
import { WRAPPER_TABLE } from './wrappers.js';

const ALL: readonly { readonly names: string; readonly reason: string; readonly options?: string }[] = [
  ...ROWS,
  ...WRAPPER_TABLE,
  ...COMPRESSOR_TABLE,
  ...LOOKUPS,
  ...COPIERS.map((copier) => ({ ...copier, names: copier.name })),
];

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

describe('the table of programs', () => {
  it('gives a reason for every row', () => {
    expect(ALL.length).toBeGreaterThan(70);
    expect(ALL.filter(({ reason }) => reason.length <= 10)).toEqual([]);
  });

  it('names no program twice', () => {
    expect(repeated(ALL.flatMap(({ names }) => names.split(' ')))).toEqual([]);
  });

  it('names no option twice in a row', () => {
    for (const { names, options = '' } of ALL) {
      const bare = options.split(/\s+/).map((option) => option.replace(/=.*$/, ''));
      expect(repeated(bare), names).toEqual([]);
    }
  });

  it('knows no roles but those there are', () => {
    const role = /=(?!(?:(?:read|write|delete)\*?|folder|address|text)?$)/;
    const strange = ALL.flatMap(({ options = '' }) => options.split(/\s+/).filter((option) => role.test(option)));
    expect(strange).toEqual([]);
  });

  it('takes an option that no row names, in any way of writing it, for a doubt', () => {
    const exact = ALL.filter((row) => !('anyOption' in row));
    for (const { names } of exact)
      for (const name of names.split(' '))
        for (const option of ['--unheard-of', '--unheard-of=x', '-\u{e4}', '"$x"', '$x', '*']) {
          const text = factsText(`${name} ${option} a b`);
          expect(text.endsWith('?') || text.endsWith('…'), `${name} ${option}: ${text}`).toBe(true);
        }
  });

  it('takes the beginning of a long option for a doubt', () => {
    for (const { names, options = '' } of ALL.filter((row) => !('anyOption' in row))) {
      const long = options.split(/\s+/).filter((option) => option.startsWith('--'));
      const known = new Set(long.map((option) => option.replace(/=.*$/, '')));
      for (const option of known) {
        const short = option.slice(0, -1);
        const name = names.split(' ')[0] ?? '';
        if (!known.has(short)) expect(factsText(`${name} ${short} 1 a b`), `${name} ${short}`).toMatch(/[?…]$/);
      }
    }
  });

  it('takes what may be several words where a value is expected for a doubt', () => {
    let count = 0;
    for (const { names, options = '' } of ALL)
      for (const option of options.split(/\s+/).filter((each) => each.includes('=')))
        for (const value of ['$x', '*', '[ab]*', '${x:-a b}']) {
          const command = `${names.split(' ')[0] ?? ''} ${option.replace(/=.*$/, '')} ${value} a b`;
          expect(factsText(command), command).toMatch(/[?…]$/);
          count += 1;
        }
    expect(count).toBeGreaterThan(500);
  });
});
