import { closest } from 'fastest-levenshtein';
import { errorMessage } from '../util/failure.js';
import { describeValue } from './describe-value.js';
import { isJsonObject, own, surveyJson, type JsonObject } from './json-value.js';
import { HOLDERS, isPattern, KEYWORD_RULES, TYPE_NAMES } from './keywords.js';
import { toPointer } from './pointer.js';
import { referenceProblems } from './references.js';
import { draftOf, openSchema } from './schema-document.js';

/** One schema within a schema, and where it stands. */
export interface PlacedSchema {
  readonly node: JsonObject;
  readonly path: readonly string[];
}

/**
 * What is wrong with a tool's parameter schema, one sentence each with the JSON pointer; empty when
 * it is sound. Draft-07 and 2020-12, by `$schema`; without one, 2020-12 with draft-07's keywords
 * accepted too. A keyword the validator does not know how to check is refused, because validation
 * must never be skipped in silence.
 */
export function checkSchema(schema: object): string[] {
  if (!isJsonObject(schema)) return ['The parameter schema must be an object.'];
  const survey = surveyJson(schema);
  if (survey.problem !== null) return [`The parameter schema cannot be read: it ${survey.problem}.`];
  const problems = rootProblems(schema);
  const places = subschemas(schema);
  const declares2020 = own(schema, '$schema') !== undefined && draftOf(schema) === '2020-12';
  problems.push(...places.flatMap((place) => keywordProblems(place, declares2020)));
  // References can only be followed in a schema whose keywords are what they should be.
  if (problems.length > 0) return problems;
  try {
    const document = openSchema(schema);
    return referenceProblems(document, subschemas(document.root));
  } catch (thrown) {
    return [errorMessage(thrown)];
  }
}

function rootProblems(schema: JsonObject): string[] {
  const problems: string[] = [];
  const uri = own(schema, '$schema');
  if (draftOf(schema) === undefined) {
    const known = 'http://json-schema.org/draft-07/schema# or https://json-schema.org/draft/2020-12/schema';
    problems.push(`\`/$schema\` must be ${known}, but was ${describeValue(uri)}.`);
  }
  const type = own(schema, 'type');
  if (type === undefined) problems.push('The top level must be an object schema: add `"type": "object"`.');
  else if (type !== 'object')
    problems.push(`\`/type\` must be "object" at the top level, but was ${describeValue(type)}.`);
  return problems;
}

/** The schema and every schema within it, outermost first. The depth must have been checked. */
function subschemas(root: JsonObject): PlacedSchema[] {
  const found: PlacedSchema[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (!isJsonObject(node)) return;
    found.push({ node, path });
    for (const [keyword, value] of Object.entries(node)) {
      const holder = HOLDERS.get(keyword);
      if (holder === undefined) continue;
      const inMap = holder.startsWith('map') && isJsonObject(value);
      if (!inMap && !Array.isArray(value)) visit(value, [...path, keyword]);
      else for (const [name, child] of Object.entries(value)) visit(child, [...path, keyword, name]);
    }
  };
  visit(root, []);
  return found;
}

function keywordProblems({ node, path }: PlacedSchema, declares2020: boolean): string[] {
  const problems: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    const rule = KEYWORD_RULES.get(keyword);
    if (rule === undefined) continue;
    const pointer = toPointer([...path, keyword]);
    // The root's type has a sentence of its own.
    if (!rule.accepts(value) && !(path.length === 0 && keyword === 'type')) {
      problems.push(`\`${pointer}\` must be ${rule.expects}, but was ${describeValue(value)}${hint(keyword, value)}.`);
    } else if (keyword === 'items' && Array.isArray(value) && declares2020) {
      problems.push(`\`${pointer}\` must be one schema; a list of schemas is \`prefixItems\` in draft 2020-12.`);
    } else if (keyword === 'patternProperties') {
      problems.push(...patternNameProblems(value, pointer));
    }
  }
  return problems;
}

function patternNameProblems(value: unknown, pointer: string): string[] {
  return Object.keys(isJsonObject(value) ? value : {})
    .filter((name) => !isPattern(name))
    .map(
      (name) => `\`${pointer}\` has a name that is no regular expression with the \`u\` flag: ${JSON.stringify(name)}.`,
    );
}

function hint(keyword: string, value: unknown): string {
  if (keyword === 'pattern' && typeof value === 'string') return ` (${patternError(value)})`;
  if (keyword !== 'type' || typeof value !== 'string') return '';
  return ` (did you mean "${closest(value.toLowerCase(), TYPE_NAMES)}"?)`;
}

function patternError(text: string): string {
  try {
    new RegExp(text, 'u').test('');
    return 'it compiles';
  } catch (thrown) {
    return errorMessage(thrown);
  }
}
