import { describe, expect, it } from 'vitest';
import { batchWords, isBatchFile } from './batch-words.js';

const FILE = String.raw`C:\Program Files\nodejs\npx.cmd`;
/** The last word, which holds the batch file and its arguments, without the quotes around all of it. */
const lineOf = (...args: string[]): string => batchWords(FILE, args).at(-1)?.slice(1, -1) ?? '';

describe('batchWords', () => {
  it('calls the interpreter by its full path, without start-up commands or delayed expansion', () => {
    expect(batchWords(FILE, ['-y', 'server'])).toEqual([
      String.raw`C:\Windows\System32\cmd.exe`,
      '/e:ON',
      '/v:OFF',
      '/d',
      '/c',
      String.raw`""C:\Program Files\nodejs\npx.cmd" "-y" "server""`,
    ]);
  });

  it('leaves every operator inside quotes', () => {
    const words = ['a & calc', '| x', '> y', '^', 'a"&calc&"b', '', 'ends\\', 'x\\"y'];
    const line = lineOf(...words);
    // Outside of quotes there is nothing but the blanks between the words.
    expect(line.replaceAll(/"[^"]*"/g, '').trim()).toBe('');
    expect(line).toContain('"a""&calc&""b"');
    expect(line).toContain(String.raw`"ends\\"`);
  });

  it('lets no variable be expanded: between two signs there is never a name', () => {
    expect(lineOf('%PATH%')).toContain('"%%cd:~,%PATH%%cd:~,%"');
  });

  it('refuses what no spelling carries, and says what to do', () => {
    for (const word of ['a\nb', 'a\rb', 'a\0b']) {
      expect(() => batchWords(FILE, [word])).toThrow(/takes no line ends.*Give the program itself/);
    }
    expect(() => batchWords('C:\\a%b.cmd', [])).toThrow(/Rename it/);
  });

  it('knows batch files by their ending', () => {
    expect(['x.cmd', 'X.BAT', 'x.exe', 'cmd'].map(isBatchFile)).toEqual([true, true, false, false]);
  });
});
