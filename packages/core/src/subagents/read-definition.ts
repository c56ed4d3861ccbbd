import { ApprovalMode, parseApprovalMode } from '../policy/approval-mode.js';
import { toolNamed } from '../policy/tool-aliases.js';
import { cleanText, cutBytes } from '../util/clean-text.js';
import { errorMessage } from '../util/failure.js';
import { readFrontMatter } from '../util/front-matter.js';
import { isObject } from '../util/is-object.js';
import type { AgentDefinition } from './subagent-types.js';
import { ALL_TOOLS } from './tool-filter.js';

export interface ReadDefinition {
  /** Undefined: the file describes no agent. */
  readonly definition?: AgentDefinition;
  /** What is wrong with it, a sentence each. */
  readonly problems: readonly string[];
}

export interface DefinitionFile {
  /** Absolute. */
  readonly file: string;
  readonly origin: 'user' | 'project';
  /** Used where the file gives none: that of the file, without its ending. */
  readonly baseName: string;
}

/** Whatever would be told of an agent must be right, or the agent would have more than its author meant. */
class Unusable extends Error {}

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const MOST_DESCRIPTION_BYTES = 2048;
const MOST_TOOLS = 200;
/** Names that Claude Code has for models of its own. */
const CLAUDE_MODELS: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku', 'opusplan']);
/** As Claude Code and Qwen Code call them; Tenon's own names are read as well. */
const FOREIGN_MODES: ReadonlyMap<string, ApprovalMode> = new Map([
  ['acceptedits', ApprovalMode.AUTO_EDIT],
  ['bypasspermissions', ApprovalMode.YOLO],
  ['dontask', ApprovalMode.DEFAULT],
]);
/** What such a file may say elsewhere and Tenon does not do: whoever relies on it must know. */
const NOT_DONE: readonly (readonly [field: string, what: string])[] = [
  ['hooks', 'its hooks are not run'],
  ['mcpservers', 'its servers are not started for it'],
  ['skills', 'its skills are not read before it begins'],
  ['memory', 'it has no memory of its own'],
];

/** Reads the Markdown file of one agent, of Tenon, Claude Code or Qwen Code. Never throws. */
export async function readDefinition(text: string, file: DefinitionFile): Promise<ReadDefinition> {
  const problems: string[] = [];
  const tell = (problem: string): void => void problems.push(`${file.file}: ${problem}.`);
  try {
    const { fields, body } = await readFrontMatter(text);
    return { definition: definitionOf(normalized(fields), body, file, tell), problems };
  } catch (thrown) {
    const why = thrown instanceof Unusable ? thrown.message : `its head cannot be read: ${errorMessage(thrown)}`;
    return { problems: [...problems, `${file.file} describes no agent: ${firstLine(why)}.`] };
  }
}

type Fields = ReadonlyMap<string, unknown>;
type Tell = (problem: string) => void;

/** `max_turns`, `maxTurns` and `max-turns` are one name. */
function normalized(fields: Readonly<Record<string, unknown>>): Fields {
  return new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase().replaceAll(/[_-]/g, ''), value]));
}

function definitionOf(fields: Fields, body: string, file: DefinitionFile, tell: Tell): AgentDefinition {
  const name = textOf(fields.get('name') ?? file.baseName);
  if (!NAME.test(name)) throw new Unusable('its name must be of letters, digits, dots, underscores and dashes');
  const description = cutBytes(cleanText(textOf(fields.get('description'))).text.trim(), MOST_DESCRIPTION_BYTES);
  if (description === '') throw new Unusable('it has no description, by which a model would choose it');
  const instructions = cleanText(body).text.trim();
  for (const [field, what] of NOT_DONE) if (fields.has(field)) tell(what);
  return {
    name,
    description,
    instructions,
    ...toolLists(fields, tell),
    ...modelOf(fields),
    ...modeOf(fields, tell),
    ...limitsOf(fields, tell),
    ...(isYes(fields.get('background')) && { isBackground: true }),
    ...isolationOf(fields),
    origin: file.origin,
    file: file.file,
  };
}

function toolLists(fields: Fields, tell: Tell): Pick<AgentDefinition, 'tools' | 'disallowedTools'> {
  const tools = namesOf(fields.get('tools'), 'tools', tell);
  const disallowed = namesOf(fields.get('disallowedtools'), 'disallowedTools', tell);
  return {
    ...(tools !== undefined && !tools.includes(ALL_TOOLS) && { tools }),
    ...(disallowed !== undefined && disallowed.length > 0 && { disallowedTools: disallowed }),
  };
}

