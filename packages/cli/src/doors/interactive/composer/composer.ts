import { errorMessage } from '@tenon/core';
import type { Frame, Key, Panel, Size } from '../screen/panel.js';
import { CompletionList, type OpenWord } from './complete/completion-list.js';
import { mentionAt } from './complete/mention.js';
import type { Offers } from './complete/offer.js';
import type { ComposerOptions } from './composer-options.js';
import { drawComposer } from './draw-composer.js';
import { HistorySearch } from './history/history-search.js';
import { HistoryWalk } from './history/history-walk.js';
import type { KeyAction } from './key-bindings.js';
import { pressedName } from './key-names.js';
import { Editor, type EditAction } from './text/editor.js';
import { Viewport } from './text/viewport.js';

/** Nobody types a longer command. In characters. */
const LONGEST_COMMAND = 4_000;
/** Behind more than that no hint has room. */
const LONGEST_HINTED = 200;

const DOORS = ['cancel', 'interrupt', 'suspend', 'cycleMode', 'openTranscript', 'toggleTodos', 'clearScreen'] as const;
type DoorsAction = (typeof DOORS)[number];
type OwnAction = Exclude<KeyAction, Exclude<EditAction, 'eraseBefore'> | DoorsAction>;

/** Where the person types: a panel that takes keys at once, whatever else is going on. */
export class Composer implements Panel {
  readonly #options: ComposerOptions;
  readonly #editor = new Editor();
  readonly #viewport = new Viewport();
  readonly #walk = new HistoryWalk();
  readonly #list: CompletionList;
  #isShell = false;
  #wasShell = false;
  #search: HistorySearch | undefined;
  #queued: readonly string[] = [];
  #isEditing = false;
  #kept: { readonly frame: Frame; readonly columns: number; readonly rows: number; readonly theme: string } | undefined;

  readonly #own: Readonly<Record<OwnAction, () => void>> = {
    submit: () => this.#submit(),
    newLine: () => this.#newLine(),
    complete: () => this.#list.open(this.#word()),
    leave: () => (this.isEmpty ? this.#options.onAction('leave') : this.#edit('eraseAfter')),
    historySearch: () => this.#beginSearch(),
    openEditor: () => void this.#openEditor(),
    up: () => this.#up(),
    down: () => this.#down(),
    eraseBefore: () => this.#eraseBefore(),
  };

