import { makeSafe, safeText, splitLines, type FormField, type PersonQuestion, type Safe } from '@tenon/core';
import type { AfterReading } from '../../../ui/once-read.js';
import { fieldWords, questionView, reviewView } from '../question-view.js';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import { wrappedLines } from './approval-body.js';
import { createFieldEditor, type FieldEditor } from './field-editor.js';
import { ANY_WAY, choiceRows, frameOf, hintRows, isLetter, SIDEWAYS, titleRow, type Hint } from './parts.js';
import { UnseenKeys } from './unseen-keys.js';
import { clampTop, isBefore, lastTop, rowsInSight, scrollKey, START, type LineSource, type Place } from './viewport.js';

/** `leave`: Ctrl-C, which cancels the run too. `accept` without content where there is nothing to fill in. */
export type PanelAnswer =
  | { readonly means: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly means: 'decline' | 'silence' | 'cancel' | 'leave' };

export interface QuestionPanelOptions {
  readonly question: PersonQuestion;
  readonly theme: () => Theme;
  readonly after: AfterReading;
}

interface Answer {
  readonly key: string;
  readonly label: string;
  readonly means: 'go' | 'edit' | 'decline' | 'silence' | 'cancel';
}

const REFUSALS: readonly Answer[] = [
  { key: 'd', label: 'decline', means: 'decline' },
  { key: 'x', label: 'decline all of this server', means: 'silence' },
  { key: 'n', label: 'not now (default)', means: 'cancel' },
];
const REVIEWED: readonly Answer[] = [
  { key: 's', label: 'send', means: 'go' },
  { key: 'e', label: 'edit', means: 'edit' },
  ...REFUSALS,
];

type Step =
  | { readonly kind: 'asked' | 'reviewed' }
  | { readonly kind: 'field'; readonly index: number; readonly field: FormField; readonly editor: FieldEditor };

/** The rows of a frame that are not the words of a server, at least. */
const LEAST_BODY = 3;

/** A question of a server. Nothing goes out without a clear yes to all of it. */
export class QuestionPanel implements Panel {
  readonly #options: QuestionPanelOptions;
  readonly #control: PanelControl<PanelAnswer>;
  readonly #unseen: UnseenKeys;
  readonly #said = new Map<string, unknown>();
  #step: Step = { kind: 'asked' };
  #marked = 'n';
  #problem: Safe | undefined;
  #top: Place = START;
  #shown: { readonly source: LineSource; readonly height: number; readonly isScrolled: boolean } | undefined;

  constructor(options: QuestionPanelOptions, control: PanelControl<PanelAnswer>) {
    this.#options = options;
    this.#control = control;
    this.#unseen = new UnseenKeys(options.after);
    const { question } = options;
    const fields = question.kind === 'form' ? question.fields : [];
    for (const field of fields) if (field.default !== undefined) this.#said.set(field.name, field.default);
  }

