import { PassThrough } from 'node:stream';
import type { CallHierarchyItem, Position } from 'vscode-languageserver-protocol';
import type { StartPiped } from '../../process/piped-process.js';
import { fromTsserver } from '../check-file.js';
import { loadJsonRpc } from '../load-jsonrpc.js';
import { pathOf } from '../places.js';
import { TsserverClient } from './tsserver-client.js';
import {
  callItem,
  fileEdits,
  foundSymbol,
  locationOf,
  rangeOf,
  renameEdit,
  symbolsOfTree,
  type TsCallItem,
  type TsFileEdit,
  type TsFileSpan,
  type TsFound,
  type TsRenamed,
  type TsSpan,
  type TsTree,
} from './tsserver-shapes.js';

/** Parameters of the protocol's requests, as far as they are used here. */
interface Params {
  readonly textDocument?: { readonly uri: string; readonly text?: string };
  readonly position?: Position;
  readonly contentChanges?: readonly { readonly text: string }[];
  readonly context?: { readonly only?: readonly string[] };
  readonly query?: string;
  readonly newName?: string;
  readonly item?: CallHierarchyItem;
  readonly rootPath?: string;
  readonly command?: string;
  readonly arguments?: readonly unknown[];
}

interface TsCallTie {
  readonly from?: TsCallItem;
  readonly to?: TsCallItem;
  readonly fromSpans: readonly TsSpan[];
}

type Handler = (params: Params) => unknown;

const METHOD_NOT_FOUND = -32601;
const MOST_FOUND = 256;

/** Starts a `tsserver` that looks, from the outside, as a language server does. */
export function throughTsserver(start: StartPiped): StartPiped {
  return async (request) => {
    const child = await start(request);
    const { createMessageConnection, NullLogger, ResponseError, StreamMessageReader, StreamMessageWriter } =
      await loadJsonRpc();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const connection = createMessageConnection(
      new StreamMessageReader(stdin),
      new StreamMessageWriter(stdout),
      NullLogger,
    );
    const client = new TsserverClient(child);
    const handlers = handlersOf(client);
    connection.onRequest(async (method, params) => {
      const handler = handlers.get(method);
      if (handler === undefined) return new ResponseError(METHOD_NOT_FOUND, `tsserver does not offer ${method}`);
      return (await handler(params ?? {})) ?? null;
    });
    connection.onNotification((method, params) => {
      void handlers.get(method)?.(params ?? {});
    });
    connection.listen();
    void child.exited.then(() => stdout.end());
    return {
      pid: child.pid,
      stdin,
      stdout,
      stderr: child.stderr,
      exited: child.exited,
      end: async (graceMs) => child.end(graceMs),
    };
  };
}

function fileOf({ textDocument }: Params): string {
  return pathOf(textDocument?.uri ?? '') ?? '';
}

function placeOf(params: Params): { readonly file: string; readonly line: number; readonly offset: number } {
  const { line, character } = params.position ?? { line: 0, character: 0 };
  return { file: fileOf(params), line: line + 1, offset: character + 1 };
}

function handlersOf(client: TsserverClient): ReadonlyMap<string, Handler> {
  const spans = (command: string): Handler => {
    return async (params) =>
      (listOf(await client.ask(command, placeOf(params))) as readonly TsFileSpan[]).map(locationOf);
  };
  return new Map<string, Handler>([
    ...lifeHandlers(client),
    ['textDocument/definition', spans('definition')],
    ['textDocument/typeDefinition', spans('typeDefinition')],
    ['textDocument/implementation', spans('implementation')],
    [
      'textDocument/references',
      async (params) => {
        const body = (await client.ask('references', placeOf(params))) as { refs?: TsFileSpan[] } | undefined;
        return (body?.refs ?? []).map(locationOf);
      },
    ],
    ['textDocument/hover', async (params) => hoverOf(await client.ask('quickinfo', placeOf(params)))],
    [
      'textDocument/documentSymbol',
      async (params) => {
        const tree = (await client.ask('navtree', { file: fileOf(params) })) as TsTree | undefined;
        return tree === undefined ? [] : symbolsOfTree(tree);
      },
    ],
    [
      'workspace/symbol',
      async ({ query = '' }) => {
        const body = await client.ask('navto', { searchValue: query, maxResultCount: MOST_FOUND });
        return (listOf(body) as readonly TsFound[]).map(foundSymbol);
      },
    ],
    [
      'textDocument/diagnostic',
      async (params) => ({ kind: 'full', items: await diagnosticsOf(client, fileOf(params)) }),
    ],
    ...changeHandlers(client),
    ...callHandlers(client),
  ]);
}

