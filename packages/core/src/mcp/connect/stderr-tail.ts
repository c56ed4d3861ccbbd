/** The last that a program wrote to its standard error. */
export class StderrTail {
  readonly #mostCharacters: number;
  #text = '';

  constructor(mostCharacters = 2000) {
    this.#mostCharacters = mostCharacters;
  }

  add(line: string): void {
    this.#text = `${this.#text}${line.slice(-this.#mostCharacters)}\n`.slice(-this.#mostCharacters);
  }

  /** Without the last end of line; empty when it wrote nothing. */
  get text(): string {
    return this.#text.trimEnd();
  }
}
