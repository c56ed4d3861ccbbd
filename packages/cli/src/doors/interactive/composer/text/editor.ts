import { Cells } from './cells.js';
import { EditHistory, type EditKind } from './edit-history.js';
import { KillRing } from './kill-ring.js';
import * as moves from './moves.js';
import { Pastes } from './pastes.js';
import { endOf, isBefore, TextBuffer, type Position } from './text-buffer.js';
import { Layout } from './wrap.js';

const MOVES = {
  left: moves.left,
  right: moves.right,
  wordLeft: moves.wordLeft,
  wordRight: moves.wordRight,
  lineStart: moves.lineStart,
  lineEnd: moves.lineEnd,
  textStart: moves.textStart,
  textEnd: moves.textEnd,
} as const;

/** What is taken away, up to where; cut text can be put in again. */
const CUTS = {
  eraseBefore: { move: moves.left, isKept: false },
  eraseAfter: { move: moves.right, isKept: false },
  cutWordBefore: { move: moves.wordLeft, isKept: true },
  cutShellWordBefore: { move: moves.shellWordLeft, isKept: true },
  cutWordAfter: { move: moves.wordRight, isKept: true },
  cutToLineStart: { move: moves.lineStart, isKept: true },
  cutToLineEnd: { move: moves.lineEnd, isKept: true },
} as const;

type MoveAction = keyof typeof MOVES;
type CutAction = keyof typeof CUTS;
type OtherAction = 'rowUp' | 'rowDown' | 'putIn' | 'putInOlder' | 'undo' | 'redo' | 'openPaste';
export type EditAction = MoveAction | CutAction | OtherAction;

interface Last {
  readonly kind: 'cut' | 'putIn' | 'row' | 'other';
  /** What was put in last, to be replaced by an older one. */
  readonly from?: Position;
  /** The cell in which the cursor wants to stay, from row to row. */
  readonly goal?: number;
}

const OTHER: Last = { kind: 'other' };

/** A text, its cursor and what the keys do to it. What is typed is kept as it is; how it is shown is for `cells` to say. */
export class Editor {
  readonly buffer = new TextBuffer();
  readonly cells: Cells;
  readonly layout: Layout;
  readonly #pastes = new Pastes();
  readonly #history = new EditHistory();
  readonly #ring = new KillRing();
  #cursor: Position = { line: 0, column: 0 };
  #last: Last = OTHER;
  #aside: { readonly text: string; readonly cursor: Position } | undefined;

