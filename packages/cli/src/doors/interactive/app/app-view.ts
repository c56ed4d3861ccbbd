import { safeText, wrapSafe, type Safe } from '@tenon/core';
import type { Frame, Key, Panel, Size } from '../screen/panel.js';
import type { LiveStage } from '../screen/live-stage.js';
import type { TerminalScreen } from '../screen/terminal-screen.js';
import { closeCalls, closeWords } from '../state/items.js';
import { reduce, type SessionAction } from '../state/reduce.js';
import { EMPTY_STATE, type SessionState } from '../state/session-state.js';
import type { Look } from '../views/block.js';
import { activityLine, statusLine, type StatusFacts } from '../views/status-line.js';
import { foldedTodos, todoPanel } from '../views/todo-view.js';
import type { Transcript } from '../views/transcript.js';
import type { TerminalLook } from './terminal-look.js';

export interface AppViewServices {
  readonly screen: Pick<TerminalScreen, 'print' | 'size'>;
  readonly stage: Pick<LiveStage, 'redraw'>;
  readonly transcript: Transcript;
  readonly look: Pick<TerminalLook, 'theme' | 'unicode' | 'images'>;
  /** What the line at the bottom tells. */
  readonly facts: () => StatusFacts;
}

/** So often is what runs drawn anew: its time goes on. */
const TICK_MS = 100;
/** With fewer the list of todos is a line. */
const ROWS_FOR_TODOS = 16;
/** How long a hint stands in the line at the bottom. */
const HINT_MS = 2_500;

/** The session on the screen: what is done goes to the scrollback, the rest is drawn live. */
export class AppView {
  readonly #services: AppViewServices;
  #state: SessionState = EMPTY_STATE;
  #hint: { readonly text: Safe; readonly until: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #showsTodos = true;

  constructor(services: AppViewServices) {
    this.#services = services;
  }

  dispatch(action: SessionAction): void {
    const before = this.#state;
    this.#state = reduce(before, action);
    if (this.#state === before) return;
    this.#flush();
    this.#services.stage.redraw();
  }

  /** Nothing of what is shown goes on. */
  settle(): void {
    const closed = closeCalls(closeWords(this.#state, Date.now()));
    this.#state = { ...closed, activity: { kind: 'idle' }, background: [] };
    this.#flush();
    this.#services.stage.redraw();
  }

  /** Begins anew; what is in the scrollback stays. */
  reset(): void {
    this.#state = EMPTY_STATE;
    this.#services.stage.redraw();
  }

  /** What is drawn must be drawn anew: another theme, or a language that was loaded. */
  refresh(): void {
    this.#services.transcript.redraw();
    this.#flush();
    this.#services.stage.redraw();
  }

  toggleTodos(): void {
    this.#showsTodos = !this.#showsTodos;
    this.#services.stage.redraw();
  }

  /** Told for a moment, and gone. */
  hint(text: Safe): void {
    this.#hint = { text, until: performance.now() + HINT_MS };
    setTimeout(() => this.#services.stage.redraw(), HINT_MS + 50).unref();
    this.#services.stage.redraw();
  }

  /** While something runs its time is drawn. */
  setBusy(isBusy: boolean): void {
    if (isBusy === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = isBusy ? setInterval(() => this.#services.stage.redraw(), TICK_MS).unref() : undefined;
    this.#services.stage.redraw();
  }

  /** What is drawn above the panel that takes keys. */
  above({ columns, rows }: Size): readonly Safe[] {
    const look = this.#look(columns);
    const activity = activityLine(this.#state, look);
    const isOpen = this.#showsTodos && rows >= ROWS_FOR_TODOS;
    const todos = isOpen ? todoPanel(this.#state, look) : foldedTodos(this.#state, look);
    const below = [...(activity === undefined ? [] : [safeText``, activity]), ...todos];
    const live = this.#services.transcript.live(this.#state, look, Math.max(0, rows - below.length));
    return [...live, ...below];
  }

  /** The composer with the line at the bottom of the screen. */
  withStatus(composer: Panel): Panel {
    return {
      onKey: (key: Key) => composer.onKey(key),
      render: (size: Size): Frame => {
        if (size.rows < 3) return composer.render(size);
        const { lines, cursor } = composer.render({ columns: size.columns, rows: size.rows - 1 });
        return { lines: [...lines, this.#bottom(size.columns)], ...(cursor && { cursor }) };
      },
    };
  }

  #bottom(columns: number): Safe {
    const look = this.#look(columns - 1);
    const hint = this.#hint;
    if (hint !== undefined && performance.now() < hint.until)
      return wrapSafe(look.theme.paint('warning', hint.text), look.columns)[0] ?? hint.text;
    const agents = this.#state.background.length;
    return statusLine(look, { ...this.#services.facts(), ...(agents > 0 && { agents }) });
  }

  #look(columns: number): Look {
    const { theme, unicode, images } = this.#services.look;
    return { columns, theme: theme(), isOpen: false, now: Date.now(), unicode, ...(images && { images }) };
  }

  #flush(): void {
    const { transcript, screen } = this.#services;
    const { lines, state } = transcript.take(this.#state, this.#look(screen.size().columns));
    this.#state = state;
    if (lines.length > 0) screen.print(lines);
  }
}
