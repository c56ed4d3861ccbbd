import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Effect, SecretEffect } from '../effects/effect.js';
import { fillCommand } from '../secrets/fill-command.js';
import type { Verdict } from '../policy/verdict.js';
import { placeholdersIn } from '../secrets/placeholder.js';
import { putBack, type HeldSecret, type Secrets } from '../secrets/secrets.js';
import type { ModifyContext } from '../tools/modifiable-tool.js';
import { ToolError, ToolErrorType } from '../tools/tool-error.js';
import { ToolNames } from '../tools/tool-names.js';
import { toParts, type ToolResult } from '../tools/tool-result.js';
import { isBackedByUser } from './backed-by-user.js';
import { type PreparedCall, rebuilt } from './prepare-call.js';
import type { SchedulerServices } from './services.js';

type Services = Pick<SchedulerServices, 'secrets' | 'shell' | 'policyContext'>;

const FILE_TOOLS: ReadonlySet<string> = new Set([ToolNames.EDIT, ToolNames.WRITE_FILE, ToolNames.APPLY_PATCH]);
/** Fields of their parameters that name things: nothing is put back there. */
const NAMING: ReadonlySet<string> = new Set(['file_path', 'path', 'id']);
const LARGEST_FILE = 16 * 1024 * 1024;

/** The call with secrets in place of their placeholders, where its tool is one that takes them. @throws ToolError */
export async function fillSecrets(call: PreparedCall, services: Services): Promise<PreparedCall> {
  const { secrets } = services;
  if (secrets === undefined) return call;
  const used = placeholdersIn(JSON.stringify(call.params));
  if (used.length === 0) return call;
  if (FILE_TOOLS.has(call.tool.name)) return fillFiles(call, secrets);
  if (call.tool.name === ToolNames.JOB_INPUT) return fillInput(call, used, secrets);
  if (call.tool.name === ToolNames.SHELL) return lendToCommand(call, used, services);
  const note = `${used.join(', ')} went into the call as it stands: a secret is put in its place in edits, commands and input of jobs only.`;
  return { ...call, secrets: { effects: [], lent: new Map(), notes: [note] } };
}

/** A command gets its secrets in variables: its text keeps the placeholders, also where it is logged and judged. */
function lendToCommand(
  call: PreparedCall,
  used: readonly string[],
  { secrets, shell = 'bash' }: Services,
): PreparedCall {
  const held = meanings(used, secrets);
  const lent = textsOf(held);
  if (lent.size > 0 && shell !== 'bash')
    throw refused(
      `Secrets are put into commands of bash only, and the shell is ${shell}. Let the command read them from its environment.`,
    );
  const { command } = call.params as { readonly command?: unknown };
  const filled = fillCommand(typeof command === 'string' ? command : '', lent);
  if ('problem' in filled) throw refused(filled.problem);
  return { ...call, secrets: { effects: effectsOf(held, 'a command'), lent, notes: unknownNotes(used, held) } };
}

function fillInput(call: PreparedCall, used: readonly string[], secrets: Secrets): PreparedCall {
  const held = meanings(used, secrets);
  const notes = unknownNotes(used, held);
  return {
    ...filledCall(call, (text) => putBack(text, held)),
    secrets: { effects: effectsOf(held, 'the input of a job'), lent: new Map(), notes },
  };
}