/** A list, or a text with commas. What cannot be read must not come to "all tools". */
function namesOf(value: unknown, field: string, tell: Tell): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: unknown[] = typeof value === 'string' ? splitNames(value) : Array.isArray(value) ? value : [value];
  if (items.length > MOST_TOOLS) throw new Unusable(`${field} names more than ${MOST_TOOLS} tools`);
  return items.map((item) => {
    if (typeof item !== 'string') throw new Unusable(`${field} must be names of tools`);
    return nameOf(item.trim(), field, tell);
  });
}

function nameOf(text: string, field: string, tell: Tell): string {
  if (text === ALL_TOOLS) return text;
  const [, name = text, rest] = /^([^\s(]+)\s*\((.*)\)$/s.exec(text) ?? [];
  if (!/^[\w*.:/-]{1,128}$/.test(name)) throw new Unusable(`${field} has ${shown(text)}, which is no name of a tool`);
  if (rest !== undefined)
    tell(
      `${shown(text)} in ${field} means the tool as a whole; what is in brackets grants nothing and forbids nothing`,
    );
  return toolNamed(name);
}

/** Commas in brackets are part of a name. */
function splitNames(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function modelOf(fields: Fields): Pick<AgentDefinition, 'model'> {
  const config = fields.get('modelconfig');
  const model = textOf(fields.get('model') ?? (isObject(config) ? config['model'] : undefined)).trim();
  // `sonnet[1m]` is one with a larger window.
  const alias = model.toLowerCase().replace(/\[1m\]$/, '');
  if (model === '' || model === 'inherit' || CLAUDE_MODELS.has(alias)) return {};
  return { model: cutBytes(cleanText(model, { strict: true }).text, 200) };
}

function modeOf(fields: Fields, tell: Tell): Pick<AgentDefinition, 'approvalMode'> {
  const said = fields.get('approvalmode') ?? fields.get('permissionmode');
  if (said === undefined || said === null) return {};
  const text = textOf(said);
  const mode = FOREIGN_MODES.get(text.trim().toLowerCase().replaceAll(/[_-]/g, '')) ?? parseApprovalMode(text);
  if (mode === undefined) tell(`the mode ${shown(text)} is not known; it works in default mode at most`);
  return { approvalMode: mode ?? ApprovalMode.DEFAULT };
}

function limitsOf(fields: Fields, tell: Tell): Pick<AgentDefinition, 'maxTurns' | 'maxSeconds'> {
  const run = fields.get('runconfig');
  const inner = isObject(run) ? normalized(run) : new Map<string, unknown>();
  const read = (name: string): number | undefined => {
    const value = fields.get(name.toLowerCase()) ?? inner.get(name.toLowerCase());
    if (value === undefined || value === null) return undefined;
    const amount = Number(value);
    if (Number.isFinite(amount) && amount > 0) return amount;
    tell(`its ${name} must be a number above 0; the usual limit holds`);
    return undefined;
  };
  const turns = read('maxTurns');
  const minutes = read('maxTimeMinutes');
  const seconds = read('maxSeconds') ?? (minutes === undefined ? undefined : minutes * 60);
  return {
    ...(turns !== undefined && { maxTurns: Math.max(1, Math.floor(turns)) }),
    ...(seconds !== undefined && { maxSeconds: seconds }),
  };
}

/** Who asks to be kept apart does not work in the workspace itself because that could not be read. */
function isolationOf(fields: Fields): Pick<AgentDefinition, 'isolation'> {
  const said = fields.get('isolation');
  if (said === undefined || said === null || said === 'none') return {};
  if (said !== 'worktree') throw new Unusable(`its isolation must be worktree, not ${shown(textOf(said))}`);
  return { isolation: 'worktree' };
}

function isYes(value: unknown): boolean {
  return value === true || value === 'true';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function shown(text: string): string {
  return JSON.stringify(cutBytes(cleanText(text, { strict: true }).text, 100));
}

function firstLine(text: string): string {
  return cutBytes(cleanText(text, { strict: true }).text.split('\n', 1).join(''), 200).replace(/[.:]\s*$/, '');
}
