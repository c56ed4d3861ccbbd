import { displayWidth, makeSafe, safeText, truncateToWidth, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Stage } from '../screen/stage.js';
import type { Theme } from '../themes/theme.js';
import type { ItemFilter } from './filter-items.js';
import { frameOf, hintRows, titleRow, type Hint } from './parts.js';
import { typedText, typeKey, type TypedText } from './text-model.js';
import { TypedView } from './typed-view.js';

/** `label` and `detail` are untrusted and shown in one row. */
export interface ListItem<T> {
  readonly label: string;
  readonly detail?: string | undefined;
  readonly value: T;
}

export interface PickList<T> {
  /** One line. */
  readonly title: Safe;
  readonly items: readonly ListItem<T>[];
  /** True: what is typed narrows the list. */
  readonly filterable?: boolean;
  /** The value that is marked at first. Default: that of the first item. */
  readonly preselected?: T | undefined;
}

/** Lets the person choose one of a list, however long. Undefined when they leave it, or the signal does. */
export async function pickFromList<T>(stage: Stage, list: PickList<T>, signal?: AbortSignal): Promise<T | undefined> {
  const filter =
    list.filterable === true ? (await import('./filter-items.js')).createItemFilter(list.items) : undefined;
  const picked = await stage.show<ListItem<T> | undefined>(
    (control) => new ListPanel({ list, filter, theme: () => stage.theme() }, control),
    signal,
  );
  return picked?.value;
}

export interface ListPanelOptions<T> {
  readonly list: PickList<T>;
  readonly filter?: ItemFilter<ListItem<T>> | undefined;
  readonly theme: () => Theme;
}

const MOST_ROWS = 16;
const LONGEST_LABEL = 300;

export class ListPanel<T> implements Panel {
  readonly #options: ListPanelOptions<T>;
  readonly #control: PanelControl<ListItem<T> | undefined>;
  readonly #field = new TypedView();
  #typed: TypedText = typedText('');
  #items: readonly ListItem<T>[];
  #marked: number;
  #top = 0;
  #height = MOST_ROWS;

  constructor(options: ListPanelOptions<T>, control: PanelControl<ListItem<T> | undefined>) {
    this.#options = options;
    this.#control = control;
    const { items, preselected } = options.list;
    this.#items = items;
    this.#marked = Math.max(0, preselected === undefined ? 0 : items.findIndex(({ value }) => value === preselected));
  }

  render(size: Size): Frame {
    const { list, filter } = this.#options;
    const theme = this.#options.theme();
    const { columns } = size;
    const above = [titleRow(theme, list.title, columns)];
    let cursor: Frame['cursor'];
    if (filter !== undefined) {
      const field = this.#field.draw(this.#typed, { columns: columns - 2, height: 1 });
      cursor = { row: 1, column: field.cursor.column + 2 };
      above.push(safeText`${theme.paint('accent', safeText`/`)} ${field.rows[0] ?? safeText``}`);
    }
    const below = hintRows(theme, this.#hints(), columns);
    this.#height = Math.max(1, Math.min(MOST_ROWS, size.rows - above.length - below.length));
    this.#top = Math.max(0, Math.min(this.#top, this.#items.length - this.#height));
    this.#top = Math.min(Math.max(this.#top, this.#marked - this.#height + 1), this.#marked);
    const shown = this.#items.slice(this.#top, this.#top + this.#height);
    const rows = shown.map((item, index) => itemRow(theme, item, this.#top + index === this.#marked, columns));
    if (rows.length === 0) rows.push(theme.paint('dim', safeText`  nothing like that`));
    return frameOf([...above, ...rows, ...below], size, cursor);
  }

  onKey(key: Key): void {
    const { filter } = this.#options;
    if (key.name === 'escape' || key.name === 'ctrl+c') return this.#control.done(undefined);
    if (key.name === 'enter') {
      const item = this.#items[this.#marked];
      if (item !== undefined) this.#control.done(item);
      return;
    }
    const last = Math.max(0, this.#items.length - 1);
    const moved = this.#moved(key.name, last);
    if (moved !== undefined) this.#marked = Math.min(Math.max(0, moved), last);
    else if (filter !== undefined) {
      const typed = typeKey(this.#typed, key);
      if (typed === undefined) return;
      if (typed.text !== this.#typed.text) {
        this.#items = filter(typed.text);
        this.#marked = 0;
      }
      this.#typed = typed;
    }
    this.#control.redraw();
  }

  #moved(name: string, last: number): number | undefined {
    const at = this.#marked;
    const places: Readonly<Record<string, number>> = {
      up: at === 0 ? last : at - 1,
      down: at === last ? 0 : at + 1,
      'ctrl+p': at - 1,
      'ctrl+n': at + 1,
      pageUp: at - this.#height,
      pageDown: at + this.#height,
      home: 0,
      end: last,
    };
    return places[name];
  }

  #hints(): readonly Hint[] {
    const place = this.#items.length === 0 ? safeText`0` : safeText`${this.#marked + 1}`;
    const typing: readonly Hint[] =
      this.#options.filter === undefined ? [] : [[safeText`type`, safeText`to narrow it down`]];
    return [
      [safeText`↑↓`, safeText`move`],
      ...typing,
      [safeText`Enter`, safeText`choose`],
      [safeText`Esc`, safeText`leave`],
      [safeText`${place}/${this.#items.length}`, safeText``],
    ];
  }
}

/** The label whole, where it fits; what is left of the row is the detail's. */
function itemRow<T>(theme: Theme, { label, detail = '' }: ListItem<T>, isMarked: boolean, columns: number): Safe {
  const name = truncateToWidth(makeSafe(label, { maxLength: LONGEST_LABEL }), Math.max(1, columns - 2));
  const left = columns - 4 - displayWidth(name);
  const more =
    left < 4 || detail === '' ? safeText`` : truncateToWidth(makeSafe(detail, { maxLength: LONGEST_LABEL }), left);
  const gap = more === '' ? safeText`` : safeText`  `;
  if (isMarked) return theme.paint('selected', safeText`› ${name}${gap}${more}`);
  return safeText`  ${name}${gap}${more === '' ? more : theme.paint('dim', more)}`;
}
