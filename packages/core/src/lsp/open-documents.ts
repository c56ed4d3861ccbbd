import { uriOf } from './places.js';

export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  /** `performance.now()` when the server was last told of another text. */
  readonly toldAt: number;
}

/** How many files a server holds open; the one that was longest of no use is closed for the next. */
export const MOST_OPEN = 50;

/** The files that one server was told the text of. */
export class OpenDocuments {
  /** By absolute path, the one longest unused first. */
  readonly #open = new Map<string, OpenDocument>();
  readonly #notify: (method: string, params: object) => void;
  readonly #languageOf: (path: string) => string;
  #version = 0;

  constructor(notify: (method: string, params: object) => void, languageOf: (path: string) => string) {
    this.#notify = notify;
    this.#languageOf = languageOf;
  }

  /** The most recently used first. */
  paths(): string[] {
    return [...this.#open.keys()].reverse();
  }

  get(path: string): OpenDocument | undefined {
    return this.#open.get(path);
  }

  /** From here on the server sees this text. Versions rise, also over closing and opening again. */
  sync(path: string, text: string): OpenDocument {
    const known = this.#open.get(path);
    this.#open.delete(path);
    if (known !== undefined && known.text === text) {
      this.#open.set(path, known);
      return known;
    }
    const uri = known?.uri ?? uriOf(path);
    this.#version += 1;
    const document = { uri, version: this.#version, text, toldAt: performance.now() };
    this.#open.set(path, document);
    if (known === undefined) {
      const textDocument = { uri, languageId: this.#languageOf(path), version: document.version, text };
      this.#notify('textDocument/didOpen', { textDocument });
      this.#closeOldest();
    } else {
      const textDocument = { uri, version: document.version };
      this.#notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
    }
    return document;
  }

  /** Tells the same text again, as something new. */
  tellAgain(path: string): void {
    const known = this.#open.get(path);
    if (known === undefined) return;
    this.#open.set(path, { ...known, text: `${known.text}\n` });
    this.sync(path, known.text);
  }

  saved(path: string): void {
    const known = this.#open.get(path);
    if (known !== undefined)
      this.#notify('textDocument/didSave', { textDocument: { uri: known.uri }, text: known.text });
  }

  close(path: string): void {
    const known = this.#open.get(path);
    if (known === undefined) return;
    this.#open.delete(path);
    this.#notify('textDocument/didClose', { textDocument: { uri: known.uri } });
  }

  #closeOldest(): void {
    if (this.#open.size <= MOST_OPEN) return;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.close(oldest);
  }
}
