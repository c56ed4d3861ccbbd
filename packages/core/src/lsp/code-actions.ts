import type { CodeAction, Command, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { Failure } from '../util/failure.js';
import { checkFile } from './check-file.js';
import { targetInFile, type Pointer } from './find-target.js';
import type { LanguageServer } from './language-server.js';
import { uriOf } from './places.js';
import { noted, openFile, refuseUnsupported, type Answer } from './queries.js';
import type { QueryContext } from './query-context.js';

const CHECK_MS = 10_000;

/** Commands that do nothing but send back an edit. Any other could run a program: `npm install` was seen. */
const EDITING_COMMANDS: ReadonlySet<string> = new Set([
  '_typescript.applyRefactoring',
  'clangd.applyTweak',
  'clangd.applyFix',
  'gopls.apply_fix',
]);

/** An action that can be made here. */
export interface OfferedAction {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred: boolean;
  /** Why it cannot be applied; undefined where it can. */
  readonly obstacle: string | undefined;
  readonly action: CodeAction;
}

export interface ActionPlace extends Pointer {
  readonly path: string;
}

/** What the server offers for a line, or for a place in it; in its own order. */
export async function offeredActions(
  server: LanguageServer,
  place: ActionPlace,
  context: QueryContext,
): Promise<readonly OfferedAction[]> {
  refuseUnsupported(server, 'textDocument/codeAction', 'codeActions');
  const { path, line } = place;
  await openFile(server, path, context);
  const text = await context.text(path);
  if (line === undefined && place.symbol === undefined)
    throw new Failure('invalid_tool_params', 'codeActions needs line or symbol.');
  const isWholeLine = place.symbol === undefined && place.character === undefined && line !== undefined;
  if (isWholeLine && line > (text?.lineCount ?? 0))
    throw new Failure('invalid_tool_params', `${context.shown(path)} has ${text?.lineCount ?? 0} lines, not ${line}.`);
  const at = isWholeLine
    ? { line: line - 1, character: 0 }
    : (await targetInFile(server, path, place, context)).position;
  const end = isWholeLine ? { line: at.line, character: text?.line(at.line).length ?? 0 } : at;
  const checked = await checkFile(server, path, { signal: context.signal, maxMs: CHECK_MS });
  const diagnostics = (checked.checked ? checked.items : []).filter(
    ({ range }) => range.start.line <= end.line && range.end.line >= at.line,
  );
  return askActions(server, { path, range: { start: at, end }, context: { diagnostics, triggerKind: 1 } }, context);
}

async function askActions(
  server: LanguageServer,
  { path, ...params }: { readonly path: string; readonly range: object; readonly context: object },
  context: QueryContext,
): Promise<readonly OfferedAction[]> {
  const asked = { textDocument: { uri: uriOf(path) }, ...params };
  const answer = await server.request('textDocument/codeAction', asked, context.signal);
  if (!Array.isArray(answer)) return [];
  return (answer as (CodeAction | Command)[])
    .map((one): CodeAction =>
      typeof one.command === 'string' ? { title: one.title, command: one as Command } : (one as CodeAction),
    )
    .filter((one) => typeof one.title === 'string' && one.disabled === undefined)
    .map((action) => ({
      title: action.title,
      kind: action.kind ?? '',
      isPreferred: action.isPreferred === true,
      obstacle: obstacleOf(server, action),
      action,
    }));
}

function obstacleOf(server: LanguageServer, { edit, command }: CodeAction): string | undefined {
  if (edit !== undefined || command === undefined) return undefined;
  const { command: name, arguments: args = [] } = command;
  if (!EDITING_COMMANDS.has(name)) return `it runs the server's command ${name}, of which nothing is known`;
  if (!server.registrations.commands().has(name)) return 'the server does not carry it out itself';
  // A command within: what is run then is not said.
  return JSON.stringify(args).includes('"commands"') ? 'it runs another program' : undefined;
}

export function actionsAnswer(server: LanguageServer, actions: readonly OfferedAction[], limit: number): Answer {
  const lines = actions.slice(0, limit).map(({ title, kind, isPreferred, obstacle }, index) => {
    const facts = [
      kind,
      isPreferred ? 'preferred' : '',
      obstacle === undefined ? '' : `cannot be applied: ${obstacle}`,
    ];
    const said = facts.filter((fact) => fact !== '').join(', ');
    return `${index + 1}. ${title}${said === '' ? '' : ` [${said}]`}`;
  });
  if (actions.length > limit) lines.push(`… ${actions.length - limit} more`);
  const summary = actions.length === 0 ? 'No code actions' : `${actions.length} code actions`;
  const how = 'Apply one: the same call with apply: its number or title.';
  const text = actions.length === 0 ? 'No code action is offered there.' : [...lines, how].join('\n');
  return { text: noted(server, text, { note: '' }), summary, total: actions.length };
}

/** By number from 1, or by title. @throws Failure `lsp_no_such_action` */
export function chosenAction(actions: readonly OfferedAction[], wanted: string): OfferedAction {
  const byTitle = actions.find(({ title }) => title === wanted);
  const folded = wanted.trim().toLowerCase();
  const alike = actions.filter(({ title }) => title.toLowerCase().includes(folded));
  const byNumber = /^\d+$/.test(folded) ? actions[Number(folded) - 1] : undefined;
  const found = byTitle ?? byNumber ?? (alike.length === 1 ? alike[0] : undefined);
  if (found !== undefined) return found;
  const titles = actions.map(({ title }, index) => `${index + 1}. ${title}`).join('\n');
  throw new Failure(
    'lsp_no_such_action',
    actions.length === 0 ? 'No code action is offered there.' : `No code action ${wanted}. There are:\n${titles}`,
  );
}

/** The edits of an action. @throws Failure `lsp_action_refused` */
export async function editsOfAction(
  server: LanguageServer,
  { title, obstacle, action }: OfferedAction,
  signal: AbortSignal,
): Promise<readonly WorkspaceEdit[]> {
  if (obstacle !== undefined) throw new Failure('lsp_action_refused', `"${title}" is not applied: ${obstacle}.`);
  if (action.edit !== undefined) return [action.edit];
  const resolved = await resolve(server, action, signal);
  if (resolved.edit !== undefined) return [resolved.edit];
  const late = obstacleOf(server, resolved);
  if (late !== undefined) throw new Failure('lsp_action_refused', `"${title}" is not applied: ${late}.`);
  const { command } = resolved;
  if (command === undefined) return [];
  return server.capture(command.command, command.arguments ?? [], signal);
}

async function resolve(server: LanguageServer, action: CodeAction, signal: AbortSignal): Promise<CodeAction> {
  const options = server.registrations.optionsOf('textDocument/codeAction');
  const canResolve =
    typeof options === 'object' && options !== null && Reflect.get(options, 'resolveProvider') === true;
  if (!canResolve) return action;
  const answer = await server.request('codeAction/resolve', action, signal);
  return typeof answer === 'object' && answer !== null ? (answer as CodeAction) : action;
}

/** The edits that put a file's imports in order; none where they are. @throws Failure `lsp_unsupported` */
export async function organizeImports(
  server: LanguageServer,
  path: string,
  context: QueryContext,
): Promise<readonly WorkspaceEdit[]> {
  refuseUnsupported(server, 'textDocument/codeAction', 'organizeImports');
  const kind = 'source.organizeImports';
  const options = server.registrations.optionsOf('textDocument/codeAction');
  const kinds: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'codeActionKinds') : undefined;
  const offers =
    !Array.isArray(kinds) || kinds.some((one) => typeof one === 'string' && (one.startsWith(kind) || one === 'source'));
  if (!offers) throw new Failure('lsp_unsupported', `organizeImports is not supported by ${server.spec.name}.`);
  await openFile(server, path, context);
  const text = await context.text(path);
  const actions = await askActions(
    server,
    { path, range: text?.range ?? {}, context: { diagnostics: [], only: [kind], triggerKind: 1 } },
    context,
  );
  const [first] = actions.filter((one) => one.kind.startsWith(kind));
  return first === undefined ? [] : editsOfAction(server, first, context.signal);
}
