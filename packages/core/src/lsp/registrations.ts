import type { ServerCapabilities } from 'vscode-languageserver-protocol';
import { wantedFiles, type WantedFiles } from './wanted-files.js';

/** Where a server says at its start that it answers a request. */
const CAPABILITY_OF: Readonly<Record<string, keyof ServerCapabilities>> = {
  'textDocument/definition': 'definitionProvider',
  'textDocument/typeDefinition': 'typeDefinitionProvider',
  'textDocument/implementation': 'implementationProvider',
  'textDocument/references': 'referencesProvider',
  'textDocument/hover': 'hoverProvider',
  'textDocument/documentSymbol': 'documentSymbolProvider',
  'textDocument/prepareCallHierarchy': 'callHierarchyProvider',
  'textDocument/rename': 'renameProvider',
  'textDocument/codeAction': 'codeActionProvider',
  'textDocument/diagnostic': 'diagnosticProvider',
  'workspace/symbol': 'workspaceSymbolProvider',
  'workspace/executeCommand': 'executeCommandProvider',
};

/** What a server offers: what it said at its start, and what it registered since. */
export class Registrations {
  readonly #static: ServerCapabilities;
  /** By id: servers register one method several times, and take single registrations back. */
  readonly #live = new Map<string, { readonly method: string; readonly options: unknown }>();

  /** Until something else is registered. */
  #wanted: WantedFiles | undefined;

  constructor(capabilities: ServerCapabilities) {
    this.#static = capabilities;
  }

  register(params: unknown): void {
    this.#wanted = undefined;
    for (const one of listIn(params, 'registrations')) {
      const { id, method, registerOptions } = one;
      if (typeof id === 'string' && typeof method === 'string')
        this.#live.set(id, { method, options: registerOptions });
    }
  }

  unregister(params: unknown): void {
    this.#wanted = undefined;
    // The protocol's own spelling.
    for (const { id } of listIn(params, 'unregisterations')) if (typeof id === 'string') this.#live.delete(id);
  }

  has(method: string): boolean {
    const key = CAPABILITY_OF[method];
    const known = key === undefined ? undefined : this.#static[key];
    if (known !== undefined && known !== null && known !== false) return true;
    return [...this.#live.values()].some((one) => one.method === method);
  }

  /** What was said with a static capability. */
  optionsOf(method: string): unknown {
    const key = CAPABILITY_OF[method];
    return key === undefined ? undefined : this.#static[key];
  }

  /** Changes on disk that it wants to hear of; `root`: its own folder. */
  wantedFiles(root: string): WantedFiles {
    const live = [...this.#live.values()].filter(({ method }) => method === 'workspace/didChangeWatchedFiles');
    return (this.#wanted ??= wantedFiles(
      live.map(({ options }) => options),
      root,
    ));
  }

  /** Commands that it carries out itself. */
  commands(): ReadonlySet<string> {
    const fixed = this.#static.executeCommandProvider?.commands ?? [];
    const live = [...this.#live.values()]
      .filter(({ method }) => method === 'workspace/executeCommand')
      .flatMap(({ options }) => textsIn(options, 'commands'));
    return new Set([...fixed, ...live]);
  }
}

function listIn(params: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, key) : undefined;
  return Array.isArray(list)
    ? list.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
    : [];
}

function textsIn(options: unknown, key: string): readonly string[] {
  const list: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, key) : undefined;
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
}
