import type { CallHierarchyItem } from 'vscode-languageserver-protocol';
import { Failure } from '../util/failure.js';
import { describePlaces, placesText, type DescribedPlace, type Mention } from './describe-places.js';
import { targetInFile, targetInWorkspace, type Pointer, type Target } from './find-target.js';
import type { LanguageServer } from './language-server.js';
import { uriOf } from './places.js';
import type { QueryContext } from './query-context.js';
import { callTiesOf, hoverText, kindWord, placesOf, shortName, type SymbolNode } from './shapes.js';

export interface Query extends Pointer {
  readonly operation: string;
  /** Absolute. */
  readonly path?: string | undefined;
  readonly includeDeclaration?: boolean | undefined;
}

export interface Answer {
  /** For the model. */
  readonly text: string;
  /** One line for people. */
  readonly summary: string;
  readonly places?: readonly DescribedPlace[];
  readonly total?: number;
}

const METHODS: Readonly<Record<string, string>> = {
  goToDefinition: 'textDocument/definition',
  goToTypeDefinition: 'textDocument/typeDefinition',
  goToImplementation: 'textDocument/implementation',
  findReferences: 'textDocument/references',
  hover: 'textDocument/hover',
  prepareCallHierarchy: 'textDocument/prepareCallHierarchy',
  incomingCalls: 'textDocument/prepareCallHierarchy',
  outgoingCalls: 'textDocument/prepareCallHierarchy',
};

const NOUNS: Readonly<Record<string, string>> = {
  goToDefinition: 'definition',
  goToTypeDefinition: 'type definition',
  goToImplementation: 'implementation',
  findReferences: 'reference',
  prepareCallHierarchy: 'callable symbol',
  incomingCalls: 'incoming call',
  outgoingCalls: 'outgoing call',
};

/** @throws Failure `lsp_unsupported`: the server does not offer it, which is no empty answer */
export function refuseUnsupported(server: LanguageServer, method: string, operation: string): void {
  const lack = server.lacks(method);
  if (lack !== undefined)
    throw new Failure('lsp_unsupported', `${operation} is not supported by this server: ${lack}.`);
}

/** Where a query points, in a file that the server has before it. */
export async function targetOf(server: LanguageServer, query: Query, context: QueryContext): Promise<Target> {
  const { path, symbol } = query;
  if (path !== undefined) {
    await openFile(server, path, context);
    return targetInFile(server, path, query, context);
  }
  if (symbol === undefined) throw new Failure('invalid_tool_params', 'Give filePath, or symbol.');
  const target = await targetInWorkspace(server, symbol, context);
  await openFile(server, target.path, context);
  return target;
}

/** @throws Failure `read_content_failure` */
export async function openFile(server: LanguageServer, path: string, context: QueryContext): Promise<void> {
  if (!(await context.servers.open(server, path)))
    throw new Failure('read_content_failure', `Not a text file that can be read: ${context.shown(path)}`);
  await server.load.settled(server.limits.load, context.signal);
}

/** Operations about one symbol. @throws Failure `lsp_*` */
export async function askAboutSymbol(server: LanguageServer, query: Query, context: QueryContext): Promise<Answer> {
  const { operation } = query;
  const method = METHODS[operation];
  if (method === undefined) throw new Failure('invalid_tool_params', `Unknown operation: ${operation}`);
  refuseUnsupported(server, method, operation);
  const target = await targetOf(server, query, context);
  const at = { textDocument: { uri: uriOf(target.path) }, position: target.position };
  if (operation === 'hover') return hover(server, at, target, context);
  if (method === METHODS['incomingCalls']) return calls(server, operation, { at, target }, context);
  const extra = method.endsWith('references')
    ? { context: { includeDeclaration: query.includeDeclaration !== false } }
    : {};
  const places = placesOf(await server.request(method, { ...at, ...extra }, context.signal));
  return placesAnswer(server, operation, { mentions: places.map(toMention), target }, context);
}

async function hover(server: LanguageServer, at: object, target: Target, context: QueryContext): Promise<Answer> {
  const text = hoverText(await server.request('textDocument/hover', at, context.signal));
  const said = text === '' ? 'The server says nothing about it.' : text;
  return { text: noted(server, said, target), summary: text === '' ? 'Nothing known' : 'Hover' };
}

