export interface Notice {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

const MOST_KEPT = 50;
const LONGEST = 1000;

/** What happens to servers beside the calls, until it is told: to the person, and where it matters to the model. */
export class News {
  #notices: Notice[] = [];
  #notes: string[] = [];
  /** A server that says the same over and over is told once. */
  readonly #told = new Set<string>();

  tell(text: string): void {
    this.#add({ level: 'info', text: text.slice(0, LONGEST) });
  }

  warn(text: string): void {
    this.#add({ level: 'warning', text: text.slice(0, LONGEST) });
  }

  noteForModel(text: string): void {
    if (!this.#notes.includes(text)) this.#notes = [...this.#notes, text].slice(-MOST_KEPT);
  }

  takeNotices(): readonly Notice[] {
    const taken = this.#notices;
    this.#notices = [];
    return taken;
  }

  /** Undefined when there is none. */
  takeNote(): string | undefined {
    const taken = this.#notes;
    this.#notes = [];
    return taken.length === 0 ? undefined : taken.join('\n');
  }

  #add(notice: Notice): void {
    if (this.#told.has(notice.text)) return;
    if (this.#told.size < 10 * MOST_KEPT) this.#told.add(notice.text);
    this.#notices = [...this.#notices, notice].slice(-MOST_KEPT);
  }
}
