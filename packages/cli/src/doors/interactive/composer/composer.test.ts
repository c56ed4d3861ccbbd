import { displayWidth, makeSafe } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame, Key, Size } from '../screen/panel.js';
import { createTheme } from '../themes/create-theme.js';
import type { Offer } from './complete/offer.js';
import { Composer } from './composer.js';
import type { ComposerOptions } from './composer-options.js';
import { PromptHistory } from './history/prompt-history.js';
import { bindKeys } from './key-bindings.js';

const WIDE: Size = { columns: 80, rows: 24 };
const NARROW: Size = { columns: 40, rows: 20 };

interface Typing {
  readonly composer: Composer;
  readonly sent: string[];
  readonly actions: string[];
  readonly problems: string[];
}

function typing(options: Partial<ComposerOptions> = {}): Typing {
  const [sent, actions, problems]: [string[], string[], string[]] = [[], [], []];
  const theme = createTheme('no-colour', 'none');
  const composer = new Composer({
    bindings: bindKeys(),
    theme: () => theme,
    unicode: true,
    history: new PromptHistory(),
    redraw: () => undefined,
    onSubmit: ({ text }) => sent.push(text),
    onAction: (action) => actions.push(action),
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  return { composer, sent, actions, problems };
}

/** Named keys, or texts that are typed character by character. */
function press(composer: Composer, ...keys: string[]): void {
  for (const key of keys) {
    if (/^(?:(?:ctrl|alt|shift)\+.+|enter|tab|escape|up|down|left|right|home|end|backspace|delete)$/.test(key))
      composer.onKey({ name: key, text: '', raw: '' });
    else for (const char of key) composer.onKey({ name: char === ' ' ? 'space' : char, text: char, raw: char });
  }
}

function paste(composer: Composer, text: string): void {
  composer.onKey({ name: 'paste', text, raw: text } satisfies Key);
}

/** The frame as text, the cursor as `▏`. */
function shown(composer: Composer, size: Size = WIDE): string {
  const { lines, cursor } = composer.render(size);
  return lines.map((line, row) => (row === cursor?.row ? withCursor(line, cursor.column) : line)).join('\n');
}

function withCursor(line: string, column: number): string {
  const before = [...new Intl.Segmenter().segment(line)];
  let width = 0;
  for (const { segment, index } of before) {
    if (width >= column) return `${line.slice(0, index)}▏${line.slice(index)}`;
    width += displayWidth(segment);
  }
  return `${line}${' '.repeat(column - width)}▏`;
}

const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('typing', () => {
  it('shows the text behind a mark, with the cursor where the next character goes', () => {
    const { composer } = typing();
    expect(shown(composer)).toBe('› ▏');
    press(composer, 'hello world', 'alt+b');
    expect(shown(composer)).toBe('› hello ▏world');
    expect(composer.text).toBe('hello world');
  });

  it('wraps by words at the width, and is drawn anew for another width', () => {
    const { composer } = typing();
    press(composer, 'the quick brown fox jumps over the lazy dog and runs away');
    expect(shown(composer)).toBe('› the quick brown fox jumps over the lazy dog and runs away▏');
    expect(shown(composer, NARROW)).toBe('› the quick brown fox jumps over the \n  lazy dog and runs away▏');
  });

  it('begins new lines by Shift-Enter, Alt-Enter, Ctrl-J, and a backslash before Enter; Enter sends all', () => {
    const { composer, sent } = typing();
    press(composer, 'a', 'shift+enter', 'b', 'alt+enter', 'c', 'ctrl+j', String.raw`d\\\ `.trim(), 'enter', 'e');
    expect(shown(composer)).toBe('› a\n  b\n  c\n  d\\\\\n  e▏');
    press(composer, 'enter');
    expect(sent).toEqual(['a\nb\nc\nd\\\\\ne']);
    expect(composer.isEmpty).toBe(true);
  });

  it('tells Ctrl-J from Enter by what the terminal sent', () => {
    const { composer, sent } = typing();
    press(composer, 'a');
    composer.onKey({ name: 'enter', text: '', raw: '\n' });
    expect([composer.text, sent]).toEqual(['a\n', []]);
  });

  it('sends nothing that is nothing', () => {
    const { composer, sent } = typing();
    press(composer, 'enter', ' ', 'enter', 'ctrl+u', '!', 'enter');
    expect(sent).toEqual([]);
  });

  it('takes at most two fifths of the rows, and shows the part with the cursor', () => {
    const { composer } = typing();
    paste(composer, Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n'));
    press(composer, 'shift+enter', 'last');
    expect(shown(composer, { columns: 40, rows: 10 })).toBe('↑ line 6\n  line 7\n  line 8\n  last▏');
    press(composer, 'ctrl+home');
    expect(shown(composer, { columns: 40, rows: 10 })).toBe('› ▏line 0\n  line 1\n  line 2\n  line 3');
  });

  it('leaves to the door what is not its own', () => {
    const { composer, actions } = typing();
    press(composer, 'escape', 'ctrl+c', 'shift+tab', 'ctrl+o', 'ctrl+t', 'ctrl+l', 'ctrl+z', 'ctrl+d');
    expect(actions).toEqual([
      'cancel',
      'interrupt',
      'cycleMode',
      'openTranscript',
      'toggleTodos',
      'clearScreen',
      'suspend',
      'leave',
    ]);
    press(composer, 'ab', 'home', 'ctrl+d');
    expect([composer.text, actions.length]).toEqual(['b', 8]);
  });

  it('obeys other keys', () => {
    const { composer, sent } = typing({ bindings: bindKeys({ submit: 'ctrl+s', newLine: 'enter' }) });
    press(composer, 'a', 'enter', 'b', 'ctrl+s');
    expect(sent).toEqual(['a\nb']);
  });
});

describe('what is drawn', () => {
  it('makes visible what would do something on a terminal, and sends it as it came', () => {
    const { composer, sent } = typing();
    paste(composer, 'a\u001b[31mb\u202ec\td\r\ne');
    expect(shown(composer)).toBe('› a\\u{1b}[31mb\\u{202e}c    d\n  e▏');
    press(composer, 'enter');
    expect(sent).toEqual(['a\u001b[31mb\u202ec\td\ne']);
  });

  it('is never wider than the screen, and has the cursor behind the width of the text before it', () => {
    const piece = fc.constantFrom(
      'word ',
      'a',
      '漢字',
      '👩‍💻',
      'e\u0301',
      '\t',
      '\u001b',
      '\n',
      '@',
      '/',
      'x'.repeat(30),
      ' '.repeat(50),
    );
    const moves = fc.array(fc.constantFrom('left', 'right', 'up', 'down', 'home', 'end', 'alt+b', 'ctrl+k'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        moves,
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 30 }),
        (text, keys, columns, rows) => {
          const { composer } = typing();
          paste(composer, text.join(''));
          for (const key of keys) {
            press(composer, key);
            const { lines, cursor }: Frame = composer.render({ columns, rows });
            expect(lines.length).toBeLessThanOrEqual(rows);
            for (const line of lines) {
              expect(displayWidth(line)).toBeLessThanOrEqual(columns);
              expect(makeSafe(line.replaceAll(/ {40,}/g, ' '))).toBe(line.replaceAll(/ {40,}/g, ' '));
            }
            expect(cursor?.row).toBeLessThan(lines.length);
            expect(cursor?.column).toBeLessThan(columns);
            if (columns < 20) continue;
            // Typed where the cursor is, a sign appears just there.
            press(composer, '§');
            const after = composer.render({ columns, rows });
            const row = after.lines.findIndex((line) => line.includes('§'));
            const line = after.lines[row] ?? '';
            const end = displayWidth(line.slice(0, line.indexOf('§') + 1));
            expect(after.cursor?.row === row ? after.cursor.column : end).toBe(end);
            press(composer, 'backspace');
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('shows a large paste as a mark that opens, goes as one, and is sent whole', () => {
    const { composer, sent } = typing();
    const big = 'some words of a line which was pasted, about eighty characters long, as many are.\n'.repeat(12_344);
    press(composer, 'look: ');
    paste(composer, big);
    expect(shown(composer)).toBe('› look: [Pasted #1: 12,345 lines, 1.0 MB]▏');
    press(composer, ' yes', 'enter');
    expect(sent).toEqual([`look: ${big} yes`]);
    paste(composer, big);
    press(composer, 'backspace');
    expect(composer.isEmpty).toBe(true);
    press(composer, 'ctrl+-', 'alt+o');
    expect(shown(composer, NARROW).split('\n')[0]).toBe('› ▏some words of a line which was ');
  });
});

describe('shell mode', () => {
  it('begins with an exclamation mark and ends when that is taken away', () => {
    const { composer, sent } = typing();
    press(composer, '!ls');
    expect(shown(composer)).toBe('! ls▏');
    expect(composer.text).toBe('!ls');
    press(composer, 'home', 'backspace');
    expect(shown(composer)).toBe('› ▏ls');
    press(composer, '!', 'enter', 'up');
    expect([shown(composer), sent]).toEqual(['! ls▏', ['!ls']]);
  });

  it('is never hidden in what is pasted', () => {
    const { composer } = typing();
    paste(composer, `!${'rm '.repeat(1_000)}`);
    expect(shown(composer)).toMatch(/^! \[Pasted #1: 1 line, 3\.0 kB\]/);
  });
});

describe('earlier prompts', () => {
  it('come by Up from the first row, and what was being typed comes back by Down', () => {
    const history = new PromptHistory();
    ['first', 'second\nwith two rows'].forEach((text) => history.add(text));
    const { composer } = typing({ history });
    press(composer, 'half', 'up');
    expect(shown(composer)).toBe('› second\n  with two rows▏');
    press(composer, 'up', 'up');
    expect(shown(composer)).toBe('› first▏');
    press(composer, 'up', 'down', 'down');
    expect(shown(composer)).toBe('› half▏');
  });

  it('are found by Ctrl-R, older ones by Ctrl-R again; Enter takes, Escape leaves', () => {
    const history = new PromptHistory();
    ['fix the parser', 'write', 'parse a log'].forEach((text) => history.add(text));
    const { composer, actions } = typing({ history });
    press(composer, 'draft', 'ctrl+r');
    expect(shown(composer)).toBe('› draft\nearlier prompt: ▏');
    press(composer, 'pars');
    expect(shown(composer)).toBe('› parse a log\nearlier prompt: pars▏');
    press(composer, 'ctrl+r');
    expect(shown(composer)).toBe('› fix the parser\nearlier prompt: pars▏');
    press(composer, 'ctrl+r');
    expect(shown(composer)).toBe('› fix the parser\nnothing earlier: pars▏');
    press(composer, 'escape');
    expect([shown(composer), actions]).toEqual(['› draft▏', []]);
    press(composer, 'ctrl+r', 'fix', 'enter');
    expect(shown(composer)).toBe('› fix the parser▏');
  });

  it('shows where they match', () => {
    const history = new PromptHistory();
    history.add('fix the parser');
    const theme = createTheme('dark', 'basic');
    const { composer } = typing({ history, theme: () => theme });
    press(composer, 'ctrl+r', 'the');
    expect(composer.render(WIDE).lines[0]).toContain(theme.paint('selected', makeSafe('the')));
  });
});

describe('messages that wait', () => {
  it('are shown above, and the last one comes back by Up', () => {
    const queue = ['one', 'two', 'three', 'four\nlines'];
    const { composer } = typing({ takeQueued: () => queue.pop() });
    composer.setQueued(queue);
    expect(shown(composer, NARROW)).toBe('waiting (and 1 before): two\nwaiting: three\nwaiting: four\\nlines\n› ▏');
    press(composer, 'up');
    composer.setQueued(queue);
    expect(shown(composer, NARROW)).toBe('waiting: one\nwaiting: two\nwaiting: three\n› four\n  lines▏');
  });
});

describe('another editor', () => {
  it('changes the text as one step; what goes wrong is told and nothing is lost', async () => {
    const { composer, problems } = typing({ edit: async (text) => `${text} and more\n` });
    press(composer, 'text', 'ctrl+g');
    await settled();
    expect(composer.text).toBe('text and more');
    press(composer, 'ctrl+_');
    expect(composer.text).toBe('text');
    const failing = typing({ edit: async () => Promise.reject(new Error('no editor')) });
    press(failing.composer, 'kept', 'ctrl+g');
    await settled();
    expect([failing.composer.text, failing.problems, problems]).toEqual(['kept', ['no editor'], []]);
  });
});

describe('completion', () => {
  const files: readonly Offer[] = [
    { insert: '@src/', label: 'src/', goesOn: true, isPath: true },
    { insert: '@src/a.ts', label: 'src/a.ts', isPath: true },
    { insert: '@"my dir/"', label: 'my dir/', goesOn: true, isPath: true },
  ];
  const commands = async (text: string): Promise<readonly Offer[]> =>
    text.startsWith('/model ')
      ? [{ insert: 'fast', label: 'fast', detail: 'the fast one' }]
      : [
          { insert: '/model', label: '/model [NAME]', detail: 'Chooses the model.' },
          { insert: '/more', label: '/more', detail: 'Shows more.' },
        ];
  const find = async (typed: string): Promise<readonly Offer[]> => files.filter(({ label }) => label.startsWith(typed));

  it('lists what fits below the text, and Tab takes it; folders go on', async () => {
    const { composer } = typing({ mentions: [find] });
    press(composer, 'see @');
    await settled();
    expect(shown(composer, NARROW)).toBe('› see @▏\n❯ src/\n  src/a.ts\n  my dir/');
    press(composer, 'tab');
    await settled();
    expect(shown(composer)).toBe('› see @src/▏\n❯ src/\n  src/a.ts');
    press(composer, 'down', 'enter');
    await settled();
    expect(shown(composer)).toBe('› see @src/a.ts ▏');
  });

  it('goes on within the quotes of a folder with blanks', async () => {
    const { composer } = typing({ mentions: [find] });
    press(composer, '@my');
    await settled();
    press(composer, 'enter');
    expect(shown(composer).split('\n')[0]).toBe('› @"my dir/▏"');
  });

  it('closes by Escape until another word is begun, and moves round and round', async () => {
    const { composer, actions } = typing({ mentions: [find] });
    press(composer, '@');
    await settled();
    press(composer, 'up');
    expect(shown(composer)).toBe('› @▏\n  src/\n  src/a.ts\n❯ my dir/');
    press(composer, 'escape', 's');
    await settled();
    expect([shown(composer), actions]).toEqual(['› @s▏', []]);
    press(composer, ' @s');
    await settled();
    expect(shown(composer)).toContain('❯ src/');
  });

  it('is opened again by Tab', async () => {
    const { composer } = typing({ mentions: [find] });
    press(composer, '@src/a');
    await settled();
    press(composer, 'escape');
    expect(shown(composer)).toBe('› @src/a▏');
    press(composer, 'tab');
    await settled();
    expect(shown(composer)).toBe('› @src/a▏\n❯ src/a.ts');
  });

  it('hints at what may follow, and is not sent', () => {
    const hint = (line: string): string | undefined =>
      line === '' ? 'Say what is to be done' : line === '/model' ? ' [NAME]' : undefined;
    const { composer, sent } = typing({ hint });
    expect(shown(composer)).toBe('› ▏Say what is to be done');
    press(composer, '/model');
    expect(shown(composer)).toBe('› /model▏ [NAME]');
    press(composer, 'left');
    expect(shown(composer)).toBe('› /mode▏l');
    press(composer, 'enter');
    expect(sent).toEqual(['/model']);
  });

  it('completes commands, with what they do beside them, and sends those that take nothing more', async () => {
    const { composer, sent } = typing({ completeCommand: commands });
    press(composer, '/mo');
    await settled();
    expect(shown(composer, NARROW)).toBe('› /mo▏\n❯ /model [NAME]  Chooses the model.\n  /more          Shows more.');
    press(composer, 'enter');
    await settled();
    expect(shown(composer)).toBe('› /model ▏\n  fast  the fast one');
    press(composer, 'enter');
    expect(sent).toEqual(['/model ']);
    press(composer, '/mo');
    await settled();
    press(composer, 'down', 'enter');
    expect(sent).toEqual(['/model ', '/more ']);
  });

  it('never shows an answer to an earlier question, and keeps the list while the next one is on its way', async () => {
    const waiting = new Map<string, (offers: readonly Offer[]) => void>();
    const { composer } = typing({ mentions: [async (typed) => new Promise((resolve) => waiting.set(typed, resolve))] });
    press(composer, '@a', 'b');
    waiting.get('ab')?.([{ insert: '@ab', label: 'ab' }]);
    await settled();
    waiting.get('a')?.([{ insert: '@a', label: 'a' }]);
    await settled();
    expect(shown(composer)).toBe('› @ab▏\n❯ ab');
    press(composer, 'c');
    expect(shown(composer)).toBe('› @abc▏\n❯ ab');
    waiting.get('abc')?.([]);
    await settled();
    expect(shown(composer)).toBe('› @abc▏');
  });

  it('fits long paths and what is beside them into 40 columns, eight rows at most', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      insert: `@x${index}`,
      label: `packages/some/very/deep/folder/with/a/file-${index}.ts`,
      isPath: true,
    }));
    const { composer } = typing({ mentions: [async () => many] });
    press(composer, '@');
    await settled();
    const lines = shown(composer, NARROW).split('\n');
    expect(lines.length).toBe(9);
    expect(lines[1]).toBe('❯ …ome/very/deep/folder/with/a/file-0.ts');
  });

  it('makes what servers and files are called safe to read', async () => {
    const { composer } = typing({
      mentions: [async () => [{ insert: '@x', label: 'a\u001b[2Jb', detail: 'line\nline' }]],
    });
    press(composer, '@');
    await settled();
    expect(shown(composer)).toContain('❯ a\\u{1b}[2Jb  line\\nline');
  });
});
