import { relative, sep } from 'node:path';
import { isWithin } from '../util/paths-below.js';
import type { LanguageServer } from './language-server.js';
import type { LanguageServers } from './language-servers.js';
import { LinedText, uriOf } from './places.js';
import { symbolsOf, type SymbolNode } from './shapes.js';

export interface QueryOptions {
  readonly servers: LanguageServers;
  readonly signal: AbortSignal;
  /** Never told: a rule keeps it from being read. Absolute paths. */
  readonly isWithheld: (path: string) => boolean;
  /** Told only where there is nothing else to tell. */
  readonly isIgnored: (path: string) => boolean;
  /** Source files of the workspace with one of these names or extensions, at most so many; newest first. */
  readonly listFiles: (files: readonly string[], most: number) => Promise<readonly string[]>;
  /** Most entries to show. */
  readonly limit: number;
}

/** One question to the servers, and what was read for it. */
export class QueryContext {
  readonly servers: LanguageServers;
  readonly signal: AbortSignal;
  readonly isWithheld: (path: string) => boolean;
  readonly isIgnored: (path: string) => boolean;
  readonly listFiles: QueryOptions['listFiles'];
  readonly limit: number;
  readonly #texts = new Map<string, Promise<LinedText | undefined>>();
  readonly #symbols = new Map<string, Promise<readonly SymbolNode[]>>();

  constructor({ servers, signal, isWithheld, isIgnored, listFiles, limit }: QueryOptions) {
    this.servers = servers;
    this.signal = signal;
    this.isWithheld = isWithheld;
    this.isIgnored = isIgnored;
    this.listFiles = listFiles;
    this.limit = limit;
  }

  isHidden(path: string): boolean {
    return this.isInside(path) && (this.isWithheld(path) || this.isIgnored(path));
  }

  isInside(path: string): boolean {
    return this.servers.roots.some((root) => isWithin(path, root));
  }

  /** Relative to the first root that it lies in, with `/`; absolute for what lies outside. */
  shown(path: string): string {
    const [first] = this.servers.roots;
    if (first === undefined || !isWithin(path, first)) return path;
    return relative(first, path).replaceAll(sep, '/');
  }

  /** Undefined for what may not be read, or is no text. */
  text(path: string): Promise<LinedText | undefined> {
    let text = this.#texts.get(path);
    if (text === undefined) {
      text = this.servers.readText(path).then((read) => (read === undefined ? undefined : new LinedText(read)));
      this.#texts.set(path, text);
    }
    return text;
  }

  /** The symbols of a file; none where the server does not tell them. */
  symbols(server: LanguageServer, path: string): Promise<readonly SymbolNode[]> {
    let symbols = this.#symbols.get(path);
    if (symbols === undefined) {
      symbols = this.#askSymbols(server, path);
      this.#symbols.set(path, symbols);
    }
    return symbols;
  }

  async #askSymbols(server: LanguageServer, path: string): Promise<readonly SymbolNode[]> {
    if (server.lacks('textDocument/documentSymbol') !== undefined) return [];
    // What is not open has no symbols for some servers, and those of another file for others.
    if (!(await this.servers.open(server, path))) return [];
    const params = { textDocument: { uri: uriOf(path) } };
    return symbolsOf(await server.request('textDocument/documentSymbol', params, this.signal));
  }
}