function lifeHandlers(client: TsserverClient): readonly (readonly [string, Handler])[] {
  const root = { path: '' };
  const open = (file: string, fileContent: string | undefined): void =>
    client.tell('open', { file, projectRootPath: root.path, ...(fileContent !== undefined && { fileContent }) });
  return [
    [
      'initialize',
      ({ rootPath = '' }) => {
        root.path = rootPath;
        client.tell('configure', {
          hostInfo: 'tenon',
          preferences: { providePrefixAndSuffixTextForRename: false, allowRenameOfImportPath: false },
        });
        return { capabilities: CAPABILITIES };
      },
    ],
    ['textDocument/didOpen', (params) => open(fileOf(params), params.textDocument?.text)],
    ['textDocument/didChange', (params) => open(fileOf(params), params.contentChanges?.[0]?.text)],
    ['textDocument/didClose', (params) => client.tell('close', { file: fileOf(params) })],
    [
      'workspace/executeCommand',
      ({ command, arguments: [request] = [] }) => {
        // It asks for nothing in return, and what comes after it is answered after it.
        if (command === 'typescript.tsserverRequest' && typeof request === 'string') client.tell(request);
        return null;
      },
    ],
    ['shutdown', () => null],
    ['exit', () => client.tell('exit')],
  ];
}

const CAPABILITIES = {
  textDocumentSync: 1,
  definitionProvider: true,
  typeDefinitionProvider: true,
  implementationProvider: true,
  referencesProvider: true,
  hoverProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  callHierarchyProvider: true,
  renameProvider: true,
  codeActionProvider: { codeActionKinds: ['source.organizeImports'] },
  diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
};

function changeHandlers(client: TsserverClient): readonly (readonly [string, Handler])[] {
  return [
    [
      'textDocument/rename',
      async (params) => {
        const renamed = (await client.ask('rename', placeOf(params))) as TsRenamed | undefined;
        return renamed?.info.canRename === true ? renameEdit(renamed, params.newName ?? '') : null;
      },
    ],
    [
      'textDocument/codeAction',
      async (params) => {
        const kind = 'source.organizeImports';
        if (params.context?.only?.includes(kind) !== true) return [];
        const scope = { type: 'file', args: { file: fileOf(params) } };
        const edits = listOf(await client.ask('organizeImports', { scope })) as readonly TsFileEdit[];
        return [{ title: 'Organize imports', kind, edit: fileEdits(edits) }];
      },
    ],
  ];
}

function callHandlers(client: TsserverClient): readonly (readonly [string, Handler])[] {
  const ties = (command: string): Handler => {
    return async ({ item }) => {
      if (item === undefined) return [];
      const position = item.selectionRange.start;
      const body = await client.ask(command, placeOf({ textDocument: { uri: item.uri }, position }));
      return (listOf(body) as readonly TsCallTie[]).map(({ from, to, fromSpans }) => ({
        ...(from !== undefined && { from: callItem(from) }),
        ...(to !== undefined && { to: callItem(to) }),
        fromRanges: fromSpans.map(rangeOf),
      }));
    };
  };
  return [
    [
      'textDocument/prepareCallHierarchy',
      async (params) => {
        const body = await client.ask('prepareCallHierarchy', placeOf(params));
        return (listOf(Array.isArray(body) ? body : [body]) as readonly TsCallItem[]).map(callItem);
      },
    ],
    ['callHierarchy/incomingCalls', ties('provideCallHierarchyIncomingCalls')],
    ['callHierarchy/outgoingCalls', ties('provideCallHierarchyOutgoingCalls')],
  ];
}

async function diagnosticsOf(client: TsserverClient, file: string): Promise<readonly unknown[]> {
  const lists = [
    await client.ask('syntacticDiagnosticsSync', { file }),
    await client.ask('semanticDiagnosticsSync', { file }),
  ];
  return lists.flatMap((list) => listOf(list).flatMap(fromTsserver));
}

function hoverOf(body: unknown): object | null {
  if (typeof body !== 'object' || body === null) return null;
  const { displayString, documentation } = body as Record<string, unknown>;
  const shown = typeof displayString === 'string' ? `\`\`\`typescript\n${displayString}\n\`\`\`` : '';
  const parts = Array.isArray(documentation) ? documentation : [{ text: documentation }];
  const text = parts.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
  return { contents: { kind: 'markdown', value: [shown, text].filter((one) => one !== '').join('\n\n') } };
}

function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body.filter((one) => one !== undefined && one !== null) : [];
}