async function calls(
  server: LanguageServer,
  operation: string,
  { at, target }: { readonly at: object; readonly target: Target },
  context: QueryContext,
): Promise<Answer> {
  const items: unknown = await server.request('textDocument/prepareCallHierarchy', at, context.signal);
  const list = Array.isArray(items) ? (items as CallHierarchyItem[]) : [];
  if (list.length === 0)
    return { text: noted(server, 'No function or method stands there.', target), summary: 'No callable symbol' };
  if (operation === 'prepareCallHierarchy') {
    const mentions = placesOf(list.map(({ uri, selectionRange: range }) => ({ uri, range }))).map((place, index) => {
      const item = list[index];
      return { ...toMention(place), note: item === undefined ? '' : `${kindWord(item.kind)} ${shortName(item.name)}` };
    });
    return placesAnswer(server, operation, { mentions, target }, context);
  }
  const mentions: Mention[] = [];
  for (const item of list) {
    const answer = await server.request(`callHierarchy/${operation}`, { item }, context.signal);
    const from = placesOf({ uri: item.uri, range: item.selectionRange })[0]?.path ?? target.path;
    mentions.push(...callTiesOf(answer).flatMap((tie) => tieMentions(tie, operation, context.shown(from))));
  }
  return placesAnswer(server, operation, { mentions, target }, context);
}

/** Of a caller the places that it calls from; of what is called its declaration, with the lines of the calls. */
function tieMentions(tie: ReturnType<typeof callTiesOf>[number], operation: string, from: string): Mention[] {
  const isModule = tie.kind <= 2;
  if (operation === 'outgoingCalls') {
    const lines = [...new Set(tie.calls.map(({ start }) => start.line + 1))].sort((a, b) => a - b);
    const name = `${kindWord(tie.kind)} ${shortName(tie.name)}`;
    const note = lines.length === 0 ? name : `${name}, called at ${from}:${lines.join(', ')}`;
    return [{ path: tie.path, position: tie.range.start, note }];
  }
  const note = isModule ? 'top level' : `${kindWord(tie.kind)} ${shortName(tie.name)}`;
  const starts = tie.calls.length === 0 ? [tie.range.start] : tie.calls.map(({ start }) => start);
  return starts.map((position) => ({ path: tie.path, position, note }));
}

async function placesAnswer(
  server: LanguageServer,
  operation: string,
  { mentions, target }: { readonly mentions: readonly Mention[]; readonly target: Target },
  context: QueryContext,
): Promise<Answer> {
  const described = await describePlaces(server, mentions, context);
  const noun = NOUNS[operation] ?? 'result';
  const { total, files, hidden } = described;
  const amount = `${total} ${total === 1 ? noun : `${noun}s`}`;
  const summary = total === 0 ? `No ${noun}s` : files > 1 ? `${amount} in ${files} files` : amount;
  const list = placesText(described);
  const text = total === 0 && hidden === 0 ? `No ${noun} found.` : `${summary}:\n${list}`;
  return { text: noted(server, text, target), summary, places: described.shown, total };
}

/** With what was guessed, what is not complete, and whose answer it is. */
export function noted(server: LanguageServer, text: string, { note }: { readonly note: string }): string {
  const loading = server.load.isLoading ? 'The server is still loading the project: the answer may be incomplete.' : '';
  const said = [note, loading].filter((one) => one !== '').map((one) => `(${one})`);
  return [...said, text, `(Source: ${server.spec.name}.)`].join('\n');
}

function toMention({ path, range }: ReturnType<typeof placesOf>[number]): Mention {
  return { path, position: range.start };
}

/** The outline of one file. */
export async function outline(server: LanguageServer, path: string, context: QueryContext): Promise<Answer> {
  refuseUnsupported(server, 'textDocument/documentSymbol', 'documentSymbol');
  await openFile(server, path, context);
  const symbols = await context.symbols(server, path);
  const lines = outlineLines(symbols, 0);
  const more = lines.length - context.limit;
  const rest = more > 0 ? [`… ${more} more (give a higher limit)`] : [];
  const name = context.shown(path);
  const text =
    lines.length === 0
      ? `${name}: no symbols.`
      : [`${name}: ${lines.length} symbols (line:col kind name)`, ...lines.slice(0, context.limit), ...rest].join('\n');
  return { text: noted(server, text, { note: '' }), summary: `${lines.length} symbols`, total: lines.length };
}

function outlineLines(symbols: readonly SymbolNode[], depth: number): readonly string[] {
  return symbols.flatMap(({ name, kind, detail, selection: { start }, range, children }) => {
    const extra = detail === '' || detail.length > 120 ? '' : ` ${detail.replace(/\s+/g, ' ')}`;
    const to = range.end.line > start.line ? `-${range.end.line + 1}` : '';
    const line = `${'  '.repeat(depth)}${start.line + 1}${to}:${start.character + 1} ${kindWord(kind)} ${name}${extra}`;
    return [line, ...outlineLines(children, depth + 1)];
  });
}
