import { expect, it } from 'vitest';
import { safeText, type RewindPoint } from '@tenon/core';
import { askForText } from './ask-for-text.js';
import { confirm } from './confirm.js';
import { pickFromList, type ListItem } from './pick-from-list.js';
import { pickRewind } from './pick-rewind.js';
import { createPanelStage, type PanelStage } from './testing/panel-stage.js';

const opened = async (stage: PanelStage): Promise<void> => {
  for (let tries = 0; !stage.isOpen && tries < 1_000; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 1));
};

const ITEMS: readonly ListItem<number>[] = [
  { label: 'first', detail: 'the one that comes before all others in this list', value: 1 },
  { label: '第二 second\u001b[2J', value: 2 },
  { label: 'third 👍', detail: 'last', value: 3 },
];

it('a list is shown with its keys, at 80 and 40 columns', async () => {
  const stage = createPanelStage();
  void pickFromList(stage, { title: safeText`Which one?`, items: ITEMS, preselected: 2 });
  await opened(stage);
  expect(stage.screen()).toMatchInlineSnapshot(`
    "── Which one? ──────────────────────────────────────────────────────────────────
      first  the one that comes before all others in this list
    › 第二 second\\u{1b}[2J
      third 👍  last
    ↑↓ move · Enter choose · Esc leave · 2/3"
  `);
  stage.resize({ columns: 40, rows: 24 });
  expect(stage.screen()).toMatchInlineSnapshot(`
    "── Which one? ──────────────────────────
      first  the one that comes before all …
    › 第二 second\\u{1b}[2J
      third 👍  last
    ↑↓ move · Enter choose · Esc leave
    2/3"
  `);
});

it.each([
  [['enter'], 2],
  [['down', 'enter'], 3],
  [['down', 'down', 'enter'], 1],
  [['home', 'enter'], 1],
  [['up', 'up', 'enter'], 3],
  [['pageDown', 'enter'], 3],
  [['escape'], undefined],
  [['ctrl+c'], undefined],
])('of a list %j takes %s', async (keys, value) => {
  const stage = createPanelStage();
  const picked = pickFromList(stage, { title: safeText`?`, items: ITEMS, preselected: 2 });
  stage.press(...keys);
  expect(await picked).toBe(value);
});

it('a list is narrowed by what is typed, in labels and details, and cannot be answered with nothing', async () => {
  const stage = createPanelStage();
  const picked = pickFromList(stage, { title: safeText`?`, items: ITEMS, filterable: true });
  await opened(stage);
  stage.press('«zzz»', 'enter');
  expect(stage.screen()).toContain('nothing like that');
  stage.press('ctrl+u', '«lst»');
  expect(stage.screen()).toMatchInlineSnapshot(`
    "── ? ───────────────────────────────────────────────────────────────────────────
    / lst
    › third 👍  last
    ↑↓ move · type to narrow it down · Enter choose · Esc leave · 1/1"
  `);
  stage.press('enter');
  expect(await picked).toBe(3);
});

it('a list of twenty thousand is narrowed while one types, and keeps the mark in sight', async () => {
  const stage = createPanelStage();
  const items = Array.from({ length: 20_000 }, (_item, index) => ({
    label: `src/part-${index}/file.ts`,
    value: index,
  }));
  const picked = pickFromList(stage, { title: safeText`?`, items, filterable: true, preselected: 15_000 });
  await opened(stage);
  expect(stage.screen()).toContain('› src/part-15000/file.ts');
  stage.press('end');
  expect(stage.screen()).toContain('› src/part-19999/file.ts');
  stage.press('«part-123 ts»', 'down', 'up', 'enter');
  expect(await picked).toBe(123);
});

it('a list that is empty can be left', async () => {
  const stage = createPanelStage();
  const picked = pickFromList(stage, { title: safeText`?`, items: [] });
  stage.press('down', 'up', 'end', 'pageDown', 'enter');
  expect(stage.isOpen).toBe(true);
  stage.press('escape');
  expect(await picked).toBe(undefined);
});

it('a list whose signal ends is left', async () => {
  const end = new AbortController();
  const picked = pickFromList(createPanelStage(), { title: safeText`?`, items: ITEMS }, end.signal);
  end.abort();
  expect(await picked).toBe(undefined);
});

