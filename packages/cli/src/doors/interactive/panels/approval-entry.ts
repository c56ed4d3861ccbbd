import {
  errorMessage,
  makeSafe,
  safeText,
  ToolConfirmationOutcome,
  wrapSafe,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Safe,
} from '@tenon/core';
import { proposalOf } from '../../../proposal.js';
import type { EditText } from '../edit-text.js';
import type { Frame, Key, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import { ApprovalBody, ruleLines } from './approval-body.js';
import { NO, panelChoicesFor, SHOW_ALL, type Choice } from './approval-choices.js';
import { ANY_WAY, choiceRows, frameOf, hintRows, isLetter, SIDEWAYS, titleRow, type Hint } from './parts.js';
import { insert, typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';
import { clampTop, isBefore, lastTop, rowsInSight, scrollKey, START, type LineSource, type Place } from './viewport.js';

export interface ApprovalEntryOptions {
  readonly request: ApprovalRequest;
  readonly signal: AbortSignal;
  /** Opens the person's editor with the terminal lent to it. */
  readonly editText: EditText;
  /** The run is cancelled as well. */
  readonly interrupt: () => void;
  readonly answer: (answer: ApprovalAnswer) => void;
  readonly redraw: () => void;
}

/** Something that waits for the person in the panel. */
export interface PanelEntry {
  readonly request: ApprovalRequest;
  /** What it is, in a few words. */
  readonly title: Safe;
  /** False while keys are typed into a text. */
  readonly mayBeLeft: boolean;
  render(size: Size, theme: Theme, around: EntrySurroundings): Frame;
  onKey(key: Key): void;
}

/** What stands around a question. */
export interface EntrySurroundings {
  readonly title: Safe;
  /** Of the others that wait; no row when there are none. */
  readonly waiting: readonly Safe[];
  readonly hints: readonly Hint[];
}

type Step =
  | { readonly kind: 'choose' }
  | { readonly kind: 'rules'; readonly choice: Choice }
  | { readonly kind: 'feedback' }
  | { readonly kind: 'inline' }
  | { readonly kind: 'editor' };

const CHOOSE: Step = { kind: 'choose' };
const REFUSED: ApprovalAnswer = { outcome: ToolConfirmationOutcome.Cancel };
const FEEDBACK_ROWS = 5;
/** Of what is asked: fewer can be read no more, and what the keys do gives way to it. */
const FEWEST_ROWS = 3;

/** One question, from when it is shown until it is answered. */
export class ApprovalEntry implements PanelEntry {
  readonly title = safeText`May it do this?`;
  readonly #options: ApprovalEntryOptions;
  #body: ApprovalBody;
  /** The person's version of a plan. */
  #plan: string | undefined;
  readonly #view = new TypedView();
  #step: Step = CHOOSE;
  #isWhole = false;
  #isShortened = false;
  #top: Place = START;
  /** The key of the choice that Enter takes. */
  #marked = NO.key;
  #feedback: TypedText = typedText('');
  #inline: TypedText | undefined;
  #notice: Safe | undefined;
  /** Nothing of what is asked can be seen: nobody can agree to it. */
  #isHidden = false;
  /** What was drawn last, to scroll in. */
  #shown: { readonly source: LineSource; readonly height: number; readonly isScrolled: boolean } | undefined;

  constructor(options: ApprovalEntryOptions) {
    this.#options = options;
    this.#body = new ApprovalBody(options.request);
  }

  get request(): ApprovalRequest {
    return this.#options.request;
  }

  /** False while keys are typed into a text. */
  get mayBeLeft(): boolean {
    return this.#step.kind === 'choose' || this.#step.kind === 'rules';
  }

  render(size: Size, theme: Theme, around: EntrySurroundings): Frame {
    if (this.#step.kind === 'inline') return this.#renderInline(size, theme, this.#inline ?? typedText(''));
    const { columns } = size;
    const body = this.#body.lines(size, theme, this.#isWhole);
    this.#isShortened = body.isShortened;
    const source = this.#step.kind === 'rules' ? ruleLines(this.request, this.#step.choice, columns) : body.source;
    const below = this.#below(size, theme, around);
    const left = size.rows - 1 - below.rows.length;
    this.#isHidden = this.mayBeLeft && left < FEWEST_ROWS;
    if (this.#isHidden) return { lines: wrapSafe(TOO_SMALL, size.columns).slice(0, size.rows) };
    const room = Math.max(1, left);
    const isScrolled = isBefore(START, lastTop(source, room));
    const height = isScrolled ? Math.max(1, room - 1) : room;
    this.#shown = { source, height, isScrolled };
    this.#top = clampTop(source, this.#top, height);
    const inSight = rowsInSight(source, this.#top, height);
    const place = isScrolled ? [placeRow(theme, source, this.#top, height)] : [];
    const rows = [titleRow(theme, around.title, columns), ...inSight, ...place, ...below.rows];
    const { cursor } = below;
    const above = rows.length - below.rows.length;
    return frameOf(rows, size, cursor && { row: above + cursor.row, column: cursor.column });
  }

  onKey(key: Key): void {
    this.#notice = undefined;
    if (key.name === 'ctrl+c') {
      this.#options.interrupt();
      return this.#options.answer(REFUSED);
    }
    if (this.#isHidden && this.mayBeLeft && key.name !== 'escape') return;
    switch (this.#step.kind) {
      case 'choose':
        return this.#choose(key);
      case 'rules':
        return this.#confirmRules(key, this.#step.choice);
      case 'feedback':
        return this.#typeFeedback(key);
      case 'inline':
        return this.#typeInline(key, this.#inline ?? typedText(''));
      case 'editor':
        return;
      default:
        return this.#step satisfies never;
    }
  }

  get #choices(): readonly Choice[] {
    return panelChoicesFor(this.request, this.#isShortened);
  }

  #choose(key: Key): void {
    const { name, text } = key;
    if (name === 'escape') return this.#options.answer(REFUSED);
    const choices = this.#choices;
    const at = choices.findIndex((choice) => choice.key === this.#marked);
    const sideways = this.#shown?.isScrolled === true ? SIDEWAYS : ANY_WAY;
    const by = sideways[name];
    if (by !== undefined) this.#marked = choices[Math.min(Math.max(0, at + by), choices.length - 1)]?.key ?? NO.key;
    else if (!this.#scroll(name)) {
      const choice =
        name === 'enter' ? choices[at] : choices.find((one) => name !== 'paste' && isLetter(name, text, one.key));
      if (choice !== undefined) this.#take(choice);
    }
  }

  #take(choice: Choice): void {
    switch (choice.outcome) {
      case undefined:
        this.#isWhole = !this.#isWhole;
        this.#top = START;
        return;
      case ToolConfirmationOutcome.ProceedOnce:
      case ToolConfirmationOutcome.RestorePrevious:
        return this.#agree(choice.outcome);
      case ToolConfirmationOutcome.ProceedAlways:
      case ToolConfirmationOutcome.ProceedAlwaysProject:
        // Of a plan it is a mode, and nothing is saved.
        if (this.request.details.type === 'plan') return this.#agree(choice.outcome);
        return this.#go({ kind: 'rules', choice });
      case ToolConfirmationOutcome.ModifyWithEditor:
        if (choice.isInline !== true) return void this.#openEditor();
        this.#inline ??= { text: this.#proposal().text, at: 0 };
        return this.#go({ kind: 'inline' });
      case ToolConfirmationOutcome.Cancel:
        return this.#go({ kind: 'feedback' });
      default:
        return choice.outcome satisfies never;
    }
  }

  #agree(outcome: ToolConfirmationOutcome): void {
    this.#options.answer({ outcome, ...(this.#plan !== undefined && { newContent: this.#plan }) });
  }

  #go(step: Step): void {
    this.#step = step;
    this.#top = START;
  }

  #scroll(name: string): boolean {
    const place = this.#shown && scrollKey(this.#shown.source, this.#top, this.#shown.height, name);
    this.#top = place ?? this.#top;
    return place !== undefined;
  }

  #confirmRules({ name }: Key, choice: Choice): void {
    if (name === 'escape') this.#go(CHOOSE);
    else if (name === 'enter' && choice.outcome !== undefined)
      this.#options.answer({ outcome: choice.outcome, ...(choice.isGeneral === true && { isGeneral: true }) });
    else this.#scroll(name);
  }

  #typeFeedback(key: Key): void {
    if (key.name === 'escape') return this.#go(CHOOSE);
    if (key.name === 'enter') {
      const feedback = this.#feedback.text.trim();
      return this.#options.answer({ ...REFUSED, ...(feedback !== '' && { feedback }) });
    }
    if (key.name === 'alt+enter') this.#feedback = insert(this.#feedback, '\n');
    else if (key.name === 'pageUp' || key.name === 'pageDown') this.#scroll(key.name);
    else this.#feedback = typeKey(this.#feedback, key, true) ?? this.#feedback;
  }

  #typeInline(key: Key, typed: TypedText): void {
    if (key.name === 'escape') return this.#go(CHOOSE);
    if (key.name !== 'ctrl+s') {
      this.#inline = typeKey(typed, key, true) ?? typed;
      return;
    }
    const { text, endings } = this.#proposal();
    if (typed.text === text) this.#unchanged();
    else this.#modified(typed.text.replaceAll('\n', endings));
  }

  async #openEditor(): Promise<void> {
    const { editText, signal, redraw } = this.#options;
    const proposal = proposalOf(this.request);
    if (proposal === undefined) return;
    const text = this.#plan ?? proposal.text;
    this.#go({ kind: 'editor' });
    try {
      const edited = await editText(text, proposal.fileName, signal);
      if (edited === text) this.#unchanged();
      else this.#modified(edited);
    } catch (thrown) {
      this.#notice = makeSafe(errorMessage(thrown));
      this.#go(CHOOSE);
    }
    redraw();
  }

  #unchanged(): void {
    this.#notice = safeText`Nothing was changed.`;
    this.#go(CHOOSE);
  }

  #modified(newContent: string): void {
    const { details } = this.request;
    if (details.type !== 'plan') return this.#answerWith(newContent);
    if (newContent.trim() === '') {
      this.#notice = safeText`An empty plan is none: it stays as it was.`;
      return this.#go(CHOOSE);
    }
    this.#plan = newContent;
    this.#inline = undefined;
    this.#body = new ApprovalBody({ ...this.request, details: { ...details, plan: newContent } });
    this.#notice = safeText`This is your version: agree to it, and the model is told it word for word.`;
    this.#go(CHOOSE);
  }

  #answerWith(newContent: string): void {
    this.#options.answer({ outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent });
  }

  /** Line ends of Windows are put back, where all of them are: on the screen they would stand as `\r` in every line. */
  #proposal(): { readonly text: string; readonly endings: '\n' | '\r\n' } {
    const { details } = this.request;
    const text =
      details.type === 'edit' ? details.newContent : details.type === 'plan' ? (this.#plan ?? details.plan) : '';
    const isWindows = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
    return isWindows ? { text: text.replaceAll('\r\n', '\n'), endings: '\r\n' } : { text, endings: '\n' };
  }

  #renderInline(size: Size, theme: Theme, typed: TypedText): Frame {
    const hints = hintRows(
      theme,
      [
        [
          safeText`Ctrl-S`,
          this.request.details.type === 'plan' ? safeText`take this plan` : safeText`run it with this text`,
        ],
        [safeText`Esc`, safeText`back`],
        [safeText`Ctrl-C`, safeText`no, and stop`],
      ],
      size.columns,
    );
    const height = Math.max(1, size.rows - 1 - hints.length);
    const { rows, cursor } = this.#view.draw(typed, { columns: size.columns, height });
    const title = titleRow(theme, safeText`Edit: ${makeSafe(this.request.description)}`, size.columns);
    return frameOf([title, ...rows, ...hints], size, { row: cursor.row + 1, column: cursor.column });
  }

  #below(
    size: Size,
    theme: Theme,
    around: EntrySurroundings,
  ): { readonly rows: readonly Safe[]; readonly cursor?: Frame['cursor'] } {
    const { columns } = size;
    const notice = this.#notice === undefined ? [] : [theme.paint('warning', this.#notice)];
    const head = [...around.waiting, ...notice];
    switch (this.#step.kind) {
      case 'choose': {
        const choices = this.#choices.map((choice) =>
          this.#isWhole && choice === SHOW_ALL ? { ...choice, label: 'show less' } : choice,
        );
        const answers = choiceRows(theme, choices, this.#marked, columns);
        const hints = hintRows(theme, [...this.#chooseHints(), ...around.hints], columns);
        return { rows: withHints([...head, ...answers], hints, size) };
      }
      case 'rules':
        return { rows: withHints(head, hintRows(theme, [...RULE_HINTS, ...around.hints], columns), size) };
      case 'feedback': {
        const { rows, cursor } = this.#view.draw(this.#feedback, { columns: columns - 2, height: FEEDBACK_ROWS });
        const label = theme.paint('strong', safeText`What should it do instead?`);
        const shown = rows.map((row, index) => safeText`${index === 0 ? safeText`›` : safeText` `} ${row}`);
        const hints = hintRows(theme, FEEDBACK_HINTS, columns);
        const place = { row: head.length + 1 + cursor.row, column: cursor.column + 2 };
        return { rows: [...head, label, ...shown, ...hints], cursor: place };
      }
      case 'inline':
      case 'editor':
        return { rows: [...head, theme.paint('dim', safeText`Your editor has it.`)] };
      default:
        return this.#step satisfies never;
    }
  }

  #chooseHints(): readonly Hint[] {
    const scroll: readonly Hint[] = this.#shown?.isScrolled === true ? [[safeText`↑↓ PgUp PgDn`, safeText`read`]] : [];
    return [...scroll, ...CHOOSE_HINTS];
  }
}

