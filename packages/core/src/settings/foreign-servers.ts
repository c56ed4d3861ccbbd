import { isObject } from '../util/is-object.js';
import { readDefinition, type DefinitionContext } from '../mcp/read-definitions.js';
import { errorMessage, Failure } from '../util/failure.js';
import { carryTexts, plainDefinition, takeDefinition, type DefinitionForm } from './foreign-definition.js';
import {
  inputVariables,
  textCarrier,
  type InputVariables,
  type NeededVariable,
  type ReferenceForms,
} from './foreign-variables.js';
import { parseJson } from './parse-json.js';
import { readToml } from './read-toml.js';

/** Tools whose servers can be taken over; `file`: any file, told apart by what is in it. */
export type ForeignSource =
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'gemini'
  | 'qwen'
  | 'codex'
  | 'opencode'
  | 'windsurf'
  | 'cline'
  | 'file';

/** One server of another tool, in Tenon's words. */
export interface ForeignServer {
  readonly alias: string;
  /** As it would stand in Tenon's settings: it may hold secrets. Undefined where it cannot be taken. */
  readonly definition?: Readonly<Record<string, unknown>>;
  /** Why it cannot be taken: a sentence or two. Unclean text, as all that is told here. */
  readonly refusal?: string;
  /** Variables of the environment without which it is not used. */
  readonly needs: readonly NeededVariable[];
  /** What is different here, a sentence each. */
  readonly notes: readonly string[];
}

export interface ForeignFile {
  readonly servers: readonly ForeignServer[];
  /** Servers that the file has for other folders. */
  readonly ofOtherFolders: number;
  /** Why the file says nothing; it names the line where there is one. */
  readonly problem?: string;
}

export interface ForeignContext extends Omit<DefinitionContext, 'origin' | 'timeoutMs' | 'startupMs'> {
  readonly source: ForeignSource;
  readonly platform: NodeJS.Platform;
}

interface Dialect extends ReferenceForms {
  readonly form: DefinitionForm;
  /** Of `timeout`, in milliseconds. */
  readonly timeoutUnitMs?: number;
}

const EDITOR: Dialect = { form: 'common', editor: true };
const SHELL_LIKE: Dialect = { form: 'common', braces: true, dollar: 'anywhere' };
const DIALECTS: Readonly<Record<ForeignSource, Dialect>> = {
  'claude-code': { form: 'common', braces: true },
  'claude-desktop': { form: 'common' },
  cursor: EDITOR,
  vscode: EDITOR,
  gemini: SHELL_LIKE,
  qwen: SHELL_LIKE,
  codex: { form: 'codex' },
  opencode: { form: 'opencode', curly: true },
  windsurf: EDITOR,
  cline: { ...EDITOR, timeoutUnitMs: 1000 },
  file: { form: 'common', braces: true, editor: true, dollar: 'alone' },
};

/** Servers that stand together in a file. */
interface Group {
  readonly entries: unknown;
  /** Under which key, for messages. */
  readonly key: string;
  readonly dialect: Dialect;
  readonly inputs?: unknown;
}

/** What a file of another tool says of servers. Reads nothing else, starts nothing, and never throws on what stands in it. */
export async function readForeignServers(text: string, context: ForeignContext): Promise<ForeignFile> {
  const none = { servers: [], ofOtherFolders: 0 };
  let value: unknown;
  try {
    const isToml = context.source === 'codex' || (context.source === 'file' && looksLikeToml(text));
    value = isToml ? readToml(text) : await parseJson(text);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return {
      ...none,
      problem: `cannot be read: ${thrown.message}. Correct it, or add its servers by \`tenon mcp add\`.`,
    };
  }
  if (!isObject(value)) return { ...none, problem: 'holds no object.' };
  const groups = groupsOf(value, context);
  if (groups.length === 0 && context.source === 'file')
    return { ...none, problem: 'names no servers: it has no "mcpServers", "servers", "mcp" or "mcp_servers".' };
  const broken = groups.find(({ entries }) => !isObject(entries));
  if (broken !== undefined) return { ...none, problem: `has something other than an object at "${broken.key}".` };
  const servers = groups.flatMap(({ entries, dialect, inputs }) => {
    const variables = inputVariables(inputs);
    return Object.entries(isObject(entries) ? entries : {}).map(([alias, raw]) =>
      readOne(alias, raw, { dialect, inputs: variables, context }),
    );
  });
  return { servers, ofOtherFolders: ofOtherFolders(value, context) };
}

