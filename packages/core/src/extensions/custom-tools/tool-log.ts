import { join } from 'node:path';
import { ServerLogs } from '../server-log.js';

/** What tools in files write to the console, and what they throw behind their calls: one file for all of them. */
export class ToolLog extends ServerLogs {
  readonly #file: string;

  constructor(folder: string) {
    super(folder);
    this.#file = join(folder, 'custom-tools.log');
  }

  override file(): string {
    return this.#file;
  }
}
