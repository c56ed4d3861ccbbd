import { describeValue } from '../../schema/describe-value.js';
import { isJsonObject, type JsonObject } from '../../schema/json-value.js';
import { Failure } from '../../util/failure.js';
import { plainSchema } from './plain-schema.js';

/** A function as a discovery command declares it, nothing of it checked yet. */
export type Declaration = Readonly<Record<'name' | 'description' | 'inputSchema', unknown>>;

export interface DeclarationList {
  readonly declarations: readonly Declaration[];
  /** What was left out, a sentence each. */
  readonly problems: readonly string[];
}

/** Lists of functions stand under one of these names. */
const LISTS = ['function_declarations', 'functionDeclarations', 'tools'];
const DEEPEST = 4;

/**
 * What a discovery command printed (S130): a JSON array of function declarations `{ name, description, parameters }`, with
 * `parametersJsonSchema` or `inputSchema` in place of `parameters`. Accepted as well: lists within
 * `{ "function_declarations": [...] }` or `{ "tools": [...] }`, `{ "type": "function", "function": {...} }`, and lines around the list. Pure.
 * @throws Failure `discovery_failed` when there is no such list
 */
export function readDeclarations(output: string): DeclarationList {
  const { value, strayLines } = parseOutput(output);
  const declarations: Declaration[] = [];
  const problems: string[] = [];
  if (strayLines)
    problems.push(
      'The discovery command printed other lines beside its list; they were left out. Print them to stderr.',
    );
  if (!Array.isArray(value) && listIn(value) === undefined)
    throw new Failure(
      'discovery_failed',
      `It must print a JSON array of functions, but printed ${describeValue(value)}.`,
    );
  const visit = (entry: unknown, places: readonly number[]): void => {
    const list: unknown = Array.isArray(entry) ? entry : listIn(entry);
    const leaveOut = (why: string): void => void problems.push(`Entry ${places.join(', ')} was left out: ${why}.`);
    if (!Array.isArray(list)) {
      if (isJsonObject(entry)) declarations.push(declarationOf(entry));
      else leaveOut(`it is ${describeValue(entry)} and no function`);
    } else if (places.length > DEEPEST) leaveOut('it is a list within too many lists');
    else list.forEach((each: unknown, index) => visit(each, [...places, index + 1]));
  };
  visit(value, []);
  return { declarations, problems };
}

function listIn(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value['name'] === 'string') return undefined;
  return LISTS.map((name) => value[name]).find((list) => Array.isArray(list));
}

function declarationOf(entry: JsonObject): Declaration {
  const inner = entry['function'];
  const said = entry['name'] === undefined && isJsonObject(inner) ? inner : entry;
  const { name, description, parametersJsonSchema, parameters, inputSchema, input_schema } = said;
  const schema = parametersJsonSchema ?? inputSchema ?? input_schema ?? plainSchema(parameters);
  return { name, description, inputSchema: schema };
}

/** The whole output, or else the part of it from the first line that begins a list to the last that ends one. */
function parseOutput(output: string): { readonly value: unknown; readonly strayLines: boolean } {
  const text = output.replace(/^\ufeff/, '').trim();
  if (text === '')
    throw new Failure('discovery_failed', 'It printed nothing. It must print a JSON array of functions.');
  try {
    return { value: JSON.parse(text), strayLines: false };
  } catch (thrown) {
    const begin = /^[ \t]*[[{]/m.exec(text)?.index ?? 0;
    const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
    try {
      return { value: JSON.parse(text.slice(begin, end + 1)), strayLines: true };
    } catch {
      const reason = thrown instanceof Error ? thrown.message : '';
      throw new Failure(
        'discovery_failed',
        `What it printed is no JSON: ${reason}. It must print a JSON array of functions.`,
      );
    }
  }
}