interface OneContext {
  readonly dialect: Dialect;
  readonly inputs: InputVariables;
  readonly context: ForeignContext;
}

function readOne(alias: string, raw: unknown, { dialect, inputs, context }: OneContext): ForeignServer {
  const carrier = textCarrier(dialect, inputs, context.platform);
  try {
    const taken = takeDefinition(raw, dialect.form, dialect.timeoutUnitMs ?? 1);
    const definition = plainDefinition(carryTexts(taken.definition, carrier));
    const { root, home, variables } = context;
    const read = readDefinition(alias, definition, {
      origin: 'user',
      root,
      home,
      variables,
      timeoutMs: 1,
      startupMs: 1,
    });
    if (read.unused !== undefined && read.lacksVariable !== true)
      return { alias, refusal: read.unused, needs: [], notes: [] };
    const { needs, newlyReplaced } = carrier;
    const replaced = newlyReplaced.map(
      (name) =>
        `\${${name}} is replaced here by the variable of the environment that Tenon is started in; its own tool leaves it to the server.`,
    );
    return { alias, definition, needs, notes: [...taken.notes, ...replaced, ...read.warnings] };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { alias, refusal: errorMessage(thrown), needs: [], notes: [] };
  }
}

function groupsOf(value: Readonly<Record<string, unknown>>, { source, root }: ForeignContext): Group[] {
  const dialect = DIALECTS[source];
  const at = (key: string, how = dialect, inputs?: unknown): Group[] =>
    value[key] === undefined ? [] : [{ entries: value[key], key, dialect: how, inputs }];
  if (source === 'codex') return at('mcp_servers');
  if (source === 'opencode') return at('mcp');
  if (source === 'vscode') return [...at('servers', dialect, value['inputs']), ...inSettings(value)];
  if (source !== 'file') return [...ofThisFolder(value, source, root), ...at('mcpServers')];
  const isOpencode = inSettings(value).length === 0;
  return [
    ...ofThisFolder(value, source, root),
    ...at('mcpServers'),
    ...at('servers', { ...DIALECTS.vscode, braces: true }, value['inputs']),
    ...(isOpencode ? at('mcp', DIALECTS.opencode) : inSettings(value)),
    ...at('mcp_servers', DIALECTS.codex),
  ];
}

/** As the settings of VS Code held them. */
function inSettings(value: Readonly<Record<string, unknown>>): Group[] {
  const { mcp } = value;
  if (!isObject(mcp) || !isObject(mcp['servers'])) return [];
  return [{ entries: mcp['servers'], key: 'mcp.servers', dialect: DIALECTS.vscode, inputs: mcp['inputs'] }];
}

/** Claude Code has servers of the person for single folders. */
function ofThisFolder(value: Readonly<Record<string, unknown>>, source: ForeignSource, root: string): Group[] {
  const projects = value['projects'];
  const own = isObject(projects) && Object.hasOwn(projects, root) ? projects[root] : undefined;
  if (!isObject(own) || own['mcpServers'] === undefined) return [];
  return [{ entries: own['mcpServers'], key: `projects.${root}.mcpServers`, dialect: DIALECTS[source] }];
}

function ofOtherFolders(value: Readonly<Record<string, unknown>>, { source, root }: ForeignContext): number {
  const projects = value['projects'];
  if ((source !== 'claude-code' && source !== 'file') || !isObject(projects)) return 0;
  return Object.entries(projects)
    .filter(([folder]) => folder !== root)
    .map(([, own]) => (isObject(own) && isObject(own['mcpServers']) ? Object.keys(own['mcpServers']).length : 0))
    .reduce((sum, amount) => sum + amount, 0);
}

/** A name in brackets, or a name and "=", where JSON has an object. */
function looksLikeToml(text: string): boolean {
  return /^\uFEFF?(?:\s|#[^\n]*\n)*(?:\[\[?[\w"']|[\w"'.-]+[^\S\n]*[=.])/.test(text);
}