  readonly #others: Readonly<Record<OtherAction, () => boolean>> = {
    rowUp: () => this.#moveRow(-1),
    rowDown: () => this.#moveRow(1),
    putIn: () => this.#putIn(this.#ring.newest(), this.#cursor),
    putInOlder: () => this.#last.from !== undefined && this.#putIn(this.#ring.older(), this.#last.from),
    undo: () => this.#undo(),
    redo: () => this.#redo(),
    openPaste: () => this.#openPaste(),
  };

  constructor() {
    this.cells = new Cells(this.#pastes);
    this.layout = new Layout(this.cells);
  }

  get cursor(): Position {
    return this.#cursor;
  }

  get isEmpty(): boolean {
    return this.buffer.isEmpty;
  }

  /** All of it, with what was pasted. */
  get text(): string {
    return this.#pastes.expand(this.buffer.text);
  }

  /** What stands before the cursor in its line. */
  get lineBefore(): string {
    return this.buffer.line(this.#cursor.line).slice(0, this.#cursor.column);
  }

  /** What stands before the cursor, for those that want to know what could follow; pasted text as its marks. */
  get textBefore(): string {
    return this.buffer.slice({ line: 0, column: 0 }, this.#cursor);
  }

  /** A new text, with the cursor at its end. What was there cannot be had back, unless it was put aside. */
  reset(text = ''): void {
    this.#become(Pastes.sound(text));
  }

  /** Remembers the text as it is, with its marks. */
  putAside(): void {
    this.#aside = { text: this.buffer.text, cursor: this.#cursor };
  }

  /** The text that was put aside last takes the place of what is there now. */
  takeBack(): void {
    const { text, cursor } = this.#aside ?? { text: '', cursor: { line: 0, column: 0 } };
    this.#become(text);
    this.#cursor = cursor;
    this.#aside = undefined;
  }

  /** A place of the text, counted in units from its beginning. */
  place(unit: number): Position {
    let rest = unit;
    for (const [line, text] of this.buffer.lines.entries()) {
      if (rest <= text.length) return { line, column: rest };
      rest -= text.length + 1;
    }
    return this.buffer.end;
  }

  goTo(place: Position): void {
    this.#moveTo(place);
  }

  /** Puts another text in place of all, as one step that can be taken back. */
  replaceAll(text: string): void {
    this.#replace({ line: 0, column: 0 }, this.buffer.end, Pastes.sound(text), 'other');
  }

  type(text: string): void {
    this.#replace(this.#cursor, this.#cursor, Pastes.sound(text), 'type');
  }

  /** Large texts are put in as marks. */
  paste(text: string): void {
    const sound = Pastes.sound(text);
    const mark = Pastes.isLarge(sound) ? this.#pastes.add(sound) : undefined;
    this.#history.close();
    this.#replace(this.#cursor, this.#cursor, mark ?? sound, 'other');
  }

  /** Puts a text in place of what stands between two places of the cursor's line. */
  replaceInLine(from: number, to: number, text: string): void {
    const { line } = this.#cursor;
    this.#replace({ line, column: from }, { line, column: to }, Pastes.sound(text), 'other');
  }

  /** @returns false where there was nothing to do */
  run(action: EditAction): boolean {
    if (isMove(action)) return this.#moveTo(MOVES[action](this.buffer, this.cells.graphemes, this.#cursor));
    return isCut(action) ? this.#cut(action) : this.#others[action]();
  }

  #become(sound: string): void {
    const start: Position = { line: 0, column: 0 };
    this.buffer.replace(start, this.buffer.end, '');
    this.#pastes.keepOnly([...this.#ring.texts, this.#aside?.text ?? '', sound]);
    this.cells.forget();
    this.layout.forget();
    this.buffer.replace(start, start, sound);
    this.#cursor = this.buffer.end;
    this.#history.clear();
    this.#last = OTHER;
  }

  #moveTo(to: Position, last: Last = OTHER): boolean {
    const isMoved = to.line !== this.#cursor.line || to.column !== this.#cursor.column;
    this.#cursor = to;
    this.#last = last;
    this.#history.close();
    return isMoved;
  }

  /** To the row above or below, near the cell that the cursor came from. */
  #moveRow(by: 1 | -1): boolean {
    const { line, column } = this.#cursor;
    const rows = this.layout.rows(this.buffer.line(line));
    const row = rows.rowOf(column);
    const goal = this.#last.goal ?? this.cells.widthOf(rows.text, rows.start(row) ?? 0, column);
    const inLine = row + by >= 0 && rows.start(row + by) !== undefined;
    const other = inLine ? line : line + by;
    if (other < 0 || other >= this.buffer.lines.length) return false;
    const target = inLine ? rows : this.layout.rows(this.buffer.line(other));
    const to = inLine ? row + by : by > 0 ? 0 : target.last;
    const end = target.end(to);
    let at = target.start(to) ?? 0;
    for (let width = 0; at < end;) {
      const next = this.cells.graphemes.next(target.text, at);
      width += this.cells.width(target.text, at, next);
      // The end of a row that goes on is the beginning of the next one.
      if (width > goal || (next === end && target.start(to + 1) !== undefined)) break;
      at = next;
    }
    return this.#moveTo({ line: other, column: at }, { kind: 'row', goal });
  }

  #cut(action: CutAction): boolean {
    const { move, isKept } = CUTS[action];
    let other = move(this.buffer, this.cells.graphemes, this.#cursor);
    const isSame = other.line === this.#cursor.line && other.column === this.#cursor.column;
    // At the end of a line the line break goes.
    if (isSame && action === 'cutToLineEnd') other = moves.right(this.buffer, this.cells.graphemes, other);
    if (isSame && action === 'cutToLineStart') other = moves.left(this.buffer, this.cells.graphemes, other);
    const isBack = isBefore(other, this.#cursor);
    const [from, to] = isBack ? [other, this.#cursor] : [this.#cursor, other];
    if (!isBefore(from, to)) return false;
    const joins = this.#last.kind === 'cut' ? (isBack ? 'before' : 'after') : undefined;
    if (isKept) this.#ring.add(this.buffer.slice(from, to), joins);
    this.#replace(from, to, '', isKept || !isBack ? 'other' : 'erase');
    if (isKept) this.#last = { kind: 'cut' };
    return true;
  }

  #putIn(text: string | undefined, from: Position): boolean {
    if (text === undefined) return false;
    this.#replace(from, this.#cursor, text, 'other');
    this.#last = { kind: 'putIn', from };
    return true;
  }

  /** Puts a pasted text in place of its mark: the one before the cursor, else the one behind it. */
  #openPaste(): boolean {
    const { line, column } = this.#cursor;
    const text = this.buffer.line(line);
    for (const at of [column - 1, column]) {
      const pasted = at < 0 ? undefined : this.#pastes.text(text.slice(at, at + 1));
      if (pasted === undefined) continue;
      this.#history.close();
      this.#replace({ line, column: at }, { line, column: at + 1 }, pasted, 'other');
      // Its beginning is what one wants to see.
      this.#moveTo({ line, column: at });
      return true;
    }
    return false;
  }

  #undo(): boolean {
    const step = this.#history.undo();
    if (step === undefined) return false;
    const { at, removed, inserted } = step.edit;
    this.buffer.replace(at, endOf(at, inserted), removed);
    this.#cursor = step.before;
    this.#last = OTHER;
    return true;
  }

  #redo(): boolean {
    const step = this.#history.redo();
    if (step === undefined) return false;
    const { at, removed, inserted } = step.edit;
    this.buffer.replace(at, endOf(at, removed), inserted);
    this.#cursor = this.#onBorder(endOf(at, inserted));
    this.#last = OTHER;
    return true;
  }

  #replace(from: Position, to: Position, text: string, kind: EditKind): void {
    const before = this.#cursor;
    const edit = this.buffer.replace(from, to, text);
    this.#history.record({ edit, kind, before });
    this.#cursor = this.#onBorder(endOf(from, text));
    this.#last = OTHER;
  }

  /** What was typed may be one character together with what stands behind it. */
  #onBorder({ line, column }: Position): Position {
    return { line, column: this.cells.graphemes.borderAt(this.buffer.line(line), column) };
  }
}

function isMove(action: EditAction): action is MoveAction {
  return Object.hasOwn(MOVES, action);
}

function isCut(action: EditAction): action is CutAction {
  return Object.hasOwn(CUTS, action);
}