  constructor(options: ComposerOptions) {
    this.#options = options;
    this.#list = new CompletionList(
      (kind) => this.#sources(kind),
      () => this.#changed(),
    );
  }

  /** All of it, with what was pasted: not for every frame. */
  get text(): string {
    return (this.#isShell ? '!' : '') + this.#editor.text;
  }

  /** Puts another text in place of what is typed, with the cursor at its end. */
  setText(text: string): void {
    this.#endSearch();
    this.#walk.end();
    this.#put(text);
    this.#list.update(undefined);
    this.#changed();
  }

  get isEmpty(): boolean {
    return !this.#isShell && this.#editor.isEmpty;
  }

  /** The messages that wait, oldest first. */
  setQueued(messages: readonly string[]): void {
    this.#queued = messages;
    this.#changed();
  }

  /** Asks again what can be chosen: there are other files than before. */
  refresh(): void {
    if (this.#search === undefined) this.#list.update(this.#word());
  }

  render({ columns, rows }: Size): Frame {
    const theme = this.#options.theme();
    const kept = this.#kept;
    if (kept?.columns === columns && kept.rows === rows && kept.theme === theme.name) return kept.frame;
    const search = this.#search;
    const frame = drawComposer(
      {
        editor: this.#editor,
        viewport: this.#viewport,
        isShell: this.#isShell,
        queued: this.#queued,
        hint: this.#hint(),
        offers: this.#list.shown,
        search: search && { query: search.query, isFailed: search.isFailed, matches: search.matches },
      },
      { columns, rows },
      { theme, unicode: this.#options.unicode },
    );
    this.#kept = { frame, columns, rows, theme: theme.name };
    return frame;
  }

  onKey(key: Key): void {
    if (this.#isEditing) return;
    const action = key.name === 'paste' ? undefined : this.#options.bindings.actionOf(pressedName(key));
    if (this.#search !== undefined && this.#keyInSearch(this.#search, key, action)) return this.#changed();
    if (action !== undefined) this.#act(action);
    else if (key.text !== '') this.#type(key);
    this.#changed();
  }

  #changed(): void {
    this.#kept = undefined;
    this.#options.redraw();
  }

  /** What could be typed next, where the cursor is at the end of one line. */
  #hint(): string | undefined {
    const { buffer, cursor } = this.#editor;
    const isAtEnd = cursor.line === 0 && buffer.lines.length === 1 && cursor.column === buffer.line(0).length;
    const isAsked = isAtEnd && cursor.column <= LONGEST_HINTED && !this.#isShell && this.#search === undefined;
    return isAsked ? this.#options.hint?.(buffer.line(0)) : undefined;
  }

  #type({ name, text }: Key): void {
    this.#walk.end();
    const { line, column } = this.#editor.cursor;
    const opensShell = !this.#isShell && line === 0 && column === 0 && text.startsWith('!');
    if (opensShell) this.#isShell = true;
    const rest = opensShell ? text.slice(1) : text;
    if (name === 'paste') this.#editor.paste(rest);
    else if (rest !== '') this.#editor.type(rest);
    this.#list.update(this.#word());
  }

  #act(action: KeyAction): void {
    if (this.#list.shown !== undefined && this.#actInList(action)) return;
    if (isDoors(action)) return this.#options.onAction(action);
    if (isOwn(action, this.#own)) return this.#own[action]();
    this.#edit(action);
  }

  #edit(action: EditAction): void {
    const { changes } = this.#editor.buffer;
    this.#editor.run(action);
    if (this.#editor.buffer.changes !== changes) this.#walk.end();
    this.#list.update(this.#word());
  }

  #newLine(): void {
    this.#walk.end();
    this.#editor.type('\n');
    this.#list.update(this.#word());
  }

  #eraseBefore(): void {
    const { line, column } = this.#editor.cursor;
    const isAtMark = this.#isShell && line === 0 && column === 0;
    if (isAtMark) this.#isShell = false;
    else this.#edit('eraseBefore');
  }

  #submit(): void {
    // The last backslash of an odd number is no character of the text: it asks for a new line.
    const escapes = /\\*$/.exec(this.#editor.lineBefore.slice(-100))?.[0].length ?? 0;
    if (escapes % 2 === 1) {
      const { column } = this.#editor.cursor;
      return this.#editor.replaceInLine(column - 1, column, '\n');
    }
    const { text } = this;
    if (text.trim() === '' || text.trim() === '!') return;
    this.#options.history.add(text);
    this.setText('');
    this.#options.onSubmit({ text });
  }

  #up(): void {
    if (this.#editor.run('rowUp')) return this.#list.update(this.#word());
    const isOnItsWay = this.#walk.isOnItsWay;
    if (this.isEmpty && !isOnItsWay && this.#queued.length > 0) {
      const queued = this.#options.takeQueued?.();
      if (queued !== undefined) return this.setText(queued);
    }
    const found = this.#walk.older(isOnItsWay ? '' : this.text, () => this.#options.history.entries());
    if (found === undefined) return;
    if (!isOnItsWay) this.#putAside();
    this.#put(found);
    this.#list.update(undefined);
  }

  #down(): void {
    if (this.#editor.run('rowDown')) return this.#list.update(this.#word());
    if (!this.#walk.isOnItsWay) return;
    const found = this.#walk.newer();
    if (found === undefined) this.#takeBack();
    else this.#put(found);
    this.#list.update(undefined);
  }

  #putAside(): void {
    this.#editor.putAside();
    this.#wasShell = this.#isShell;
  }

  #takeBack(): void {
    this.#editor.takeBack();
    this.#isShell = this.#wasShell;
  }

  #put(text: string): void {
    this.#isShell = text.startsWith('!');
    this.#editor.reset(this.#isShell ? text.slice(1) : text);
  }

  #beginSearch(): void {
    this.#walk.end();
    this.#list.update(undefined);
    this.#putAside();
    this.#search = new HistorySearch(this.#options.history.entries());
  }

  /** @returns false where the key goes on to the text, with what was found in it */
  #keyInSearch(search: HistorySearch, key: Key, action: KeyAction | undefined): boolean {
    if (action === 'historySearch' || action === 'up') search.older();
    else if (action === 'down' || pressedName(key) === 'ctrl+s') search.newer();
    else if (action === 'cancel' || action === 'interrupt' || action === 'openEditor') {
      this.#endSearch();
      this.#takeBack();
      return true;
    } else if (action === 'eraseBefore') search.setQuery(Array.from(search.query).slice(0, -1).join(''));
    else if (action === undefined && key.text !== '') search.setQuery(search.query + key.text.replaceAll('\n', ' '));
    else {
      this.#endSearch();
      return action === 'submit' || action === 'complete';
    }
    this.#showFound(search);
    return true;
  }

  #showFound({ found, matches: [match] }: HistorySearch): void {
    // It is shown as it is, so that places in it are places in the text.
    this.#isShell = false;
    if (found === undefined) this.#takeBackAndKeep();
    else this.#editor.reset(found);
    if (match !== undefined) this.#editor.goTo(this.#editor.place(match.from));
  }

  #takeBackAndKeep(): void {
    this.#takeBack();
    this.#putAside();
  }

  /** What is shown is now what is typed. */
  #endSearch(): void {
    if (this.#search?.found !== undefined) this.#put(this.#search.found);
    this.#search = undefined;
  }

  async #openEditor(): Promise<void> {
    const { edit, onProblem } = this.#options;
    if (edit === undefined) return;
    this.#list.update(undefined);
    this.#isEditing = true;
    try {
      const before = this.text;
      const after = (await edit(before)).replaceAll('\r\n', '\n');
      // Editors end the last line.
      const text = before.endsWith('\n') ? after : after.replace(/\n$/, '');
      if (text !== before) {
        this.#walk.end();
        this.#isShell = text.startsWith('!');
        this.#editor.replaceAll(this.#isShell ? text.slice(1) : text);
      }
    } catch (thrown) {
      onProblem?.(errorMessage(thrown));
    } finally {
      this.#isEditing = false;
      this.#changed();
    }
  }

  /** What is being completed at the cursor. */
  #word(): OpenWord | undefined {
    if (this.#isShell) return undefined;
    const { line, column } = this.#editor.cursor;
    const text = this.#editor.buffer.line(line);
    const mention = mentionAt(text, column);
    if (mention !== undefined) return { kind: 'mention', from: mention.from, to: mention.to, typed: mention.path };
    if (line !== 0 || column > LONGEST_COMMAND || !/^\s*\//.test(text)) return undefined;
    const typed = text.slice(0, column);
    const from = /\S*$/.exec(typed)?.index ?? 0;
    return { kind: typed.slice(0, from).trim() === '' ? 'command' : 'argument', from, to: column, typed };
  }

  #sources(kind: OpenWord['kind']): readonly Offers[] {
    const { mentions = [], completeCommand } = this.#options;
    if (kind === 'mention') return mentions;
    return completeCommand === undefined ? [] : [completeCommand];
  }

  /** @returns false where the key means what it always does */
  #actInList(action: KeyAction): boolean {
    if (action === 'up' || action === 'down') this.#list.move(action === 'up' ? -1 : 1);
    else if (action === 'cancel') this.#list.close(this.#word());
    else if (action === 'complete') this.#take(Math.max(0, this.#list.shown?.chosen ?? 0));
    else if (action === 'submit') return this.#submitChosen();
    else return false;
    return true;
  }

  /** Enter takes what is chosen; a command that takes nothing more, or what stands there already, is sent. */
  #submitChosen(): boolean {
    const { offers = [], chosen = -1, word } = this.#list.shown ?? {};
    const offer = offers[chosen];
    const now = this.#word();
    if (offer === undefined || word === undefined || now === undefined) return false;
    const line = this.#editor.buffer.line(this.#editor.cursor.line);
    if (line.slice(now.from, now.to) === offer.insert) return false;
    this.#take(chosen);
    return !(word.kind === 'command' && offer.label === offer.insert);
  }

  #take(place: number): void {
    const offer = this.#list.shown?.offers[place];
    const word = this.#word();
    if (offer === undefined || word === undefined) return;
    const { insert, goesOn = insert.endsWith('=') } = offer;
    const next = this.#editor.buffer.line(this.#editor.cursor.line).charAt(word.to);
    this.#walk.end();
    this.#editor.replaceInLine(word.from, word.to, goesOn || /\s/.test(next) ? insert : `${insert} `);
    // Within the quotes it goes on.
    if (goesOn && insert.endsWith('"')) this.#editor.run('left');
    this.#list.update(this.#word());
  }
}

function isDoors(action: KeyAction): action is DoorsAction {
  return DOORS.some((each) => each === action);
}

function isOwn(action: KeyAction, own: Readonly<Record<OwnAction, () => void>>): action is OwnAction {
  return Object.hasOwn(own, action);
}
