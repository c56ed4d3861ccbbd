import { safeText, wrapSafe, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Stage } from '../screen/stage.js';
import type { Theme } from '../themes/theme.js';
import { frameOf, hintRows, titleRow } from './parts.js';
import { clampTop, isBefore, placeAfter, rowsInSight, topToShow, type LineSource, type Place } from './viewport.js';

/** Something of the session that can be opened. */
export interface TranscriptBlock {
  /** Unique. */
  readonly key: string;
  /** One line. */
  readonly title: Safe;
  /** All of it, asked for when it is opened. Lines that are wider than the columns are wrapped. */
  readonly open: (columns: number) => readonly Safe[];
}

/** Shows all of a session over the whole screen, from its end; each block opens and closes. */
export async function viewTranscript(
  stage: Stage,
  blocks: readonly TranscriptBlock[],
  signal?: AbortSignal,
): Promise<void> {
  await stage.showFull<void>((control) => new TranscriptPanel(blocks, () => stage.theme(), control), signal);
}

export class TranscriptPanel implements Panel {
  readonly #blocks: readonly TranscriptBlock[];
  readonly #theme: () => Theme;
  readonly #control: PanelControl<void>;
  readonly #open = new Set<string>();
  /** Of blocks that are open, for the columns of now. */
  readonly #contents = new Map<string, readonly Safe[]>();
  #marked: number;
  #top: Place;
  #size: Size = { columns: 80, rows: 24 };
  #height = 1;
  /** Which of its ends the marked block shows with the next frame, where it is higher than the screen. */
  #follows: 'head' | 'end' | undefined = 'head';

  constructor(blocks: readonly TranscriptBlock[], theme: () => Theme, control: PanelControl<void>) {
    this.#blocks = blocks;
    this.#theme = theme;
    this.#control = control;
    this.#marked = Math.max(0, blocks.length - 1);
    this.#top = { line: this.#marked, row: 0 };
  }

  render(size: Size): Frame {
    const theme = this.#theme();
    if (size.columns !== this.#size.columns) this.#contents.clear();
    this.#size = size;
    const count = this.#blocks.length;
    const footer = hintRows(
      theme,
      [
        [safeText`↑↓`, safeText`move`],
        [safeText`Enter`, safeText`open, close`],
        [safeText`a`, safeText`all`],
        [safeText`PgUp PgDn`, safeText`scroll`],
        [safeText`q`, safeText`leave`],
        [safeText`${count === 0 ? 0 : this.#marked + 1}/${count}`, safeText``],
      ],
      size.columns,
    );
    this.#height = Math.max(1, size.rows - 1 - footer.length);
    if (this.#follows !== undefined) this.#follow(this.#follows);
    this.#top = this.#clamped(this.#top);
    const rows = count === 0 ? [theme.paint('dim', safeText`Nothing yet.`)] : this.#inSight();
    while (rows.length < this.#height) rows.push(safeText``);
    return frameOf([titleRow(theme, safeText`This session`, size.columns), ...rows, ...footer], size);
  }

  onKey(key: Key): void {
    const { name, text } = key;
    if (['q', 'escape', 'ctrl+c', 'ctrl+o'].includes(name)) return this.#control.done();
    if (this.#blocks.length === 0) return;
    if (name === 'enter' || name === 'space' || text === ' ') this.#toggle();
    else if (text === 'a') this.#toggleAll();
    else if (name === 'pageUp' || name === 'pageDown') this.#page(name === 'pageUp' ? -1 : 1);
    else this.#move(name, text);
    this.#control.redraw();
  }

  get #source(): LineSource {
    return { count: Math.max(1, this.#blocks.length), rowsOf: (index) => this.#rowsOf(index) };
  }

  #rowsOf(index: number): readonly Safe[] {
    const block = this.#blocks[index];
    if (block === undefined) return [safeText``];
    const isOpen = this.#open.has(block.key);
    const sign = isOpen ? safeText`▾` : safeText`▸`;
    const isMarked = index === this.#marked;
    const mark = isMarked ? this.#theme().paint('accent', safeText`›`) : safeText` `;
    const head = safeText`${mark} ${sign} ${block.title}`;
    return isOpen ? [head, ...this.#contentOf(block)] : [head];
  }

  #contentOf(block: TranscriptBlock): readonly Safe[] {
    const known = this.#contents.get(block.key);
    if (known !== undefined) return known;
    const columns = Math.max(1, this.#size.columns - 4);
    const rows = block.open(columns).flatMap((line) => wrapSafe(line, columns));
    const content = rows.map((row) => safeText`    ${row}`);
    this.#contents.set(block.key, content);
    return content;
  }

  #toggle(): void {
    const key = this.#blocks[this.#marked]?.key;
    if (key !== undefined && !this.#open.delete(key)) this.#open.add(key);
    this.#follows = 'head';
  }

  #toggleAll(): void {
    if (this.#open.size > 0) this.#open.clear();
    else for (const { key } of this.#blocks) this.#open.add(key);
    this.#follows = 'head';
  }

  /** The block at the top of the window is marked, so that Enter closes what is read. */
  #page(by: -1 | 1): void {
    this.#top = this.#clamped(placeAfter(this.#source, this.#top, by * Math.max(1, this.#height - 1)));
    this.#marked = this.#top.line;
  }

  /** Through what is open row by row, from block to block else. */
  #move(name: string, text: string): void {
    const by = name === 'up' || text === 'k' ? -1 : name === 'down' || text === 'j' ? 1 : 0;
    const last = this.#blocks.length - 1;
    if (name === 'home' || text === 'g') this.#marked = 0;
    else if (name === 'end' || text === 'G') this.#marked = last;
    else if (by === 0) return;
    else if (this.#scrollsWithin(by)) return;
    else this.#marked = Math.min(Math.max(0, this.#marked + by), last);
    this.#follows = by < 0 ? 'end' : 'head';
  }

  /** True when rows of the marked block came into sight that were not. */
  #scrollsWithin(by: -1 | 1): boolean {
    const own = { line: this.#marked, row: by < 0 ? 0 : this.#rowsOf(this.#marked).length - 1 };
    const below = placeAfter(this.#source, this.#top, this.#height - 1);
    if (by < 0 ? !isBefore(own, this.#top) : !isBefore(below, own)) return false;
    this.#top = this.#clamped(placeAfter(this.#source, this.#top, by));
    return true;
  }

  /** All of the marked block where that fits. */
  #follow(end: 'head' | 'end'): void {
    this.#follows = undefined;
    const head = { line: this.#marked, row: 0 };
    const last = { line: this.#marked, row: this.#rowsOf(this.#marked).length - 1 };
    for (const place of end === 'head' ? [last, head] : [head, last])
      this.#top = topToShow(this.#source, this.#top, place, this.#height);
  }

  #clamped(top: Place): Place {
    return clampTop(this.#source, top, this.#height);
  }

  #inSight(): Safe[] {
    return [...rowsInSight(this.#source, this.#top, this.#height)];
  }
}
