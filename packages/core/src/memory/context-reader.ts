import type { IgnoreRules } from '../files/ignore-rules.js';
import { decodeText } from '../files/text-codec.js';
import { WorkspaceGate, type ReadHandle } from '../files/workspace-gate.js';
import { cleanText } from '../util/clean-text.js';
import { Failure } from '../util/failure.js';
import type { ContextPlace } from './memory-types.js';

/** A context file is told with every request: what is larger is no such file. */
export const MAX_CONTEXT_FILE_BYTES = 256 * 1024;

export interface ContextReaderOptions {
  /** The project's own temp folder: no part of any place. */
  readonly tempDir: string;
  /** `.qwenignore` of the roots. */
  readonly ignore: IgnoreRules;
  /** True for a canonical path that rules keep from being read. */
  readonly isWithheld: (path: string) => boolean;
}

export type ReadContext =
  | { readonly kind: 'text'; /** Canonical. */ readonly real: string; readonly text: string }
  | { readonly kind: 'missing' }
  /** The end of a sentence. */
  | { readonly kind: 'refused'; readonly why: string };

/** Reads context files, each held within the boundary of its place: a link that leads out of it leads nowhere. */
export class ContextReader {
  readonly #options: ContextReaderOptions;
  readonly #gates = new Map<string, WorkspaceGate>();

  constructor(options: ContextReaderOptions) {
    this.#options = options;
  }

  async read(path: string, { boundary, owners, role }: ContextPlace): Promise<ReadContext> {
    try {
      const { real, bytes } = await this.#gate(boundary).withFile(path, async (handle) => {
        const { zone, path: leadsTo } = handle.resolved;
        if (zone === 'temp') throw new Failure('path_not_in_workspace', path);
        if (role !== 'global' && this.#options.isWithheld(leadsTo))
          throw new Failure('withheld', 'a rule keeps it from being read');
        if (owners !== undefined && !owners.has(handle.stat.uid))
          throw new Failure('foreign_owner', 'it belongs to another user of this machine');
        return { real: leadsTo, bytes: await bytesOf(handle) };
      });
      const { text } = await decodeText(bytes, path);
      return { kind: 'text', real, text: cleanText(text).text };
    } catch (thrown) {
      return refusalOf(thrown, boundary);
    }
  }

  #gate(boundary: string): WorkspaceGate {
    const known = this.#gates.get(boundary);
    if (known !== undefined) return known;
    const { tempDir, ignore } = this.#options;
    const gate = new WorkspaceGate({ roots: [boundary], tempDir, ignore });
    this.#gates.set(boundary, gate);
    return gate;
  }
}

async function bytesOf(handle: ReadHandle): Promise<Buffer> {
  const { size } = handle.stat;
  if (size > MAX_CONTEXT_FILE_BYTES) throw tooLarge();
  const small = handle.readSmall();
  if (small !== undefined) return small;
  const file = await handle.open();
  try {
    // One byte more tells that it grew meanwhile.
    const buffer = Buffer.alloc(MAX_CONTEXT_FILE_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    throw tooLarge();
  } finally {
    await file.close();
  }
}

function tooLarge(): Failure {
  return new Failure('file_too_large', `it is larger than ${MAX_CONTEXT_FILE_BYTES / 1024} KiB`);
}

function refusalOf(thrown: unknown, boundary: string): ReadContext {
  if (!(thrown instanceof Failure)) throw thrown;
  switch (thrown.code) {
    case 'file_not_found':
    case 'target_is_directory':
    case 'path_is_not_a_directory':
      return { kind: 'missing' };
    case 'path_not_in_workspace':
      return { kind: 'refused', why: `it lies outside of ${boundary}` };
    case 'path_ignored':
      return { kind: 'refused', why: 'an ignore file of the project names it' };
    case 'withheld':
    case 'foreign_owner':
    case 'file_too_large':
      return { kind: 'refused', why: thrown.message };
    case 'binary_file':
      return { kind: 'refused', why: 'it is no text' };
    default:
      return { kind: 'refused', why: `it cannot be read (${thrown.code})` };
  }
}
