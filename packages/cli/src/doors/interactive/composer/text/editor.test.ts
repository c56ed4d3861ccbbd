import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Editor, type EditAction } from './editor.js';

function editorWith(text: string): Editor {
  const editor = new Editor();
  editor.reset(text);
  return editor;
}

function run(editor: Editor, ...actions: EditAction[]): Editor {
  for (const action of actions) editor.run(action);
  return editor;
}

/** The same by a plain string and an index. */
class Model {
  text = '';
  at = 0;

  type(text: string): void {
    this.text = this.text.slice(0, this.at) + text + this.text.slice(this.at);
    this.at += text.length;
  }

  run(action: string): void {
    const { text, at } = this;
    const chars = Array.from(new Intl.Segmenter().segment(text));
    const before = chars.findLast(({ index }) => index < at)?.index ?? 0;
    const here = chars.find(({ index }) => index === at);
    const after = here === undefined ? text.length : here.index + here.segment.length;
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    const feed = text.indexOf('\n', at);
    const lineEnd = feed === -1 ? text.length : feed;
    if (action === 'left') this.at = before;
    if (action === 'right') this.at = after;
    if (action === 'lineStart') this.at = at === 0 ? 0 : lineStart;
    if (action === 'lineEnd') this.at = lineEnd;
    if (action === 'textStart') this.at = 0;
    if (action === 'textEnd') this.at = text.length;
    if (action === 'eraseBefore') [this.text, this.at] = [text.slice(0, before) + text.slice(at), before];
    if (action === 'eraseAfter') this.text = text.slice(0, at) + text.slice(after);
    if (action === 'cutToLineEnd') this.text = text.slice(0, at) + text.slice(at === lineEnd ? after : lineEnd);
  }
}

const ACTIONS = [
  'left',
  'right',
  'lineStart',
  'lineEnd',
  'textStart',
  'textEnd',
  'eraseBefore',
  'eraseAfter',
  'cutToLineEnd',
] as const;
const step = fc.oneof(
  fc.record({ action: fc.constantFrom(...ACTIONS) }),
  fc.record({ typed: fc.constantFrom('a', 'word', ' ', '\n', '漢', '👩‍💻', 'é', '\t', '\u0007') }),
);

describe('editing', () => {
  it('does to a text what it would do to a plain string', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const [editor, model] = [new Editor(), new Model()];
        for (const each of steps) {
          if ('typed' in each) [editor, model].forEach((one) => one.type(each.typed));
          else [editor, model].forEach((one) => one.run(each.action));
          expect(editor.text).toBe(model.text);
          expect(editor.place(model.at)).toEqual(editor.cursor);
        }
      }),
    );
  });

  it('takes everything back, step by step, and makes it again', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const editor = new Editor();
        for (const each of steps) {
          if ('typed' in each) editor.type(each.typed);
          else editor.run(each.action);
        }
        const { text } = editor;
        while (editor.run('undo'));
        expect(editor.text).toBe('');
        while (editor.run('redo'));
        expect(editor.text).toBe(text);
      }),
    );
  });

  it('takes back a word at a time', () => {
    const editor = new Editor();
    for (const char of 'two words') editor.type(char);
    expect(run(editor, 'undo').text).toBe('two ');
    expect(run(editor, 'undo').text).toBe('');
    expect(run(editor, 'redo', 'redo').text).toBe('two words');
  });

  it('deletes an emoji, a letter with its accents and a flag as one', () => {
    expect(run(editorWith('a👩‍👩‍👧‍👦e\u0301🇩🇪'), 'eraseBefore', 'eraseBefore', 'eraseBefore').text).toBe('a');
  });
});

describe('words and cut text', () => {
  it('goes and cuts by words, and by what blanks end', () => {
    expect(run(editorWith('see src/a-b.ts'), 'cutWordBefore').text).toBe('see src/a-b.');
    expect(run(editorWith('see src/a-b.ts '), 'cutShellWordBefore').text).toBe('see ');
    const editor = run(editorWith('one two three'), 'wordLeft', 'wordLeft', 'cutWordAfter');
    expect(editor.text).toBe('one  three');
    expect(run(editor, 'lineStart', 'wordRight').cursor.column).toBe(3);
  });

  it('puts in what was cut, what was cut in a row as one, and older texts in its place', () => {
    const editor = run(editorWith('first second'), 'cutWordBefore', 'cutWordBefore');
    expect(editor.text).toBe('');
    editor.type('other');
    run(editor, 'cutToLineStart', 'putIn');
    expect(editor.text).toBe('other');
    expect(run(editor, 'putInOlder').text).toBe('first second');
    expect(run(editor, 'putInOlder').text).toBe('other');
  });
});

describe('pasted text', () => {
  const big = Array.from({ length: 12_345 }, (_, index) => `line ${index} of what was pasted, with words\n`).join('');

  it('stands as one mark and is sent exactly', () => {
    const editor = editorWith('before ');
    editor.paste(big);
    editor.type(' after');
    expect(editor.buffer.lines.length).toBe(1);
    expect(editor.text).toBe(`before ${big} after`);
    run(editor, 'left', 'left', 'left', 'left', 'left', 'left', 'eraseBefore');
    expect(editor.text).toBe('before  after');
    expect(run(editor, 'undo').text).toBe(`before ${big} after`);
  });

  it('opens in its place, with the cursor at its beginning', () => {
    const editor = editorWith('');
    editor.paste(big);
    expect(editor.run('openPaste')).toBe(true);
    expect(editor.buffer.lines.length).toBe(12_346);
    expect(editor.cursor).toEqual({ line: 0, column: 0 });
    expect(editor.text).toBe(big);
    expect(run(editor, 'undo').buffer.lines.length).toBe(1);
  });

  it('is any text, control characters and private ones too; only line ends become line feeds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.boolean(), (text, isBig) => {
        const pasted = isBig ? `${text}${'x'.repeat(1_000)}` : text;
        const editor = new Editor();
        editor.paste(pasted);
        editor.paste(pasted);
        expect(editor.text).toBe((pasted + pasted).replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
      }),
    );
  });

  it('comes back with its mark from where it was put aside, and out of what was cut', () => {
    const editor = editorWith('');
    editor.paste(big);
    editor.putAside();
    editor.reset('an earlier prompt');
    editor.takeBack();
    expect(editor.buffer.text.length).toBe(1);
    expect(editor.text).toBe(big);
    run(editor, 'cutToLineStart');
    editor.reset();
    expect(run(editor, 'putIn').text).toBe(big);
  });
});

it('goes from row to row in the cell where it began', () => {
  const editor = editorWith('a long first line\nab\n漢字漢字 and more');
  editor.layout.columns = 40;
  run(editor, 'rowUp');
  expect(editor.cursor).toEqual({ line: 1, column: 2 });
  run(editor, 'rowUp');
  expect(editor.cursor).toEqual({ line: 0, column: 17 });
  expect(editor.run('rowUp')).toBe(false);
  run(editor, 'rowDown', 'rowDown');
  expect(editor.cursor).toEqual({ line: 2, column: 13 });
});
