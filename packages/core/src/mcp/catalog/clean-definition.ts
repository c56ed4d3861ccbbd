import { createHash } from 'node:crypto';
import { looseSchema } from '../../schema/loose-schema.js';
import { cleanText, cutBytes } from '../../util/clean-text.js';
import { errorMessage } from '../../util/failure.js';
import { kindOf, label } from './content-parts.js';
import { isObject } from '../../util/is-object.js';
import { findParamHeaders, type ParamHeader } from './param-headers.js';
import { mcpToolName } from './tool-names.js';

/** What a server says of its tool's nature; true or false where it says so. */
export interface ToolHints {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** A server's definition of a tool, made such that nothing in it can do harm by its form. */
export interface CleanDefinition {
  readonly alias: string;
  /** As the server calls it. */
  readonly serverName: string;
  /** As models and rules call it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly hints: ToolHints;
  readonly taskSupport: 'required' | 'optional' | 'forbidden';
  readonly paramHeaders: readonly ParamHeader[];
  /** What was taken out or mended, for the person. */
  readonly notes: readonly string[];
  /** Of everything that the server says of it, as it came. */
  readonly hash: string;
}

/** A tool that is not offered, and why. */
export interface UnusableTool {
  readonly serverName: string;
  readonly unusable: string;
}

const LONGEST_DESCRIPTION = 2048;
const LONGEST_SCHEMA_TEXT = 1024;
const LARGEST_SCHEMA = 256 * 1024;
const LONGEST_NAME = 1024;

/** One entry of `tools/list`. Never throws. `isRemote`: reached over HTTP, where parameters may be sent as headers. */
export function cleanDefinition(
  entry: Readonly<Record<string, unknown>>,
  { alias, isRemote }: { readonly alias: string; readonly isRemote: boolean },
): CleanDefinition | UnusableTool {
  const { name } = entry;
  if (typeof name !== 'string' || name === '') return { serverName: label(name) || '?', unusable: 'it has no name' };
  if (name.length > LONGEST_NAME) return { serverName: label(name), unusable: 'its name is too long' };
  try {
    return definitionOf(name, entry, { alias, isRemote });
  } catch (thrown) {
    return { serverName: label(name), unusable: errorMessage(thrown) };
  }
}

function definitionOf(
  serverName: string,
  entry: Readonly<Record<string, unknown>>,
  { alias, isRemote }: { readonly alias: string; readonly isRemote: boolean },
): CleanDefinition | UnusableTool {
  const notes: string[] = [];
  const shownName = label(serverName);
  const raw = entry['inputSchema'] ?? { type: 'object' };
  const size = JSON.stringify(raw).length;
  if (size > LARGEST_SCHEMA)
    return { serverName: shownName, unusable: `its input schema is too large (${size} characters)` };
  const loose = looseSchema(cleanTexts(raw, notes));
  if ('refused' in loose) return { serverName: shownName, unusable: asClause(loose.refused) };
  const { headers, problem } = findParamHeaders(raw);
  if (problem !== undefined && isRemote) return { serverName: shownName, unusable: problem };
  notes.push(...loose.notes.map((note) => `input schema: ${note}`));
  const annotations = isObject(entry['annotations']) ? entry['annotations'] : {};
  const description = shortText(entry['description'], 'its description', notes);
  const outputSchema = outputOf(entry['outputSchema'], notes);
  if (shownName !== serverName && cleanText(serverName, { strict: true }).hidden.length > 0)
    notes.push(`its name ${JSON.stringify(serverName.slice(0, 200))} has hidden characters`);
  return {
    alias,
    serverName,
    name: mcpToolName(alias, serverName),
    title: label(entry['title'] ?? annotations['title']) || shownName,
    description: description || `The tool ${shownName} of the server ${alias}; it does not say what it does.`,
    inputSchema: loose.schema,
    ...(outputSchema !== undefined && { outputSchema }),
    hints: hintsOf(annotations),
    taskSupport: taskSupportOf(entry['execution']),
    paramHeaders: isRemote ? headers : [],
    notes,
    hash: definitionHash(entry),
  };
}

/** Stable over the order of keys, and over everything that is no part of what the tool is (`_meta`, icons). */
export function definitionHash(entry: Readonly<Record<string, unknown>>): string {
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = entry;
  const said = { name, title, description, inputSchema, outputSchema, annotations, execution };
  const text = JSON.stringify(said, (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

/** A description of at most 2 KiB without what cannot be seen. */
export function shortText(value: unknown, what: string, notes: string[]): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') {
    notes.push(`${what} is ${kindOf(value)}`);
    return '';
  }
  const { text, hidden } = cleanText(value.slice(0, 8 * LONGEST_DESCRIPTION), { strict: true });
  if (hidden.length > 0) notes.push(`${what} had hidden characters: ${hidden.join(', ')}`);
  const cut = cutBytes(text.trim(), LONGEST_DESCRIPTION);
  if (cut !== text.trim() || value.length > 8 * LONGEST_DESCRIPTION) notes.push(`${what} was cut to 2 KiB`);
  return cut;
}

/** The same schema with clean descriptions and titles: what else is in it decides on values and stays. */
function cleanTexts(node: unknown, notes: string[], isProperties = false, depth = 0): unknown {
  if (depth > 100) return node;
  if (Array.isArray(node)) return node.map((item: unknown) => cleanTexts(item, notes, false, depth + 1));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (!isProperties && (key === 'description' || key === 'title') && typeof value === 'string') {
        const { text, hidden } = cleanText(value.slice(0, 8 * LONGEST_SCHEMA_TEXT), { strict: true });
        if (hidden.length > 0) notes.push(`a ${key} in its schema had hidden characters: ${hidden.join(', ')}`);
        return [key, cutBytes(text, LONGEST_SCHEMA_TEXT)];
      }
      if (key === 'const' || key === 'enum' || key === 'default' || key === 'examples') return [key, value];
      return [key, cleanTexts(value, notes, key === 'properties' && !isProperties, depth + 1)];
    }),
  );
}

function outputOf(schema: unknown, notes: string[]): object | undefined {
  if (schema === undefined || schema === null) return undefined;
  const loose = JSON.stringify(schema).length > LARGEST_SCHEMA ? { refused: 'it is too large' } : looseSchema(schema);
  if (!('refused' in loose)) return loose.schema;
  notes.push(`its output schema cannot be used, results are not checked: ${asClause(loose.refused)}`);
  return undefined;
}

/** A sentence as a part of another. */
function asClause(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

function hintsOf(annotations: Readonly<Record<string, unknown>>): ToolHints {
  const said = (key: string): boolean | undefined => {
    const value = annotations[key];
    return typeof value === 'boolean' ? value : undefined;
  };
  const [readOnly, destructive] = [said('readOnlyHint'), said('destructiveHint')];
  const [idempotent, openWorld] = [said('idempotentHint'), said('openWorldHint')];
  return {
    ...(readOnly !== undefined && { readOnly }),
    ...(destructive !== undefined && { destructive }),
    ...(idempotent !== undefined && { idempotent }),
    ...(openWorld !== undefined && { openWorld }),
  };
}

function taskSupportOf(execution: unknown): CleanDefinition['taskSupport'] {
  const said = isObject(execution) ? execution['taskSupport'] : undefined;
  return said === 'required' || said === 'optional' ? said : 'forbidden';
}
