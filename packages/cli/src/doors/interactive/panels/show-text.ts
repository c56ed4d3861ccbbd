import { makeSafe, safeText, splitLines, truncateToWidth, wrapSafe, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Stage } from '../screen/stage.js';
import type { Theme } from '../themes/theme.js';
import { frameOf, hintRows, titleRow, type Hint } from './parts.js';
import { typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';
import { clampTop, placeAfter, rowsInSight, scrollKey, START, type LineSource, type Place } from './viewport.js';

export interface ShownText {
  /** One line. */
  readonly title: Safe;
  readonly text: Safe;
}

/** Shows a text of any length over the whole screen until the person leaves it. */
export async function showText(stage: Stage, shown: ShownText, signal?: AbortSignal): Promise<void> {
  await stage.showFull<void>((control) => new PagerPanel(shown, stage, control), signal);
}

const SGR = /\u001b\[[\d;]*m/g;

export class PagerPanel implements Panel {
  readonly #title: Safe;
  readonly #lines: readonly Safe[];
  readonly #theme: () => Theme;
  readonly #control: PanelControl<void>;
  readonly #searched = new TypedView();
  #wrapped = new Map<number, readonly Safe[]>();
  #size: Size;
  #top: Place = START;
  /** While a search is typed. */
  #typing: TypedText | undefined;
  #sought = '';
  /** Of the line that was found. */
  #found: number | undefined;
  #notice: Safe | undefined;

  constructor(shown: ShownText, stage: Pick<Stage, 'size' | 'theme'>, control: PanelControl<void>) {
    this.#title = shown.title;
    this.#lines = splitLines(shown.text);
    this.#theme = () => stage.theme();
    this.#size = stage.size();
    this.#control = control;
  }

  render(size: Size): Frame {
    const theme = this.#theme();
    if (size.columns !== this.#size.columns) this.#wrapped.clear();
    this.#size = size;
    const footer = this.#footer(theme);
    const height = this.#height(footer.rows.length);
    this.#top = clampTop(this.#source, this.#top, height);
    const rows = [...rowsInSight(this.#source, this.#top, height)];
    while (rows.length < height) rows.push(safeText``);
    const place = safeText`line ${this.#top.line + 1} of ${this.#lines.length}`;
    const title = truncateToWidth(this.#title, Math.max(1, size.columns - 10 - place.length));
    const all = [titleRow(theme, safeText`${title} (${place})`, size.columns), ...rows, ...footer.rows];
    return frameOf(
      all,
      size,
      footer.column === undefined ? undefined : { row: rows.length + 1, column: footer.column },
    );
  }

  onKey(key: Key): void {
    this.#notice = undefined;
    if (this.#typing === undefined) this.#command(key);
    else this.#type(this.#typing, key);
    this.#control.redraw();
  }

  get #source(): LineSource {
    return { count: this.#lines.length, rowsOf: (line) => this.#rowsOf(line) };
  }

  #rowsOf(index: number): readonly Safe[] {
    const known = this.#wrapped.get(index);
    if (known !== undefined) return known;
    const line = this.#lines[index] ?? safeText``;
    // The line that was found is plain, so that nothing in it ends the mark.
    const shown = index === this.#found ? this.#theme().paint('selected', safeText`› ${plainOf(line)}`) : line;
    const rows = wrapSafe(shown, this.#size.columns);
    this.#wrapped.set(index, rows);
    return rows;
  }

  #height(footer = this.#footer(this.#theme()).rows.length): number {
    return Math.max(1, this.#size.rows - 1 - footer);
  }

  /** As high whatever stands in it, so that nothing moves when that changes. */
  #footer(theme: Theme): { readonly rows: readonly Safe[]; readonly column?: number } {
    const { columns } = this.#size;
    const hints = hintRows(theme, HINTS, columns);
    if (this.#notice !== undefined) return { rows: [theme.paint('warning', this.#notice), ...hints.slice(1)] };
    if (this.#typing === undefined) return { rows: hints };
    const { rows, cursor } = this.#searched.draw(this.#typing, { columns: columns - 1, height: 1 });
    return { rows: [safeText`/${rows[0] ?? safeText``}`, ...hints.slice(1)], column: cursor.column + 1 };
  }

  #command(key: Key): void {
    const { name, text } = key;
    if (['q', 'escape', 'ctrl+c', 'ctrl+o'].includes(name)) return this.#control.done();
    if (text === '/' && name !== 'paste') {
      this.#typing = typedText('');
      return;
    }
    if (text === 'n') return this.#find(1);
    if (text === 'N') return this.#find(-1);
    const alias = ALIASES[text] ?? name;
    this.#top = scrollKey(this.#source, this.#top, this.#height(), alias) ?? this.#top;
  }

  #type(typing: TypedText, key: Key): void {
    if (key.name === 'escape' || key.name === 'ctrl+c') this.#typing = undefined;
    else if (key.name === 'enter') {
      this.#typing = undefined;
      this.#sought = typing.text === '' ? this.#sought : typing.text;
      this.#mark(undefined);
      this.#find(1, true);
    } else this.#typing = typeKey(typing, key) ?? typing;
  }

  /** Upper case in what is sought makes the case count. From the end it goes on at the start. */
  #find(by: 1 | -1, isNew = false): void {
    if (this.#sought === '') return;
    const isExact = this.#sought !== this.#sought.toLowerCase();
    const sought = this.#sought;
    const { length } = this.#lines;
    const from = this.#found ?? this.#top.line - (isNew ? by : 0);
    for (let step = 1; step <= length; step += 1) {
      const index = (((from + by * step) % length) + length) % length;
      const line = (this.#lines[index] ?? '').replaceAll(SGR, '');
      if (!(isExact ? line : line.toLowerCase()).includes(sought)) continue;
      this.#mark(index);
      this.#top = clampTop(this.#source, placeAfter(this.#source, { line: index, row: 0 }, -3), this.#height());
      return;
    }
    this.#notice = safeText`not found: ${makeSafe(sought, { maxLength: 40 })}`;
  }

  #mark(found: number | undefined): void {
    if (this.#found !== undefined) this.#wrapped.delete(this.#found);
    if (found !== undefined) this.#wrapped.delete(found);
    this.#found = found;
  }
}

const HINTS: readonly Hint[] = [
  [safeText`↑↓`, safeText`scroll`],
  [safeText`/`, safeText`search`],
  [safeText`n N`, safeText`next, previous`],
  [safeText`g G`, safeText`start, end`],
  [safeText`q`, safeText`close`],
];

const ALIASES: Readonly<Record<string, string>> = {
  g: 'home',
  G: 'end',
  j: 'down',
  k: 'up',
  ' ': 'pageDown',
  f: 'pageDown',
  b: 'pageUp',
};

/** Without looks. What was safe stays as it is. */
function plainOf(line: Safe): Safe {
  return makeSafe(line.replaceAll(SGR, ''), { multiline: true });
}
