import path from 'node:path';
import {
  aliasText,
  count,
  describeServer,
  nearestName,
  readForeignServers,
  redactServer,
  safeText,
  shellWord,
  type ForeignContext,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { hasPerson, type Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeLine } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { importPlaces, IMPORT_SOURCES, readPlace, type ImportPlace } from './import-places.js';
import { planImport, type FoundServer, type ImportRow } from './import-plan.js';
import { holdsLiteral, LITERAL } from './mcp-add.js';
import { change, fileOf, tellChange, type Scope } from './mcp-change.js';
import { viewServers, writeLines, type ServerView } from './mcp-servers.js';

interface ImportWords {
  /** A tool or a file; undefined: all tools. */
  readonly from?: string;
  /** One of the servers found there. */
  readonly name?: string;
}

interface Problem {
  readonly file: string;
  readonly problem: string;
}

/**
 * `tenon mcp import [SOURCE|FILE [NAME]]`: lists the servers that other tools have, and adds those that the person picks. No
 * server is started, and no file of another tool is changed.
 */
export async function importServers(
  surroundings: Surroundings,
  options: Options,
  words: ImportWords,
): Promise<ExitCode> {
  if ((surroundings.env['TENON'] ?? '') !== '')
    throw new ExitFailure(ExitCode.USAGE, 'Only a person takes over servers: run this in a terminal of your own.');
  const view = await viewServers(surroundings, options);
  const places = await placesOf(surroundings, view.root, words.from);
  const { found, problems, notes } = await findServers(surroundings, places, view.root);
  // Of one that is named, its file is what the person asked for.
  if (words.from !== undefined && found.length === 0 && problems.length > 0)
    throw new ExitFailure(ExitCode.SETTINGS, problems.map(({ file, problem }) => `${file}: ${problem}`).join('\n'));
  const rows = chosenRows(planImport(found, planOptions(view, options)), words, view, options.mcp?.as);
  if (options.json) return importAsJson(surroundings, options, { view, rows, problems });
  await warn(
    surroundings.err,
    problems.map(({ file, problem }) => `${file}: ${problem}`),
  );
  await writeLines(surroundings, [...listing(rows, surroundings), ...notes]);
  if (rows.length === 0) await writeLines(surroundings, nothingFound(places, words.from));
  const picked = await pick(surroundings, options, { rows, words, view });
  if (picked === 'interrupted') return ExitCode.INTERRUPTED;
  await add(surroundings, view, picked);
  return ExitCode.OK;
}

function planOptions({ servers, root }: ServerView, { mcp }: Options) {
  return { servers, root, scope: mcp?.scope };
}

/** @throws ExitFailure `USAGE` for a word that is neither a tool nor a file */
async function placesOf(
  { userHome: home, env, cwd }: Surroundings,
  root: string,
  from: string | undefined,
): Promise<readonly ImportPlace[]> {
  const all = importPlaces({ platform: process.platform, home, root, env });
  if (from === undefined) return all;
  const known = Object.keys(IMPORT_SOURCES);
  if (known.includes(from)) return all.filter(({ source }) => source === from);
  const file = path.resolve(cwd ?? root, from);
  const named = all.find((place) => place.file === file);
  if (named !== undefined) return [named];
  if ((await readPlace(file)) === undefined) {
    const meant = nearestName(from, known);
    const hint = meant === undefined ? `The tools are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
    throw new ExitFailure(ExitCode.USAGE, `"${from}" is neither a tool that is known nor a file. ${hint}`);
  }
  const isInside = file.startsWith(root + path.sep);
  return [{ source: 'file', title: path.basename(file), file, level: isInside ? 'project' : 'user' }];
}

async function findServers(
  { userHome: home, env }: Surroundings,
  places: readonly ImportPlace[],
  root: string,
): Promise<{ found: FoundServer[]; problems: Problem[]; notes: string[] }> {
  const [found, problems, notes]: [FoundServer[], Problem[], string[]] = [[], [], []];
  for (const place of places) {
    const read = await readPlace(place.file);
    if (read === undefined) continue;
    if ('problem' in read) {
      problems.push({ file: place.file, problem: read.problem });
      continue;
    }
    const context: ForeignContext = { source: place.source, root, home, variables: env, platform: process.platform };
    const { servers, ofOtherFolders, problem } = await readForeignServers(read.text, context);
    if (problem !== undefined) problems.push({ file: place.file, problem });
    found.push(...servers.map((server) => ({ place, server })));
    if (ofOtherFolders > 0)
      notes.push(`${place.file} has ${count(ofOtherFolders, 'server')} for other folders: run this there.`);
  }
  return { found, problems, notes };
}

/** Those that are meant, the one that `--as` renames with its new name. @throws ExitFailure `USAGE` */
function chosenRows(
  all: readonly ImportRow[],
  { name }: ImportWords,
  { servers }: ServerView,
  as: string | undefined,
): readonly ImportRow[] {
  const rows = name === undefined ? all : all.filter(({ server }) => server.alias === name);
  if (rows.length === 0 && name !== undefined) {
    const names = [...new Set(all.map(({ server }) => aliasText(server.alias)))].join(', ');
    throw usage(`No server "${name}" was found there.${names === '' ? '' : ` Found: ${names}.`}`);
  }
  if (as === undefined) return rows;
  const open = rows.filter(({ state }) => state === 'new' || state === 'taken');
  const [only, second] = open;
  if (only === undefined) throw usage(`There is nothing to add as "${as}": \`tenon mcp import\` says why.`);
  if (second !== undefined)
    throw usage('--as goes with one server: tenon mcp import SOURCE NAME --as OTHER. Several were found.');
  const holder = servers.find(({ alias }) => alias === as);
  if (holder !== undefined) throw usage(`There is a server "${as}" in ${holder.place} already. Choose another name.`);
  return rows.map((row) => (row === only ? { ...row, state: 'new' as const, name: as } : row));
}

const STATES: Readonly<Record<ImportRow['state'], string>> = {
  new: 'new',
  there: 'there',
  taken: 'taken',
  refused: 'not',
};

function listing(rows: readonly ImportRow[], surroundings: Pick<Surroundings, 'env'>): string[] {
  const lines: string[] = [];
  let file: string | undefined;
  for (const row of rows) {
    if (row.place.file !== file) lines.push(`${row.place.title} (${row.place.file})`);
    ({ file } = row.place);
    lines.push(...rowLines(row, surroundings));
  }
  return lines;
}

function rowLines(row: ImportRow, { env }: Pick<Surroundings, 'env'>): string[] {
  const { state, server, definition, name, other } = row;
  const head = `  ${STATES[state].padEnd(6)} ${aliasText(server.alias)}`;
  const where = other === undefined ? '' : `${aliasText(other.name)} of ${other.place}`;
  if (state === 'refused') return [`${head}  cannot be taken: ${server.refusal ?? ''}`];
  if (state === 'there') return [`${head}  is the same as ${where}`];
  const off = definition['disabled'] === true ? ' (switched off)' : '';
  const asName = name === server.alias || state === 'taken' ? '' : ` as ${aliasText(name)}`;
  return [
    `${head}${asName}  ${describeServer(definition)}${off}`,
    ...(state === 'taken'
      ? [`         another one has that name, ${where}: \`${command(row, ['--as', name])}\` adds it beside that`]
      : []),
    ...server.needs.map(({ name: variable, hint }) => {
      const is = env[variable] === undefined ? 'not set' : 'set';
      return `         needs ${variable} (${is})${hint === undefined ? '' : `: ${hint}`}`;
    }),
    ...server.notes.map((note) => `         ${note}`),
  ];
}

/** What adds the one server of a row. */
function command({ place, server }: ImportRow, more: readonly string[]): string {
  const from = place.source === 'file' ? place.file : place.source;
  return commandLine([from, server.alias, ...more]);
}

/** As one types it in a shell. */
function commandLine(words: readonly string[]): string {
  return ['tenon mcp import', ...words.map(shellWord)].join(' ');
}

function nothingFound(places: readonly ImportPlace[], from: string | undefined): string[] {
  if (from === undefined)
    return [`No servers of other tools were found. Looked for: ${Object.values(IMPORT_SOURCES).join(', ')}.`];
  return ['No servers were found. Looked in:', ...places.map(({ file }) => `  ${file}`)];
}

interface Picking {
  readonly rows: readonly ImportRow[];
  readonly words: ImportWords;
  readonly view: ServerView;
}

/** What is to be added; nobody who could be asked and no `--yes`: nothing, and how it would be. */
async function pick(
  surroundings: Surroundings,
  options: Options,
  { rows, words, view }: Picking,
): Promise<readonly ImportRow[] | 'interrupted'> {
  const fresh = rows.filter(({ state }) => state === 'new');
  if (options.mcp?.yes === true) return fresh;
  const open = rows.filter(({ state }) => state === 'new' || state === 'taken');
  if (open.length === 0) return [];
  if (hasPerson(surroundings)) return ask(surroundings, view, open);
  if (fresh.length > 0) {
    const given = [words.from, words.name].filter((word) => word !== undefined);
    const line = commandLine([...given, ...asGiven(options), '--yes']);
    await writeLines(surroundings, [`Nothing was added. \`${line}\` adds ${what(fresh.length)}.`]);
  }
  return [];
}

function asGiven({ mcp }: Options): string[] {
  return [
    ...(mcp?.scope === undefined ? [] : ['--scope', mcp.scope]),
    ...(mcp?.as === undefined ? [] : ['--as', mcp.as]),
  ];
}

function what(amount: number): string {
  return amount === 1 ? 'the one that is new' : `the ${amount} that are new`;
}

async function ask(
  surroundings: Surroundings,
  { root }: ServerView,
  open: readonly ImportRow[],
): Promise<readonly ImportRow[] | 'interrupted'> {
  const { createTerminal } = await import('../ui/terminal.js');
  const { screen, interrupts } = surroundings;
  const terminal = createTerminal(surroundings.stdin(), screen.stream());
  const armed = interrupts.arm();
  try {
    const fresh = open.filter(({ state }) => state === 'new');
    const files = [...new Set(fresh.map(({ scope }) => fileOf(surroundings, root, scope)))].join(' and ');
    if (fresh.length > 1) {
      const question = `Add ${what(fresh.length)} to ${files}? [y] all  [e] one by one  [Enter] none › `;
      const answer = await answerOf(surroundings, () => terminal.ask(safeLine(question), armed.signal), ['y', 'e']);
      if (answer === undefined) return 'interrupted';
      if (answer !== 'e') return answer === 'y' ? fresh : [];
    }
    const picked: ImportRow[] = [];
    for (const row of open) {
      const as = row.name === row.server.alias ? '' : ` as ${aliasText(row.name)}`;
      const file = fileOf(surroundings, root, row.scope);
      const question = `Add ${aliasText(row.server.alias)} of ${row.place.title}${as} to ${file}? [y] yes  [Enter] no › `;
      const answer = await answerOf(surroundings, () => terminal.ask(safeLine(question), armed.signal), ['y']);
      if (answer === undefined) return 'interrupted';
      if (answer === 'y') picked.push(row);
    }
    return picked;
  } finally {
    armed.release();
  }
}

/** One of the letters, or `n`; undefined for Ctrl-C. */
async function answerOf(
  { screen }: Surroundings,
  put: () => Promise<string | undefined>,
  letters: readonly string[],
): Promise<string | undefined> {
  for (;;) {
    const word = (await put())?.trim().toLowerCase();
    if (word === undefined) return undefined;
    if (word === '' || word === 'n' || word === 'no') return 'n';
    const letter = word === 'yes' || word === 'all' ? 'y' : word;
    if (letters.includes(letter)) return letter;
    await screen.output.write(safeText`Please answer ${safeLine(letters.join(', '))}, or Enter alone.\n`);
  }
}

/** Each by itself: what was written stays written when a later one fails. */
async function add(surroundings: Surroundings, view: ServerView, rows: readonly ImportRow[]): Promise<void> {
  for (const scope of new Set(rows.map((row) => row.scope))) {
    const own = rows.filter((row) => row.scope === scope);
    for (const row of own) await addRow(surroundings, view, row);
    const names = own.map(({ name }) => aliasText(name)).join(', ');
    if (scope !== 'user' && own.some(({ definition }) => holdsLiteral(definition)))
      await warn(surroundings.err, [LITERAL]);
    await tellChange(surroundings, { text: `Added ${names} to`, scope, root: view.root });
  }
  const [first] = rows;
  if (first !== undefined) await writeLines(surroundings, [`\`tenon mcp test ${aliasText(first.name)}\` tries it.`]);
}

async function addRow(surroundings: Surroundings, { servers, root }: ServerView, row: ImportRow): Promise<void> {
  const { scope, name, definition } = row;
  const inFile = servers.find(({ origin, key }) => origin === ORIGINS[scope] && key === 'servers');
  await change(surroundings, root, { scope, at: [inFile?.key ?? 'mcpServers', name], value: definition });
}

const ORIGINS: Readonly<Record<Scope, string>> = { user: 'user', project: 'project', 'mcp.json': '.mcp.json' };

interface JsonParts {
  readonly view: ServerView;
  readonly rows: readonly ImportRow[];
  readonly problems: readonly Problem[];
}

async function importAsJson(
  surroundings: Surroundings,
  options: Options,
  { view, rows, problems }: JsonParts,
): Promise<ExitCode> {
  const picked = options.mcp?.yes === true ? rows.filter(({ state }) => state === 'new') : [];
  for (const row of picked) await addRow(surroundings, view, row);
  const { env } = surroundings;
  const servers = rows.map(({ place, server, state, definition, name, scope, other }) => ({
    source: place.source,
    file: place.file,
    name: server.alias,
    state: state === 'refused' ? 'not-taken' : state,
    addAs: state === 'new' || state === 'taken' ? name : null,
    to: state === 'new' || state === 'taken' ? fileOf(surroundings, view.root, scope) : null,
    sameNameOrServer: other === undefined ? null : { name: other.name, place: other.place },
    definition: state === 'refused' ? null : redactServer(definition),
    needs: server.needs.map(({ name: variable }) => ({ name: variable, isSet: env[variable] !== undefined })),
    notes: server.notes,
    reason: server.refusal ?? null,
  }));
  const added = picked.map(({ name, scope }) => ({ name, file: fileOf(surroundings, view.root, scope) }));
  await surroundings.out.writeData(jsonText({ servers, problems, added }));
  return ExitCode.OK;
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
