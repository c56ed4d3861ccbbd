import { errorMessage, type HostFiles } from '@tenon/core';
import type { ClientSession } from './client.js';
import type { ClientPaths } from './client-paths.js';
import { inTime, Silence } from './in-time.js';

/** After so many questions without an answer it is asked no more. */
const MOST_SILENCES = 3;
/** What the protocol answers for a file that the client does not have. */
const NOT_FOUND = -32002;

export interface ClientFilesOptions {
  readonly session: ClientSession;
  readonly paths: ClientPaths;
  /** For the person, a sentence. */
  readonly report: (text: string) => void;
}

/**
 * Files as the client's editor has them. Undefined for a client that cannot be asked for texts: one that only takes them
 * could not tell what is unsaved, and would lose it.
 */
export function clientFiles(options: ClientFilesOptions): HostFiles | undefined {
  const { fs } = options.session.capabilities;
  if (fs?.readTextFile !== true) return undefined;
  const files = new ClientFiles(options);
  const readText: HostFiles['readText'] = (path) => files.read(path);
  if (fs.writeTextFile !== true) return { readText };
  return { readText, wroteText: (path, text) => files.write(path, text) };
}

class ClientFiles {
  readonly #options: ClientFilesOptions;
  #silences = 0;

  constructor(options: ClientFilesOptions) {
    this.#options = options;
  }

  async read(path: string): Promise<string | undefined> {
    const { session, paths, report } = this.#options;
    if (this.#silences >= MOST_SILENCES) return undefined;
    const request = { sessionId: session.sessionId, path: paths.toClient(path) };
    try {
      const { content } = await inTime<{ readonly content: string }>((options) =>
        session.context.request('fs/read_text_file', request, options),
      );
      this.#silences = 0;
      return content;
    } catch (thrown) {
      if (thrown instanceof Silence) this.#silent();
      else if (codeOf(thrown) !== NOT_FOUND)
        report(`The editor could not tell the text of ${path} (${errorMessage(thrown)}): what is on the disk counts.`);
      return undefined;
    }
  }

  async write(path: string, content: string): Promise<boolean> {
    const { session, paths, report } = this.#options;
    const request = { sessionId: session.sessionId, path: paths.toClient(path), content };
    try {
      await inTime((options) => session.context.request('fs/write_text_file', request, options));
      return true;
    } catch (thrown) {
      report(
        `The editor did not take the new text of ${path} (${errorMessage(thrown)}). It is on the disk; have the editor read it again.`,
      );
      return false;
    }
  }

  #silent(): void {
    this.#silences += 1;
    if (this.#silences !== MOST_SILENCES) return;
    this.#options.report(
      'The editor does not answer when it is asked for texts: what is on the disk counts from here on.',
    );
  }
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
}