/** What a file holds already goes back into it unasked; into any other file it is put like something new. */
async function fillFiles(call: PreparedCall, secrets: Secrets): Promise<PreparedCall> {
  const files = new Map<string, FileSecrets>();
  for (const { path } of call.locations) files.set(path, await secretsOf(path, secrets));
  const needed = new Map<string, SecretEffect>();
  const unknown = new Set<string>();
  const meaningIn = (placeholder: string, file: FileSecrets | undefined): HeldSecret | undefined => {
    if (file?.literal.has(placeholder) === true) return undefined;
    return file?.held.get(placeholder) ?? secrets.meaning(placeholder);
  };
  const put = (text: string, file: FileSecrets | undefined, path: string, isNew = true): string => {
    const held = new Map<string, HeldSecret>();
    for (const placeholder of placeholdersIn(text)) {
      const meaning = meaningIn(placeholder, file);
      if (meaning === undefined) {
        if (file?.literal.has(placeholder) !== true) unknown.add(placeholder);
        continue;
      }
      held.set(placeholder, meaning);
      if (isNew && file?.held.has(placeholder) !== true)
        needed.set(`${meaning.name} ${path}`, {
          kind: 'secret',
          name: meaning.name,
          into: path === '' ? 'a file' : path,
        });
    }
    return putBack(text, held);
  };
  const [only] = files.size === 1 ? files.entries() : [];
  const filled = filledCall(call, (text, field) => {
    if (only !== undefined) return put(text, only[1], only[0], field !== 'old_string');
    return field === 'patch' ? filledPatch(text, files, put) : text;
  });
  const notes = unknownNotes([...unknown], new Map());
  return { ...filled, secrets: { effects: [...needed.values()], lent: new Map(), notes } };
}

interface FileSecrets {
  readonly held: ReadonlyMap<string, HeldSecret>;
  /** Placeholders that stand in it as they are. */
  readonly literal: ReadonlySet<string>;
}

async function secretsOf(path: string, secrets: Secrets): Promise<FileSecrets> {
  const text = await textOf(path);
  return { held: secrets.within(text), literal: new Set(placeholdersIn(text)) };
}

async function textOf(path: string): Promise<string> {
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= LARGEST_FILE ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

const SECTION =
  /^\*{3}\s*(?:add|create|new|delete|remove|update|modify|edit|change)(?:\s+file)?\s*:\s+(?:[ab]\/)?(.+?)\s*$/i;
/** Heads of a diff, which may as well be lines of a file. */
const MARKED = /^(?:\+{3}|-{3})\s/m;

/**
 * Of several files: line by line, each with the file that it is about; where that cannot be told for sure, with what all of them
 * hold. Also lines without a mark may be new, and what its file does not hold is in none of the others.
 */
function filledPatch(
  patch: string,
  files: ReadonlyMap<string, FileSecrets>,
  put: (text: string, file: FileSecrets | undefined, path: string) => string,
): string {
  if (MARKED.test(patch)) return put(patch, sharedBy([...files.values()]), '');
  let path = '';
  const lines = patch.split('\n').map((line) => {
    const named = SECTION.exec(line)?.[1];
    if (named === undefined) return put(line, files.get(path), path);
    path = fileNamed(named, files);
    return line;
  });
  return lines.join('\n');
}

function sharedBy(files: readonly FileSecrets[]): FileSecrets {
  const [first, ...others] = files;
  const held = [...(first?.held ?? [])].filter(([placeholder]) => others.every((each) => each.held.has(placeholder)));
  return { held: new Map(held), literal: new Set() };
}

/** Empty where no file, or more than one, may be meant: what stands there is then put in like something new. */
function fileNamed(named: string, files: ReadonlyMap<string, FileSecrets>): string {
  if (files.has(named)) return named;
  const end = resolve('/', named);
  const [only = '', ...others] = [...files.keys()].filter((path) => path.endsWith(end));
  return others.length === 0 ? only : '';
}

function filledCall(call: PreparedCall, change: (text: string, field: string) => string): PreparedCall {
  return rebuilt(call, changedFields(call.params, change) as object);
}

function changedFields(value: unknown, change: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return NAMING.has(field) ? value : change(value, field);
  if (Array.isArray(value)) return value.map((item) => changedFields(item, change, field));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) => [
    name,
    changedFields(item, change, name),
  ]);
  return Object.fromEntries(entries) as object;
}

