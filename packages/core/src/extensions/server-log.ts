import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mcpServerPart } from '../mcp/catalog/tool-names.js';

const LARGEST_FILE = 1024 * 1024;
/** What may wait to be written: a server that floods its log loses the rest of it. */
const MOST_WAITING = 256 * 1024;
const LONGEST_LINE = 4000;

/** What servers log and write to their standard error, a file for each; the one before the newest megabyte is kept as `.1`. */
export class ServerLogs {
  readonly #folder: string;
  readonly #hide: (text: string) => string;
  readonly #waiting = new Map<string, { text: string; left: number }>();
  #writing: Promise<void> | undefined;

  /** Made when something is to be written. */
  constructor(folder: string, hide: (text: string) => string = (text) => text) {
    this.#folder = folder;
    this.#hide = hide;
  }

  file(alias: string): string {
    return join(this.#folder, `mcp-${mcpServerPart(alias)}.log`);
  }

  add(alias: string, level: string, text: string): void {
    const line = `${new Date().toISOString()} ${level} ${this.#hide(text).slice(0, LONGEST_LINE).trimEnd()}\n`;
    const waiting = this.#waiting.get(alias) ?? { text: '', left: 0 };
    if (waiting.text.length > MOST_WAITING) waiting.left += 1;
    else waiting.text += line;
    this.#waiting.set(alias, waiting);
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** All that was added is written, as far as it can be. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting];
      this.#waiting.clear();
      for (const [alias, { text, left }] of all) {
        const end = left === 0 ? '' : `${left} lines were left out: too many at once.\n`;
        // A log that cannot be written must not end the work.
        await this.#append(this.file(alias), text + end).catch(() => undefined);
      }
    }
  }

  async #append(file: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const size = await stat(file).then(
      (info) => info.size,
      () => 0,
    );
    if (size > LARGEST_FILE) await rename(file, `${file}.1`);
    await appendFile(file, text, { mode: 0o600 });
  }
}