  render(size: Size): Frame {
    this.#unseen.drawn();
    const theme = this.#options.theme();
    const source = this.#source(size, theme);
    const below = this.#below(size, theme);
    const room = Math.max(1, size.rows - 1 - below.rows.length);
    const isScrolled = isBefore(START, lastTop(source, room));
    const height = isScrolled ? Math.max(1, room - 1) : room;
    this.#shown = { source, height, isScrolled };
    this.#top = clampTop(source, this.#top, height);
    const isEnd = !isBefore(this.#top, lastTop(source, height));
    const more = isEnd
      ? theme.paint('dim', safeText`  ── the end ──`)
      : theme.paint('warning', safeText`  ── more below ↓ ──`);
    const title = titleRow(theme, safeText`A question of the server ${this.#server}`, size.columns);
    const above = [title, ...rowsInSight(source, this.#top, height), ...(isScrolled ? [more] : [])];
    const cursor = below.cursor && { row: above.length + below.cursor.row, column: below.cursor.column };
    return frameOf([...above, ...below.rows], size, cursor);
  }

  onKey(key: Key): void {
    if (!this.#unseen.counts(key)) return;
    this.#problem = undefined;
    if (key.name === 'ctrl+c') return this.#control.done({ means: 'leave' });
    if (this.#step.kind === 'field') this.#answerField(key, this.#step);
    else this.#choose(key, this.#step.kind);
    this.#control.redraw();
  }

  get #server(): Safe {
    return makeSafe(JSON.stringify(this.#options.question.server));
  }

  get #fields(): readonly FormField[] {
    const { question } = this.#options;
    return question.kind === 'form' ? question.fields : [];
  }

  get #answers(): readonly Answer[] {
    if (this.#step.kind === 'reviewed') return REVIEWED;
    return [{ ...yesTo(this.#options.question), means: 'go' }, ...REFUSALS];
  }

  #source({ columns }: Size, theme: Theme): LineSource {
    const { question } = this.#options;
    const colour = theme.name !== 'no-colour';
    const step = this.#step;
    const text =
      step.kind === 'field'
        ? fieldWords(step.field, safeText`Field ${step.index + 1} of ${this.#fields.length}`)
        : step.kind === 'reviewed'
          ? reviewView(this.#fields, this.#said, question.server)
          : questionView(question, colour);
    const lines = splitLines(text);
    return wrappedLines(lines.at(-1) === '' ? lines.slice(0, -1) : lines, columns);
  }

  #below(size: Size, theme: Theme): { readonly rows: readonly Safe[]; readonly cursor?: Frame['cursor'] } {
    const { columns } = size;
    const problem = this.#problem === undefined ? [] : [theme.paint('error', this.#problem)];
    if (this.#step.kind !== 'field') {
      const read: readonly Hint[] = this.#shown?.isScrolled === true ? [[safeText`↑↓ PgUp PgDn`, safeText`read`]] : [];
      const hints = hintRows(theme, [...read, ...CHOOSE_HINTS], columns);
      return { rows: [...choiceRows(theme, this.#answers, this.#marked, columns), ...hints] };
    }
    const { editor } = this.#step;
    const hints = hintRows(theme, [...editor.keys, ...FIELD_HINTS], columns);
    const kind = theme.paint('dim', safeText`  ${editor.hint}`);
    const rows = Math.max(1, size.rows - LEAST_BODY - 2 - problem.length - hints.length);
    const { lines, cursor } = editor.render({ columns, rows }, theme);
    return {
      rows: [kind, ...lines, ...problem, ...hints],
      cursor: cursor && { row: cursor.row + 1, column: cursor.column },
    };
  }

  #choose({ name, text }: Key, step: 'asked' | 'reviewed'): void {
    if (name === 'escape') return this.#control.done({ means: 'cancel' });
    const answers = this.#answers;
    const at = answers.findIndex(({ key }) => key === this.#marked);
    const by = (this.#shown?.isScrolled === true ? SIDEWAYS : ANY_WAY)[name];
    if (by !== undefined) this.#marked = answers[Math.min(Math.max(0, at + by), answers.length - 1)]?.key ?? 'n';
    else if (!this.#scroll(name)) {
      const answer = name === 'enter' ? answers[at] : answers.find(({ key }) => isLetter(name, text, key));
      if (answer !== undefined) this.#take(answer.means, step);
    }
  }

  #take(means: Answer['means'], step: 'asked' | 'reviewed'): void {
    if (means === 'edit') return this.#goToField(0);
    if (means !== 'go') return this.#control.done({ means });
    if (this.#options.question.kind !== 'form') return this.#control.done({ means: 'accept' });
    if (step === 'asked' && this.#fields.length > 0) return this.#goToField(0);
    const content = this.#fields.map(({ name }) => [name, this.#said.get(name)] as const);
    const said = content.filter(([, value]) => value !== undefined);
    this.#control.done({ means: 'accept', content: Object.fromEntries(said) });
  }

  #scroll(name: string): boolean {
    const place = this.#shown && scrollKey(this.#shown.source, this.#top, this.#shown.height, name);
    this.#top = place ?? this.#top;
    return place !== undefined;
  }

  #answerField(key: Key, { field, editor, index }: Extract<Step, { kind: 'field' }>): void {
    if (key.name === 'escape' || key.name === 'shift+tab') return this.#goToField(index - 1);
    if (key.name !== 'enter' && key.name !== 'tab') return editor.onKey(key);
    const read = editor.read();
    if ('problem' in read) {
      this.#problem = safeText`It ${makeSafe(read.problem)}.`;
      return;
    }
    this.#said.set(field.name, read.value);
    this.#goToField(index + 1);
  }

  /** Before the first one is the question, behind the last the review. */
  #goToField(index: number): void {
    const field = this.#fields[index];
    this.#top = START;
    this.#marked = 'n';
    if (field === undefined) this.#step = { kind: index < 0 ? 'asked' : 'reviewed' };
    else this.#step = { kind: 'field', index, field, editor: createFieldEditor(field, this.#said.get(field.name)) };
  }
}

function yesTo(question: PersonQuestion): { readonly key: string; readonly label: string } {
  switch (question.kind) {
    case 'form':
      return { key: 'a', label: question.fields.length === 0 ? 'accept' : 'answer' };
    case 'page':
      return { key: 'o', label: 'open it' };
    case 'sampling':
      return { key: 'y', label: question.stage === 'request' ? 'ask the model' : 'send it to the server' };
    default:
      return question satisfies never;
  }
}

const CHOOSE_HINTS: readonly Hint[] = [
  [safeText`←→ Enter`, safeText`choose`],
  [safeText`Esc`, safeText`not now`],
  [safeText`Ctrl-C`, safeText`not now, and stop`],
];
const FIELD_HINTS: readonly Hint[] = [
  [safeText`Enter`, safeText`next`],
  [safeText`Esc`, safeText`back`],
  [safeText`Ctrl-C`, safeText`not now, and stop`],
];