function meanings(used: readonly string[], secrets: Secrets | undefined): ReadonlyMap<string, HeldSecret> {
  const found = used.map((each) => [each, secrets?.meaning(each)] as const);
  return new Map(found.flatMap(([placeholder, held]) => (held === undefined ? [] : [[placeholder, held] as const])));
}

function textsOf(held: ReadonlyMap<string, HeldSecret>): ReadonlyMap<string, string> {
  return new Map([...held].map(([placeholder, { text }]) => [placeholder, text]));
}

function effectsOf(held: ReadonlyMap<string, HeldSecret>, into: string): readonly SecretEffect[] {
  const names = new Set([...held.values()].map(({ name }) => name));
  return [...names].map((name) => ({ kind: 'secret', name, into }));
}

function unknownNotes(used: readonly string[], held: ReadonlyMap<string, unknown>): readonly string[] {
  const unknown = used.filter((each) => !held.has(each));
  if (unknown.length === 0) return [];
  return [`What ${unknown.join(', ')} stands for is not known (any more), so that nothing was put in its place.`];
}

function refused(message: string): ToolError {
  return new ToolError(ToolErrorType.INVALID_TOOL_PARAMS, `${message} Nothing ran.`);
}

/** The person's own version of a file, in which they saw placeholders. */
export async function ownVersion(
  text: string,
  {
    context,
    current,
    params,
  }: { readonly context: ModifyContext<object>; readonly current: string; readonly params: object },
  { secrets }: Services,
): Promise<string> {
  if (secrets === undefined || placeholdersIn(text).length === 0) return text;
  const proposed = await context.getProposedContent(params);
  return putBack(text, new Map([...secrets.within(proposed), ...secrets.within(current)]));
}

export interface SecretsRun {
  readonly effects: readonly Effect[];
  /** The verdict that was reached without the user; absent if the user approved the call. */
  readonly verdict?: Verdict;
}

/** Runs a call with the secrets it was lent. Hides secrets in its result, and adds notes on placeholders and withheld variables. */
export async function runWithSecrets(
  call: PreparedCall,
  { effects, verdict }: SecretsRun,
  { secrets, policyContext }: Services,
  execute: () => Promise<ToolResult>,
): Promise<ToolResult> {
  if (secrets === undefined) return execute();
  const noted = secrets.noteFiles(effects.flatMap((effect) => ('path' in effect ? [effect.path] : [])));
  // What a command prints is told while it runs; what is read is told at the end.
  if (effects.some(({ kind }) => kind !== 'read')) await noted;
  const { lent: placeholders = new Map<string, string>(), notes: before = [] } = call.secrets ?? {};
  const text = commandOf(call);
  const secretVariables = text === undefined ? [] : secrets.variables();
  const hasEnvironment =
    verdict === undefined ||
    text === undefined ||
    isBackedByUser(verdict, { mode: policyContext().mode, text, secretVariables });
  let result: ToolResult;
  try {
    result = await secrets.lend({ placeholders, hasEnvironment }, execute);
  } finally {
    // A failure may hold what was read as well.
    await noted;
  }
  secrets.refresh();
  const missed = hasEnvironment ? [] : secretVariables.filter((name) => text?.includes(name));
  const notes = missed.length === 0 ? before : [...before, withheldNote(missed)];
  const note = notes.length === 0 ? [] : [{ text: `\nNote on secrets: ${notes.join(' ')}` }];
  return secrets.hideIn(
    note.length === 0 ? result : { ...result, llmContent: [...toParts(result.llmContent), ...note] },
  );
}

/** Returns the command line of a call that starts programs in a shell. */
function commandOf({ tool, invocation }: PreparedCall): string | undefined {
  if (tool.name !== ToolNames.SHELL) return undefined;
  const { command } = invocation.params as { readonly command?: unknown };
  return typeof command === 'string' ? command : undefined;
}

function withheldNote(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} not set, because nobody approved this command. Commands that the user or a rule approves get such variables.`;
}
