import type { CallContext } from '../../effects/call-context.js';
import type { Effect, RunEffect } from '../../effects/effect.js';
import type { FileChange as FileDiff } from '../../files/diff.js';
import { displayPath } from '../../files/display-path.js';
import type { ChangedFile } from '../../files/file-changes.js';
import { readTextIfExists } from '../../files/local-file-system.js';
import { contentHash } from '../../files/write-handle.js';
import type { LanguageServer } from '../../lsp/language-server.js';
import type { RenameEdit } from '../../lsp/rename-symbol.js';
import type { QueryContext } from '../../lsp/query-context.js';
import type { ToolRuntime } from '../../runtime.js';
import { count } from '../../util/count.js';
import { Failure } from '../../util/failure.js';
import { FileChangeInvocation, linksNote, type ChangePlan, type FileChange } from '../file-change-invocation.js';
import type { PathUse } from '../judged-paths.js';
import { ToolError, ToolErrorType, type ToolCallConfirmationDetails, type ToolResult } from '../tools.js';
import { LeftOut } from '../left-out.js';
import { ToolNames } from '../tool-names.js';
import { describeLspCall } from './lsp-query.js';
import { pathIn, queryOf, type LspToolParams } from './lsp-params.js';
import { areAgreed, filesToAsk, onlyStart, serverStarts, startDetails } from './server-starts.js';

interface PlannedEdit extends ChangePlan {
  readonly server: string;
  readonly what: string;
}

/** An operation that changes files by what a server proposes. It is asked once, and again when a file has changed since. */
export class LspChangeInvocation extends FileChangeInvocation<LspToolParams, PlannedEdit> {
  readonly #path: string | undefined;
  /** The call's own, once it runs. */
  #signal: AbortSignal = new AbortController().signal;
  #planned: PlannedEdit | undefined;
  /** The servers that had to be started at the last statement of effects. */
  #starts: readonly RunEffect[] = [];
  /** Of the effects that were stated last; undefined before. */
  #stated: ReadonlySet<string> | undefined;

  constructor(config: ToolRuntime, params: LspToolParams) {
    super(config, params, NOUNS[params.operation] ?? 'Change');
    this.#path = pathIn(params, config.getTargetDir());
  }

  getDescription(): string {
    return describeLspCall(this.params, this.config.getTargetDir());
  }

