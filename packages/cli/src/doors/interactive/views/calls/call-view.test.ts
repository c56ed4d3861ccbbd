import { createFileDiff, displayWidth } from '@tenon/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallEnd, CallItem, SessionEvent, SessionState } from '../../state/session-state.js';
import { createTheme } from '../../themes/create-theme.js';
import type { Look } from '../block.js';
import { createHighlighter } from '../markdown/highlighter.js';
import { plainLook } from '../testing/looks.js';
import { after, callEnd, callStart } from '../testing/session.js';
import { todoPanel } from '../todo-view.js';
import { renderCall } from './call-view.js';

const highlighter = createHighlighter();

function drawn(events: readonly SessionEvent[], look: Partial<Look> = {}): string[] {
  return drawState(after(events), look);
}

function drawState(state: SessionState, look: Partial<Look> = {}): string[] {
  const call = state.items.find((item): item is CallItem => item.kind === 'call');
  return call === undefined ? [] : renderCall(call, { look: plainLook(look), highlighter, layout: 'auto' });
}

const update = (display: string): SessionEvent => ({ type: 'tool-call-update', callId: 'c1', display });

describe('a call', () => {
  it('is one line when it is done', () => {
    expect(drawn([callStart(), callEnd()])).toEqual(['● Shell npm test … done']);
    expect(drawn([callStart(), callEnd({ display: 'a\nb\nc', durationMs: 3_200 })])).toEqual([
      '● Shell npm test … 3 lines (3.2 s)',
    ]);
    expect(drawn([callStart(), callEnd({ display: '' })])).toEqual(['● Shell npm test']);
    expect(drawn([callStart(), callEnd()], { unicode: false })).toEqual(['* Shell npm test - done']);
  });

  it('shows the end of its output and the time while it runs', () => {
    const output = Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n');
    expect(drawn([callStart(), update(output)], { now: 65_000 })).toEqual([
      '● Shell npm test … (1 min 05 s)',
      ...[4, 5, 6, 7, 8].map((index) => `  line ${index}`),
    ]);
  });

  it('shows all of its output when it is opened', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const opened = drawn([callStart(), callEnd({ display: lines.join('\n') })], { isOpen: true });
    expect(opened).toEqual(['● Shell npm test', ...lines.map((line) => `  ${line}`)]);
  });

  it('shows an opened output as Markdown only if its tool says that it is (S27)', () => {
    const opened = (more: Partial<CallEnd>): string[] =>
      drawn([callStart(), callEnd({ display: '# Head\n\n- **one**', ...more })], { isOpen: true });
    expect(opened({})).toEqual(['● Shell npm test', '  # Head', '  ', '  - **one**']);
    expect(opened({ isMarkdown: true }).join('\n')).not.toContain('**');
  });

  it('says how it failed, and shows the end of what it wrote', () => {
    expect(drawn([callStart(), callEnd({ display: 'x\nboom', data: { exitCode: 2 } })])).toEqual([
      '! Shell npm test … exit 2 2 lines',
      '  x',
      '  boom',
    ]);
    expect(drawn([callStart(), callEnd({ status: 'error', display: 'no such file' })])).toEqual([
      '✗ Shell npm test … failed no such file',
    ]);
    const denied = callEnd({ status: 'denied', display: 'for the model' });
    const answer: SessionEvent = { type: 'approval-answer', callId: 'c1', outcome: 'cancel', by: 'person' };
    expect(drawn([callStart(), answer, denied])).toEqual(['⊘ Shell npm test … denied you said no']);
    expect(drawn([callStart(), callEnd({ status: 'cancelled', display: '' })])).toEqual([
      '– Shell npm test … cancelled',
    ]);
  });

  it('that was never ended is shown as cancelled once the next prompt begins', () => {
    expect(drawn([callStart(), { type: 'user-message', text: 'next' }])).toEqual(['– Shell npm test … cancelled']);
  });

  it('has a bar for its progress', () => {
    const event: SessionEvent = {
      type: 'tool-call-update',
      callId: 'c1',
      display: { status: 'Fetching', progress: 0.25 },
    };
    expect(drawn([callStart(), event])[1]).toBe('  █████░░░░░░░░░░░░░░░ 25 % Fetching');
    expect(drawn([callStart(), event], { unicode: false })[1]).toBe('  #####............... 25 % Fetching');
  });

  it('shows a list of todos, which stays in the panel while there is something left', () => {
    const todos = [
      { id: '1', content: 'read', status: 'completed' },
      { id: '2', content: 'write', status: 'in_progress' },
      { id: '3', content: 'test', status: 'pending' },
    ] as const;
    const state = after([callStart({ displayName: 'Todos', title: '3' }), callEnd({ display: { todos } })]);
    expect(drawState(state)).toEqual(['● Todos 3 … 1 of 3 done', '  ☑ read', '  ◐ write', '  ☐ test']);
    expect(todoPanel(state, plainLook())).toEqual(['Todos: 1 of 3 done', '☑ read', '◐ write', '☐ test']);
    expect(todoPanel({ todos: [todos[0]] }, plainLook())).toEqual([]);
  });

  it('shows images where the terminal can, else what they are', () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const event = callEnd({ content: [{ inlineData: { data: png, mimeType: 'image/png' } }] });
    expect(drawn([callStart(), event])[1]).toBe('  [image/png, 1 × 1 pixels, 70 bytes]');
    expect(drawn([callStart(), event], { images: 'kitty' })[1]).toContain('\u001b_Ga=T,f=100');
    expect(drawn([callStart(), event], { images: 'iterm2' })[1]).toContain('\u001b]1337;File=');
  });

  it('is never wider than the terminal, whatever it says (property)', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '中', '\n', ' ', '\u001b', '👍', '\t', 'e\u0301') });
    const status = fc.constantFrom('success', 'error', 'denied', 'cancelled');
    fc.assert(
      fc.property(
        text,
        text,
        status,
        fc.constantFrom(12, 40, 90),
        fc.boolean(),
        (title, display, how, columns, isOpen) => {
          const events = [callStart({ title }), callEnd({ display, status: how, durationMs: 5_000 })];
          for (const line of drawn(events, { columns, isOpen })) {
            expect(displayWidth(line)).toBeLessThanOrEqual(columns);
            expect(line).not.toMatch(/\p{Cc}/u);
          }
        },
      ),
    );
  });
});