const CHOOSE_HINTS: readonly Hint[] = [
  [safeText`←→ Enter`, safeText`choose`],
  [safeText`Esc`, safeText`no`],
  [safeText`Ctrl-C`, safeText`no, and stop`],
];
const RULE_HINTS: readonly Hint[] = [
  [safeText`Enter`, safeText`allow it so`],
  [safeText`Esc`, safeText`back`],
];
const FEEDBACK_HINTS: readonly Hint[] = [
  [safeText`Enter`, safeText`no, and say this (empty: only no)`],
  [safeText`Esc`, safeText`back`],
];

const TOO_SMALL = safeText`May it do this? The terminal is too small to show it: make it larger, or Esc for no.`;

/** What the keys do is said where there is room for it beside what is asked. */
function withHints(rows: readonly Safe[], hints: readonly Safe[], size: Size): readonly Safe[] {
  return size.rows - 1 - rows.length - hints.length < FEWEST_ROWS ? rows : [...rows, ...hints];
}

/** Says that there is more than can be seen: nobody should take a part for the whole. */
function placeRow(theme: Theme, source: LineSource, top: Place, height: number): Safe {
  const isEnd = !isBefore(top, lastTop(source, height));
  const from = top.line + 1;
  if (isEnd) return theme.paint('dim', safeText`  ── from line ${from} to the end, line ${source.count} ──`);
  return theme.paint('warning', safeText`  ── from line ${from} of ${source.count}: more below ↓ ──`);
}
