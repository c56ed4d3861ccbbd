import type { Effect } from '../../effects/effect.js';
import type { LanguageServer } from '../../lsp/language-server.js';
import type { Answer } from '../../lsp/queries.js';
import type { QueryContext } from '../../lsp/query-context.js';
import type { ToolRuntime } from '../../runtime.js';
import { displayPath } from '../../files/display-path.js';
import { errorMessage, Failure } from '../../util/failure.js';
import { JudgedPaths } from '../judged-paths.js';
import { LeftOut } from '../left-out.js';
import { ToolNames } from '../tool-names.js';
import { RunInvocation, ToolError, type ToolLocation, type ToolResult } from '../tools.js';
import { serverStarts } from './server-starts.js';
import { looksAround, pathIn, queryOf, type LspToolParams } from './lsp-params.js';

/** What a call says of itself on one line. */
export function describeLspCall(params: LspToolParams, folder: string): string {
  const { operation, line, symbol, query, newName } = params;
  const path = pathIn(params, folder);
  const place = path === undefined ? '' : `${displayPath(path, folder)}${line === undefined ? '' : `:${line}`}`;
  const what = [symbol ?? query ?? '', newName === undefined ? '' : `→ ${newName}`, place];
  return [operation, ...what].filter((part) => part !== '').join(' ');
}

/** An operation that only reads. */
export class LspQueryInvocation extends RunInvocation<LspToolParams> {
  readonly #config: ToolRuntime;
  readonly #judged: JudgedPaths;
  readonly #path: string | undefined;

  constructor(config: ToolRuntime, params: LspToolParams) {
    super(params);
    this.#config = config;
    this.#judged = new JudgedPaths(config.getWorkspaceGate());
    this.#path = pathIn(params, config.getTargetDir());
  }

  getDescription(): string {
    return describeLspCall(this.params, this.#config.getTargetDir());
  }

  override toolLocations(): ToolLocation[] {
    const { line } = this.params;
    if (this.#path === undefined) return [];
    return [line === undefined ? { path: this.#path } : { path: this.#path, line }];
  }

  /** An answer shows lines of any file that it leads to; those that rules speak of are left out. */
  async effects(): Promise<Effect[]> {
    const { roots } = this.#config.getWorkspaceGate();
    const leavesOut = new LeftOut(this.#config, ToolNames.LSP).isKnown;
    const reads = this.#judged.state([
      ...(this.#path === undefined ? [] : [{ kind: 'read', path: this.#path } as const]),
      ...(looksAround(this.params) ? roots : []).map(
        (path) => ({ kind: 'read', path, tree: 'always', leavesOut }) as const,
      ),
    ]);
    return [...reads, ...(await serverStarts(this.#config, this.params, new AbortController().signal))];
  }

  protected async run(signal: AbortSignal): Promise<ToolResult> {
    const { queryContext } = await import('./lsp-context.js');
    const context = queryContext(this.#config, this.params, signal);
    const { operation } = this.params;
    const path = this.#judgedFile();
    const answers =
      path === undefined
        ? await this.#askAll(context)
        : [await context.servers.use(path, signal, (server) => this.#ask(server, path, context))];
    const [first] = answers;
    const data = {
      operation,
      ...(answers.length === 1 && first?.places !== undefined && { places: first.places }),
      ...(answers.length === 1 && first?.total !== undefined && { total: first.total }),
    };
    return {
      llmContent: answers.map(({ text }) => text).join('\n\n'),
      returnDisplay: answers.map(({ summary }) => summary).join('; '),
      data,
    };
  }

  /** Where the file really is: servers know it by that name. */
  #judgedFile(): string | undefined {
    const named = this.#path;
    if (named === undefined) return undefined;
    const { path } = this.#config.getWorkspaceGate().resolve(named);
    this.#judged.refuseUnless(named, path);
    return path;
  }

  /** Without a file: every language of the workspace is asked. What fails is told beside what does not. */
  async #askAll(context: QueryContext): Promise<readonly Answer[]> {
    const { representatives } = await import('../../lsp/operations.js');
    const places = await representatives(context);
    if (places.length === 0)
      throw new ToolError(
        'lsp_no_server',
        'The workspace has no source file that a language server is known for. Give filePath.',
      );
    const answers: Answer[] = [];
    const failures: Failure[] = [];
    for (const path of places) {
      try {
        answers.push(await context.servers.use(path, context.signal, (server) => this.#ask(server, path, context)));
      } catch (thrown) {
        if (!(thrown instanceof Failure) || context.signal.aborted) throw thrown;
        failures.push(thrown);
      }
    }
    const [failure] = failures;
    if (answers.length === 0 && failure !== undefined) {
      if (failures.length === 1) throw failure;
      throw new ToolError(failure.code, failures.map(errorMessage).join('\n'));
    }
    const [last] = answers.slice(-1);
    if (last === undefined || failures.length === 0) return answers;
    const text = [last.text, ...failures.map((one) => `(Not answered: ${one.message})`)].join('\n');
    return [...answers.slice(0, -1), { ...last, text }];
  }

  async #ask(server: LanguageServer, path: string, context: QueryContext): Promise<Answer> {
    const lsp = await import('../../lsp/operations.js');
    const { operation, query, symbol, limit } = this.params;
    if (operation === 'documentSymbol') return lsp.outline(server, path, context);
    if (operation === 'workspaceSymbol')
      return lsp.findSymbols(server, { query: query ?? symbol ?? '', path }, context);
    if (operation === 'diagnostics') return lsp.checkOne(server, path, context);
    if (operation === 'workspaceDiagnostics') return lsp.checkAll(server, path, context);
    if (operation === 'codeActions') {
      const actions = await lsp.offeredActions(server, { ...this.params, path }, context);
      return lsp.actionsAnswer(server, actions, limit ?? context.limit);
    }
    // Without a file the symbol is looked for in the workspace, and `path` only chooses the server.
    if (this.#path !== undefined) return lsp.askAboutSymbol(server, queryOf(this.params, path), context);
    await context.servers.open(server, path);
    return lsp.askAboutSymbol(server, queryOf(this.params, undefined), context);
  }
}
