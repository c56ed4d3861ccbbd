import {
  joinSafe,
  makeSafe,
  safeText,
  ToolConfirmationOutcome,
  type ApprovalAnswer,
  type ApprovalRequest,
  type Safe,
} from '@tenon/core';
import type { AfterReading } from '../../../ui/once-read.js';
import type { EditText } from '../edit-text.js';
import type { Frame, Key, Panel, PanelControl, Size } from '../screen/panel.js';
import type { Theme } from '../themes/theme.js';
import { ApprovalEntry, type PanelEntry } from './approval-entry.js';
import { QuestionEntry } from './question-entry.js';
import { UnseenKeys } from './unseen-keys.js';

export interface ApprovalPanelOptions {
  readonly theme: () => Theme;
  readonly editText: EditText;
  readonly interrupt: () => void;
  readonly after: AfterReading;
}

const REFUSED: ApprovalAnswer = { outcome: ToolConfirmationOutcome.Cancel };

/** All calls that wait for the person. One is shown whole, the others by their line; each has its own answer. */
export class ApprovalPanel implements Panel {
  readonly #options: ApprovalPanelOptions;
  readonly #unseen: UnseenKeys;
  #entries: readonly PanelEntry[] = [];
  #selected: PanelEntry | undefined;
  #control: PanelControl<void> | undefined;

  constructor(options: ApprovalPanelOptions) {
    this.#options = options;
    this.#unseen = new UnseenKeys(options.after);
  }

  get count(): number {
    return this.#entries.length;
  }

  openWith(control: PanelControl<void>): this {
    this.#control = control;
    return this;
  }

  /** Resolves with the answer; with a no when the signal ends it. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return new Promise((resolve) => {
      const answer = (given: ApprovalAnswer): void => {
        signal.removeEventListener('abort', onAbort);
        this.#remove(entry);
        resolve(given);
      };
      const onAbort = (): void => answer(REFUSED);
      const { editText, interrupt } = this.#options;
      const redraw = (): void => this.#control?.redraw();
      const { details } = request;
      const entry: PanelEntry =
        details.type === 'question'
          ? new QuestionEntry({ request, questions: details.questions, interrupt, answer, after: this.#options.after })
          : new ApprovalEntry({ request, signal, editText, interrupt, answer, redraw });
      this.#entries = [...this.#entries, entry];
      if (this.#selected === undefined) this.#select(entry);
      signal.addEventListener('abort', onAbort, { once: true });
      redraw();
    });
  }

  render(size: Size): Frame {
    const entry = this.#selected;
    if (entry === undefined) return { lines: [] };
    this.#unseen.drawn();
    const theme = this.#options.theme();
    const { length } = this.#entries;
    const place = length === 1 ? safeText`` : safeText` (${this.#entries.indexOf(entry) + 1} of ${length})`;
    return entry.render(size, theme, {
      title: safeText`${askedBy(entry)}${entry.title}${place}`,
      waiting: length === 1 ? [] : [theme.paint('accent', this.#waitingRow(entry))],
      hints: length === 1 ? [] : [[safeText`Tab`, safeText`next question`]],
    });
  }

  onKey(key: Key): void {
    const entry = this.#selected;
    if (entry === undefined || !this.#unseen.counts(key)) return;
    const by = { tab: 1, 'shift+tab': -1 }[key.name];
    if (by !== undefined && entry.mayBeLeft) this.#step(entry, by);
    else entry.onKey(key);
    this.#control?.redraw();
  }

  #select(entry: PanelEntry | undefined): void {
    this.#selected = entry;
    this.#unseen.begin();
  }

  #step(entry: PanelEntry, by: number): void {
    const { length } = this.#entries;
    if (length < 2) return;
    this.#select(this.#entries[(this.#entries.indexOf(entry) + by + length) % length]);
  }

  #remove(entry: PanelEntry): void {
    const at = this.#entries.indexOf(entry);
    if (at === -1) return;
    this.#entries = this.#entries.filter((one) => one !== entry);
    if (this.#selected === entry) this.#select(this.#entries[Math.min(at, this.#entries.length - 1)]);
    if (this.#entries.length === 0) this.#control?.done();
    else this.#control?.redraw();
  }

  #waitingRow(entry: PanelEntry): Safe {
    const others = this.#entries.filter((one) => one !== entry);
    const names = others.map((one) => safeText`${askedBy(one)}${makeSafe(one.request.description, { maxLength: 60 })}`);
    return safeText`${others.length} more waiting: ${joinSafe(names, safeText` · `)}`;
  }
}

/** The subagent that asks; nothing where it is the agent that the person talks with. */
function askedBy({ request: { agent } }: PanelEntry): Safe {
  return agent === undefined ? safeText`` : safeText`${makeSafe(agent, { maxLength: 40 })}: `;
}