it.each([
  [{}, ['«my words»', 'enter'], 'my words'],
  [{ initial: 'old' }, ['backspace', 'enter'], 'ol'],
  [{ multiline: true }, ['«a»', 'enter', '«b»', 'ctrl+s'], 'a\nb'],
  [{}, ['«a»', 'escape'], undefined],
  [{}, ['enter'], ''],
])('a text asked for with %j and %j is %j', async (question, keys, text) => {
  const stage = createPanelStage();
  const typed = askForText(stage, { title: safeText`Name it`, ...question });
  stage.press(...keys);
  expect(await typed).toBe(text);
});

it('a text that is secret is not shown', async () => {
  const stage = createPanelStage();
  const typed = askForText(stage, { title: safeText`Key`, secret: true });
  stage.press('«s3cret»');
  stage.paste('\u001b[2J你\n');
  expect(stage.screen()).toMatchInlineSnapshot(`
    "── Key ─────────────────────────────────────────────────────────────────────────
    › •••••••••••
    Enter done · Esc leave"
  `);
  stage.press('enter');
  expect(await typed).toBe('s3cret\u001b[2J你');
});

it.each([
  ['y', true],
  ['Y', true],
  ['n', false],
  ['enter', false],
  ['escape', false],
])('a question is answered by %s with %s', async (key, answer) => {
  const stage = createPanelStage();
  const confirmed = confirm(stage, safeText`Really?\nAll of it?`);
  stage.paste('y');
  expect(stage.screen()).toBe('Really?\nAll of it?\ny yes · n no (default)');
  stage.press(key);
  expect(await confirmed).toBe(answer);
});

const POINT: RewindPoint = {
  id: 'm1',
  text: 'Write the parser\nand its tests',
  time: '2026-01-02T03:04:05',
  changedFiles: ['a.ts', 'b.ts', 'c.ts', 'd\u001b.ts'],
  hasConversation: true,
};
const POINTS: readonly RewindPoint[] = [
  POINT,
  { ...POINT, id: 'm2', text: 'Hello', changedFiles: [] },
  { ...POINT, id: 'm3', text: '好的', hasConversation: false, changedFiles: ['x'] },
];

it('going back shows messages with what was changed since, then what can go back', async () => {
  const stage = createPanelStage();
  const picked = pickRewind(stage, POINTS);
  await opened(stage);
  expect(stage.screen()).toMatchInlineSnapshot(`
    "── Go back to before which message? ────────────────────────────────────────────
    /
    › Write the parser  01-02 03:04, 4 files changed since
      Hello  01-02 03:04, no files changed since
      好的  01-02 03:04, 1 file changed since, before what was summarized
    ↑↓ move · type to narrow it down · Enter choose · Esc leave · 1/3"
  `);
  stage.press('enter');
  await opened(stage);
  expect(stage.screen()).toMatchInlineSnapshot(`
    "── What goes back? (changed since: a.ts, b.ts, c.ts and 1 more) ────────────────
    › Conversation and files  the changes of 4 files are taken back
      Conversation only  files stay as they are
      Files only  the changes of 4 files are taken back, the conversation stays
      Nothing  cancel
    ↑↓ move · Enter choose · Esc leave · 1/4"
  `);
  stage.press('enter');
  expect(await picked).toEqual({ id: 'm1', what: { conversation: true, files: true } });
});

it.each([
  [[['enter'], ['down', 'enter']], { id: 'm1', what: { conversation: true, files: false } }],
  [[['enter'], ['down', 'down', 'enter']], { id: 'm1', what: { conversation: false, files: true } }],
  [[['enter'], ['end', 'enter']], undefined],
  [[['escape']], undefined],
  [[['down', 'enter'], ['escape'], ['enter'], ['enter']], { id: 'm2', what: { conversation: true, files: false } }],
  [[['end', 'enter'], ['enter']], { id: 'm3', what: { conversation: false, files: true } }],
])('going back by %j is %j', async (panels, choice) => {
  const stage = createPanelStage();
  const picked = pickRewind(stage, POINTS);
  for (const keys of panels) {
    await opened(stage);
    stage.press(...keys);
  }
  expect(await picked).toEqual(choice);
});