describe('a change of a file', () => {
  const before = 'one\ntwo = 2;\nthree\n';
  const later = 'one\ntwo = 22;\nthree\nfour\n';
  const changed = async (): Promise<SessionEvent[]> => {
    const display = await createFileDiff({ filePath: '/w/f.txt', original: before, proposed: later });
    return [callStart({ displayName: 'Edit', title: 'f.txt' }), callEnd({ display })];
  };

  it('is shown line by line with numbers', async () => {
    expect(drawn(await changed())).toEqual([
      '● Edit f.txt … +2 -1',
      '  1   one',
      '  2 - two = 2;',
      '  2 + two = 22;',
      '  3   three',
      '  4 + four',
    ]);
  });

  it('is shown side by side where there is room', async () => {
    const lines = drawn(await changed(), { columns: 120 });
    expect(lines[2]).toMatch(/^ {2}2 - two = 2; +│ 2 \+ two = 22;$/);
    expect(lines[4]).toMatch(/^ {60}│ 4 \+ four$/);
  });

  it('is shown with its beginning and its end where it is long, in a moment', async () => {
    const long = (word: string): string =>
      Array.from({ length: 5_000 }, (_, at) => `the ${word} of line ${at}\n`).join('');
    const display = await createFileDiff({ filePath: '/w/f.txt', original: long('old'), proposed: long('new') });
    const began = performance.now();
    const lines = drawn([callStart(), callEnd({ display })]);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(lines).toHaveLength(1 + 2 * 38 + 1);
    expect(lines[0]).toContain('+5000 -5000');
    expect(lines.at(-1)).toBe('  5000 + the new of line 4999');
    expect(lines).toContain(`  … ${10_000 - 2 * 38} lines not shown …`);
  });

  it('tells the words that changed from the line', async () => {
    const lines = drawn(await changed(), { theme: createTheme('dark', 'basic') });
    expect(lines[3]).toContain('\u001b[92mtwo = \u001b[39m\u001b[30;42m22\u001b[39;49m\u001b[92m;');
  });
});