  /** Asks the server first, because its answer says which files change. If starting the server needs approval, it is not asked yet. */
  override async effects(): Promise<readonly Effect[]> {
    this.#starts = await serverStarts(this.config, this.params, this.#signal);
    if (!areAgreed(this.#starts)) {
      this.#planned = undefined;
      return [...(await super.effects()), ...this.#starts];
    }
    try {
      await this.#plan(this.#signal);
    } catch (thrown) {
      // Nothing will be changed: the call tells why when it runs.
      this.#planned = undefined;
      if (!(thrown instanceof Failure)) throw thrown;
    }
    this.#stated = new Set(this.#planned?.changes.map(({ path }) => path));
    return [...(await super.effects()), ...this.#starts];
  }

  /** Shows only the start if a server must start: the user then agrees to no change, because they have not seen any. */
  override async confirmationDetails(signal: AbortSignal, context?: CallContext): Promise<ToolCallConfirmationDetails> {
    if (areAgreed(this.#starts)) return super.confirmationDetails(signal, context);
    return startDetails(this.#starts);
  }

  protected get uses(): readonly PathUse[] {
    const { roots } = this.config.getWorkspaceGate();
    const leavesOut = new LeftOut(this.config, ToolNames.LSP).isKnown;
    const asked: PathUse[] =
      this.#path === undefined
        ? roots.map((path) => ({ kind: 'read', path, tree: 'always', leavesOut }))
        : [{ kind: 'read', path: this.#path }];
    const changed = (this.#planned?.changes ?? []).flatMap(({ path, proposed, original }): PathUse[] => {
      if (proposed === null) return [{ kind: 'delete', path }];
      return [...(original === null ? [] : [{ kind: 'read', path } as const]), { kind: 'write', path }];
    });
    const uses = new Map([...asked, ...changed].map((use) => [`${use.kind} ${use.path}`, use]));
    return [...uses.values()];
  }

  protected override async run(signal: AbortSignal, update?: unknown, context?: CallContext): Promise<ToolResult> {
    this.#signal = signal;
    if (!areAgreed(this.#starts)) return onlyStart(this.config, this.params, signal);
    return super.run(signal, update, context);
  }

  protected async propose(_context: CallContext | undefined): Promise<PlannedEdit> {
    const plan = await this.#plan(this.#signal);
    const stranger = this.#stated === undefined ? undefined : plan.changes.find(({ path }) => !this.#stated?.has(path));
    if (stranger === undefined) return plan;
    const message = `The change reaches other files than when it was judged: ${stranger.path}. Try the call again.`;
    throw new ToolError(ToolErrorType.FILE_CHANGED, message);
  }

  /** Where the file really is: servers know it by that name. */
  get #file(): string | undefined {
    return this.#path === undefined ? undefined : this.config.getWorkspaceGate().resolve(this.#path).path;
  }

  /** What was planned, as long as all of its files are as they were then. */
  async #plan(signal: AbortSignal): Promise<PlannedEdit> {
    if (this.#planned !== undefined && (await this.#isCurrent(this.#planned))) return this.#planned;
    this.#planned = await this.#askServer(signal);
    return this.#planned;
  }

  async #isCurrent({ changes }: PlannedEdit): Promise<boolean> {
    for (const { path, hash } of changes) {
      const now = await this.#read(path).catch(() => undefined);
      if ((now?.hash ?? contentHash(null)) !== hash) return false;
    }
    return true;
  }

  async #read(path: string): Promise<{ readonly text: string; readonly hash: string } | null> {
    return readTextIfExists(this.config.getFileSystemService(), path, this.judgedPath(path));
  }

  async #askServer(signal: AbortSignal): Promise<PlannedEdit> {
    const { queryContext } = await import('./lsp-context.js');
    const context = queryContext(this.config, this.params, signal);
    const file = this.#file;
    const [path] = await filesToAsk(this.config, this.params, signal);
    if (path === undefined) throw new ToolError('lsp_no_server', 'Give filePath: no file chooses a language server.');
    return context.servers.use(path, signal, async (server) => {
      if (file === undefined) await context.servers.open(server, path);
      return this.#planWith(server, context);
    });
  }

  async #planWith(server: LanguageServer, context: QueryContext): Promise<PlannedEdit> {
    const { planWorkspaceEdit } = await import('../../lsp/operations.js');
    const { edits, oldName, what } = await this.#edits(server, context);
    const gate = this.config.getWorkspaceGate();
    const hashes = new Map<string, string>();
    const files = await planWorkspaceEdit(edits, {
      read: async (path) => {
        const refusal = gate.check(path);
        if (refusal !== null) throw new ToolError(refusal.code, `The edit is refused: ${refusal.message}`);
        const file = await this.#read(path);
        hashes.set(path, file?.hash ?? contentHash(null));
        const told = server.documents.get(path)?.text;
        if (file !== null && told !== undefined && told !== file.text) throw stale(path);
        return file?.text ?? null;
      },
      versionOf: (path) => server.documents.get(path)?.version,
      ...(oldName !== undefined && {
        seeReplaced: (replaced: string, path: string) => {
          if (replaced !== '' && !replaced.includes(oldName)) throw stale(path);
        },
      }),
    });
    const changes = files.map(({ path, before, after, movedFrom }): FileChange => {
      const hash = hashes.get(path) ?? contentHash(null);
      return { path, original: before, proposed: after, hash, ...(movedFrom !== undefined && { movedFrom }) };
    });
    return { changes, server: server.spec.name, what };
  }

  async #edits(
    server: LanguageServer,
    context: QueryContext,
  ): Promise<Pick<RenameEdit, 'edits'> & { readonly oldName?: string; readonly what: string }> {
    const lsp = await import('../../lsp/operations.js');
    const { operation, newName = '', apply = '' } = this.params;
    if (operation === 'rename') {
      const renamed = await lsp.renameSymbol(server, queryOf(this.params, this.#file), newName, context);
      return { ...renamed, what: `Renamed ${renamed.oldName} to ${newName}` };
    }
    const path = this.#file ?? '';
    if (operation === 'organizeImports')
      return { edits: await lsp.organizeImports(server, path, context), what: 'Organized the imports' };
    const actions = await lsp.offeredActions(server, { ...this.params, path }, context);
    const chosen = lsp.chosenAction(actions, apply);
    return { edits: await lsp.editsOfAction(server, chosen, context.signal), what: `Applied "${chosen.title}"` };
  }

  protected report({ changes, server, what }: PlannedEdit, done: readonly ChangedFile[], diff?: FileDiff): ToolResult {
    const folder = this.config.getTargetDir();
    const lines = changes.map(({ path, original, proposed, movedFrom }, index) => {
      const file = done[index];
      const how =
        proposed === null ? 'deleted' : movedFrom !== undefined ? 'moved here' : original === null ? 'created' : '';
      const amount = how === '' ? changedLines(original ?? '', proposed ?? '') : how;
      return `${displayPath(path, folder)} (${amount})${file === undefined ? '' : linksNote(file)}`;
    });
    const text =
      changes.length === 0
        ? `${server}: nothing to change.`
        : [`${what} in ${count(changes.length, 'file')} (${server}):`, ...lines].join('\n');
    return {
      llmContent: text,
      ...(diff === undefined ? {} : { returnDisplay: diff }),
      data: { operation: this.params.operation, files: changes.map(({ path }) => path) },
    };
  }
}

const NOUNS: Readonly<Partial<Record<LspToolParams['operation'], string>>> = {
  rename: 'Rename',
  codeActions: 'Code Action',
  organizeImports: 'Imports',
};

function stale(path: string): ToolError {
  return new ToolError(
    ToolErrorType.FILE_CHANGED,
    `The server's edit is for another text of ${path} than it has now. Try the call again.`,
  );
}

/** Lines that differ at the same place; where their number changes, by how many. */
function changedLines(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length !== now.length) {
    const more = now.length - old.length;
    return more > 0 ? `${count(more, 'line')} more` : `${count(-more, 'line')} fewer`;
  }
  return count(now.filter((line, index) => line !== old[index]).length, 'line');
}
