import type { Diagnostic } from 'vscode-languageserver-protocol';
import { count } from '../util/count.js';
import { Failure } from '../util/failure.js';
import { checkFile } from './check-file.js';
import { describePlaces, placesText, type DescribedPlaces } from './describe-places.js';
import type { LanguageServer } from './language-server.js';
import { languageIdOf } from './server-spec.js';
import { capped, diagnosticLine, diagnosticLines, isTold } from './diagnostic-lines.js';
import { nameFrom } from './find-target.js';
import { openFile, refuseUnsupported, type Answer } from './queries.js';
import type { QueryContext } from './query-context.js';
import { foundSymbolsOf, kindWord, shortName } from './shapes.js';

const CHECK_MS = 20_000;
/** For all files together. */
const WORKSPACE_CHECK_MS = 90_000;
const MOST_CHECKED = 300;
/** Servers that a question without a file may go to. */
const MOST_SERVERS = 3;

/** One file of each language that a question about the whole workspace goes to. */
export async function representatives(context: QueryContext): Promise<readonly string[]> {
  const { servers } = context;
  const found = new Map<string, string>();
  for (const server of servers.running()) {
    const [open] = server.documents.paths();
    const path = open ?? (await context.listFiles(Object.keys(server.spec.files), 1))[0];
    if (path !== undefined) found.set(server.spec.language, path);
  }
  if (found.size > 0) return [...found.values()].slice(0, MOST_SERVERS);
  for (const path of await context.listFiles(servers.fileNames(), 2_000)) {
    const language = servers.languageOf(path);
    if (language !== undefined && !found.has(language) && !DATA.has(language)) found.set(language, path);
    if (found.size === MOST_SERVERS) break;
  }
  return [...found.values()];
}

/** Servers for them know no symbols of a workspace. */
const DATA: ReadonlySet<string> = new Set(['json', 'yaml', 'html', 'css']);

/** Symbols by a part of their name. */
export async function findSymbols(
  server: LanguageServer,
  { query, path }: { readonly query: string; readonly path: string },
  context: QueryContext,
): Promise<Answer> {
  refuseUnsupported(server, 'workspace/symbol', 'workspaceSymbol');
  // Some servers know of no project before a file of it is open.
  await openFile(server, path, context);
  const found = foundSymbolsOf(await server.request('workspace/symbol', { query }, context.signal));
  const mentions = await Promise.all(
    found.map(async (one) => {
      const text = context.isHidden(one.path) || !context.isInside(one.path) ? undefined : await context.text(one.path);
      const position = text === undefined ? one.range.start : nameFrom(text, one.range.start, shortName(one.name));
      const container = one.container === '' || one.container.length > 60 ? '' : ` in ${one.container}`;
      return { path: one.path, position, note: `${kindWord(one.kind)} ${one.name}${container}` };
    }),
  );
  const described = await describePlaces(server, mentions, context);
  return symbolsAnswer(server, query, described);
}

function symbolsAnswer(server: LanguageServer, query: string, described: DescribedPlaces): Answer {
  const { total, hidden, shown } = described;
  const summary = total === 0 ? 'No symbols' : count(total, 'symbol');
  const source = `(Source: ${server.spec.name}.)`;
  const text = total === 0 && hidden === 0 ? `No symbol matches ${query}.` : `${summary}:\n${placesText(described)}`;
  return { text: `${text}\n${source}`, summary, places: shown, total };
}

/** What is wrong in one file. */
export async function checkOne(server: LanguageServer, path: string, context: QueryContext): Promise<Answer> {
  await openFile(server, path, context);
  const checked = await checkFile(server, path, { signal: context.signal, maxMs: checkMs(server) });
  const name = context.shown(path);
  if (!checked.checked)
    throw new Failure('lsp_could_not_check', `Could not check ${name} with ${server.spec.name}: ${checked.reason}.`);
  const lines = diagnosticLines(name, checked.items);
  const summary = lines.length === 0 ? 'No diagnostics' : count(lines.length, 'diagnostic');
  const source = `(Source: ${server.spec.name}.)`;
  const text = lines.length === 0 ? `${name}: checked, no errors or warnings.` : capped(lines, context.limit);
  return { text: `${text}\n${source}`, summary, total: lines.length };
}

/** What is wrong in all source files of the server's language; those that could not be looked at are told. */
export async function checkAll(server: LanguageServer, path: string, context: QueryContext): Promise<Answer> {
  const until = performance.now() + WORKSPACE_CHECK_MS;
  await openFile(server, path, context);
  const names = Object.keys(server.spec.files);
  const files = (await context.listFiles(names, MOST_CHECKED + 1)).filter(
    (file) => languageIdOf(server.spec, file) !== undefined && !context.isHidden(file),
  );
  const findings: { readonly file: string; readonly item: Diagnostic }[] = [];
  const failed: string[] = [];
  let checkedFiles = 0;
  let reason = '';
  for (const file of files.slice(0, MOST_CHECKED)) {
    const maxMs = Math.min(checkMs(server), until - performance.now());
    const isOpen = maxMs > 0 && (await context.servers.open(server, file));
    const checked = isOpen
      ? await checkFile(server, file, { signal: context.signal, maxMs })
      : { checked: false as const, reason: maxMs > 0 ? 'it is no readable text' : 'there was no time left' };
    if (checked.checked) {
      checkedFiles += 1;
      findings.push(...checked.items.filter(isTold).map((item) => ({ file, item })));
    } else {
      failed.push(context.shown(file));
      reason = checked.reason;
    }
  }
  if (checkedFiles === 0)
    throw new Failure(
      'lsp_could_not_check',
      `Could not check any file with ${server.spec.name}: ${reason || 'there is none'}.`,
    );
  findings.sort((a, b) => (a.item.severity ?? 1) - (b.item.severity ?? 1));
  const lines = findings.map(({ file, item }) => diagnosticLine(context.shown(file), item));
  const rest = [
    ...(failed.length === 0
      ? []
      : [
          `Could not check ${count(failed.length, 'file')} (${reason}): ${failed.slice(0, 5).join(', ')}${failed.length > 5 ? ', …' : ''}`,
        ]),
    ...(files.length > MOST_CHECKED ? [`Only the ${MOST_CHECKED} newest files were checked.`] : []),
    `(Source: ${server.spec.name}.)`,
  ];
  const summary = `${count(lines.length, 'diagnostic')} in ${count(checkedFiles, 'checked file')}`;
  return {
    text: [`${summary}.`, ...(lines.length === 0 ? [] : [capped(lines, context.limit)]), ...rest].join('\n'),
    summary,
  };
}

/** What was waited for already, and in vain, is not waited for again. */
function checkMs({ load }: LanguageServer): number {
  return load.isLoading ? 1 : CHECK_MS;
}
