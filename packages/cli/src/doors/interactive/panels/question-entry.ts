import {
  makeSafe,
  safeText,
  ToolConfirmationOutcome,
  wrapSafe,
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskedQuestion,
  type Safe,
} from '@tenon/core';
import type { AfterReading } from '../../../ui/once-read.js';
import type { Frame, Key, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import { rowSource } from './approval-body.js';
import type { EntrySurroundings, PanelEntry } from './approval-entry.js';
import { frameOf, hintRows, isLetter, titleRow, type Hint } from './parts.js';
import { nameRow, questionRows, reviewRows, type QuestionRows } from './question-rows.js';
import { answerOf, choose, isSaid, NOTHING_SAID, withWords, type Said } from './question-state.js';
import { insert, typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';
import { UnseenKeys } from './unseen-keys.js';
import { clampTop, isBefore, lastTop, rowsInSight, START, topToShow, type Place } from './viewport.js';

export interface QuestionEntryOptions {
  readonly request: ApprovalRequest;
  readonly questions: readonly AskedQuestion[];
  /** The run is cancelled as well. */
  readonly interrupt: () => void;
  readonly answer: (answer: ApprovalAnswer) => void;
  readonly after: AfterReading;
}

type Step =
  | { readonly kind: 'choose' }
  /** Own words to the question, or words with a no. */
  | { readonly kind: 'words' | 'refuse'; readonly typed: TypedText };

const CHOOSE: Step = { kind: 'choose' };
const REFUSED: ApprovalAnswer = { outcome: ToolConfirmationOutcome.Cancel };
const TYPED_ROWS = 5;
/** Of a question: with fewer it cannot be read. */
const FEWEST_ROWS = 3;

/** Questions of the agent, one after the other. Nothing is answered for the person; what they pass over stays open. */
export class QuestionEntry implements PanelEntry {
  readonly #options: QuestionEntryOptions;
  readonly #unseen: UnseenKeys;
  readonly #view = new TypedView();
  readonly #said: Said[];
  #at = 0;
  #marked = 0;
  #step: Step = CHOOSE;
  #notice: Safe | undefined;
  #top: Place = START;
  /** True: the marked answer is kept in sight. */
  #follows = true;
  #page = 1;
  #isHidden = false;

  constructor(options: QuestionEntryOptions) {
    this.#options = options;
    this.#unseen = new UnseenKeys(options.after);
    this.#said = options.questions.map(() => NOTHING_SAID);
  }

  get request(): ApprovalRequest {
    return this.#options.request;
  }

  get title(): Safe {
    const { agent, details } = this.request;
    const who = agent === undefined ? safeText`` : safeText` of the subagent ${makeSafe(agent, { maxLength: 40 })}`;
    return safeText`${makeSafe(details.title)}${who}`;
  }

  get mayBeLeft(): boolean {
    return this.#step.kind === 'choose';
  }

  render(size: Size, theme: Theme, around: EntrySurroundings): Frame {
    this.#unseen.drawn();
    const below = this.#below(size, theme, around);
    const { columns } = size;
    const names = this.#all.length === 1 ? [] : [nameRow(this.#all, this.#said, this.#at, { columns, theme })];
    const room = size.rows - 1 - names.length - below.rows.length;
    this.#isHidden = room < FEWEST_ROWS;
    if (this.#isHidden && this.mayBeLeft) return { lines: wrapSafe(TOO_SMALL, columns).slice(0, size.rows) };
    const { rows, marked } = this.#rows(columns, theme);
    const source = rowSource(rows);
    const isScrolled = isBefore(START, lastTop(source, Math.max(1, room)));
    const height = Math.max(1, isScrolled ? room - 1 : room);
    this.#page = Math.max(1, height - 1);
    const top = clampTop(source, this.#top, height);
    this.#top = this.#follows ? topToShow(source, top, { line: marked, row: 0 }, height) : top;
    const more = isBefore(this.#top, lastTop(source, height))
      ? theme.paint('warning', safeText`  ── more below: PgDn ──`)
      : theme.paint('dim', safeText`  ── the end; PgUp goes back ──`);
    const above = [
      titleRow(theme, around.title, columns),
      ...names,
      ...rowsInSight(source, this.#top, height),
      ...(isScrolled ? [more] : []),
    ];
    const { cursor } = below;
    return frameOf(
      [...above, ...below.rows],
      size,
      cursor && { row: above.length + cursor.row, column: cursor.column },
    );
  }

  onKey(key: Key): void {
    if (!this.#unseen.counts(key)) return;
    this.#notice = undefined;
    if (key.name === 'ctrl+c') {
      this.#options.interrupt();
      return this.#options.answer(REFUSED);
    }
    if (this.#step.kind !== 'choose') return this.#type(key, this.#step.typed, this.#step.kind);
    if (this.#isHidden && key.name !== 'escape') return;
    if (this.#current === undefined) this.#review(key);
    else this.#choose(key, this.#current);
  }

  get #all(): readonly AskedQuestion[] {
    return this.#options.questions;
  }

  /** Undefined at the review. */
  get #current(): AskedQuestion | undefined {
    return this.#all[this.#at];
  }

  get #saidHere(): Said {
    return this.#said[this.#at] ?? NOTHING_SAID;
  }

  #rows(columns: number, theme: Theme): QuestionRows {
    const question = this.#current;
    if (question === undefined) return { rows: reviewRows(this.#all, this.#said, { columns, theme }), marked: 0 };
    return questionRows(question, this.#saidHere, this.#marked, { columns, theme });
  }

  #choose({ name, text }: Key, question: AskedQuestion): void {
    const own = question.options.length;
    const number = name === 'paste' ? Number.NaN : Number(text || name);
    if (this.#move(name, own)) return;
    if (name === 'escape') return this.#at === 0 ? this.#options.answer(REFUSED) : this.#goTo(this.#at - 1);
    if (Number.isInteger(number) && number >= 1 && number <= own + 1) return this.#pick(number - 1, question);
    if (name === 'space' || text === ' ') return this.#pick(this.#marked, question);
    if (name === 'enter') return this.#enter(question);
    if (isLetter(name, text, 's')) {
      this.#said[this.#at] = NOTHING_SAID;
      return this.#next();
    }
    if (isLetter(name, text, 'd')) this.#step = { kind: 'refuse', typed: typedText('') };
  }

  #move(name: string, last: number): boolean {
    const by = { up: -1, down: 1, home: -last, end: last }[name];
    if (by !== undefined) {
      this.#marked = Math.min(Math.max(0, this.#marked + by), last);
      this.#follows = true;
      return true;
    }
    const pages = { pageUp: -1, pageDown: 1 }[name];
    if (pages !== undefined) {
      this.#follows = false;
      this.#top = { line: Math.max(0, this.#top.line + pages * this.#page), row: 0 };
      return true;
    }
    const questions = { left: -1, right: 1 }[name];
    const to = this.#at + (questions ?? 0);
    if (questions === undefined || this.#all.length === 1 || to < 0 || to > this.#all.length) return false;
    this.#goTo(to);
    return true;
  }

  /** Where one answer is asked for it is that, and the next question comes. */
  #pick(place: number, question: AskedQuestion): void {
    this.#marked = place;
    this.#follows = true;
    if (place === question.options.length) {
      this.#step = { kind: 'words', typed: typedText(this.#saidHere.words) };
      return;
    }
    this.#said[this.#at] = choose(this.#saidHere, place, question);
    if (!question.multiSelect) this.#next();
  }

  #enter(question: AskedQuestion): void {
    const isOwn = this.#marked === question.options.length;
    if (!question.multiSelect || (isOwn && this.#saidHere.words === '')) return this.#pick(this.#marked, question);
    if (isSaid(this.#saidHere)) return this.#next();
    this.#notice = safeText`Nothing is chosen: Space chooses, s passes this question over.`;
  }

  #review({ name, text }: Key): void {
    if (name === 'enter') return this.#send();
    if (name === 'escape' || name === 'left') return this.#goTo(this.#at - 1);
    if (isLetter(name, text, 'd')) this.#step = { kind: 'refuse', typed: typedText('') };
    else this.#move(name, 0);
  }

  #type(key: Key, typed: TypedText, kind: 'words' | 'refuse'): void {
    if (key.name === 'escape') this.#step = CHOOSE;
    else if (key.name === 'alt+enter') this.#step = { kind, typed: insert(typed, '\n') };
    else if (key.name === 'enter') this.#typed(typed.text, kind);
    else this.#step = { kind, typed: typeKey(typed, key, true) ?? typed };
  }

  #typed(text: string, kind: 'words' | 'refuse'): void {
    const question = this.#current;
    this.#step = CHOOSE;
    if (kind === 'refuse') {
      const feedback = text.trim();
      return this.#options.answer({ ...REFUSED, ...(feedback !== '' && { feedback }) });
    }
    if (question === undefined) return;
    this.#said[this.#at] = withWords(this.#saidHere, text, question);
    if (!question.multiSelect && text.trim() !== '') this.#next();
  }

  /** A single question needs no review: what was chosen is what is said. */
  #next(): void {
    if (this.#all.length === 1) this.#send();
    else this.#goTo(this.#at + 1);
  }

  #send(): void {
    const answers = this.#all.map((question, index) => answerOf(this.#said[index] ?? NOTHING_SAID, question));
    this.#options.answer({ outcome: ToolConfirmationOutcome.ProceedOnce, answers });
  }

  #goTo(at: number): void {
    this.#at = at;
    this.#marked = this.#saidHere.chosen[0] ?? 0;
    this.#top = START;
    this.#follows = true;
    // The next question too has to be seen before a key can answer it.
    this.#unseen.begin();
  }

  #below(
    size: Size,
    theme: Theme,
    around: EntrySurroundings,
  ): { readonly rows: readonly Safe[]; readonly cursor?: Frame['cursor'] } {
    const { columns } = size;
    const notice = this.#notice === undefined ? [] : [theme.paint('warning', this.#notice)];
    const head = [...around.waiting, ...notice];
    if (this.#step.kind === 'choose') {
      const hints = hintRows(theme, [...this.#hints(), ...around.hints], columns);
      return { rows: size.rows - 1 - head.length - hints.length < FEWEST_ROWS + 1 ? head : [...head, ...hints] };
    }
    const { kind, typed } = this.#step;
    const height = Math.max(1, Math.min(TYPED_ROWS, size.rows - head.length - FEWEST_ROWS - 3));
    const { rows, cursor } = this.#view.draw(typed, { columns: columns - 2, height });
    const shown = rows.map((row, index) => safeText`${index === 0 ? safeText`›` : safeText` `} ${row}`);
    const label = theme.paint('strong', kind === 'words' ? safeText`In your own words:` : safeText`Why not?`);
    const hints = hintRows(theme, kind === 'words' ? WORDS_HINTS : REFUSE_HINTS, columns);
    const place = { row: head.length + 1 + cursor.row, column: cursor.column + 2 };
    return { rows: [...head, label, ...shown, ...hints], cursor: place };
  }

  #hints(): readonly Hint[] {
    const question = this.#current;
    const isFirst = this.#at === 0;
    const back: Hint = [safeText`Esc`, isFirst ? safeText`no answer` : safeText`back`];
    const more: readonly Hint[] = this.#all.length === 1 ? [] : [[safeText`←→`, safeText`other questions`]];
    if (question === undefined)
      return [[safeText`Enter`, safeText`send`], back, [safeText`d`, safeText`decline`], STOP];
    const take: readonly Hint[] = question.multiSelect
      ? [
          [safeText`Space`, safeText`choose`],
          [safeText`Enter`, safeText`done`],
        ]
      : [[safeText`Enter`, safeText`choose`]];
    return [
      [safeText`↑↓`, safeText`move`],
      ...take,
      ...more,
      [safeText`s`, safeText`pass over`],
      [safeText`d`, safeText`decline`],
      back,
      STOP,
    ];
  }
}

const STOP: Hint = [safeText`Ctrl-C`, safeText`no answer, and stop`];
const WORDS_HINTS: readonly Hint[] = [
  [safeText`Enter`, safeText`say it`],
  [safeText`Alt-Enter`, safeText`new line`],
  [safeText`Esc`, safeText`back`],
];
const REFUSE_HINTS: readonly Hint[] = [
  [safeText`Enter`, safeText`decline, and say this (empty: only decline)`],
  [safeText`Esc`, safeText`back`],
];
const TOO_SMALL = safeText`A question for you: the terminal is too small to show it. Make it larger, or Esc for no answer.`;
