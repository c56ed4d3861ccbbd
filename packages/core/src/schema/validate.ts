import { count } from '../util/count.js';
import { nearestName, nearestNames } from '../util/nearest-names.js';
import { errorMessage } from '../util/failure.js';
import { describeBranches, describeSchema, noteOf } from './describe-schema.js';
import { describeValue, shorten } from './describe-value.js';
import { minimalExample } from './example.js';
import { isJsonObject, own, surveyJson, valueAt, withoutUndefined } from './json-value.js';
import { toPointer } from './pointer.js';
import { findFirstProblems, findProblems, type Problem } from './problems.js';
import { declaredNames, openSchema, ReadySchema, type SchemaDocument, type SchemaNode } from './schema-document.js';

const MAX_SENTENCES = 5;
const MAX_EXAMPLE = 800;
const MAX_POINTER = 120;

/**
 * Null when the value satisfies the schema, else a message for the model: up to five problems with
 * the JSON pointer, what was expected and what came, then a shortest valid example where one can be
 * made. Formats are asserted. A property that is `undefined` counts as absent. A schema that is
 * broken gives a message too: no value is valid against it. `choose` may put another example in the place of the shortest one, or none.
 */
export function validateAgainst(
  schema: object | ReadySchema,
  value: unknown,
  choose: (shortest: unknown) => unknown = (shortest) => shortest,
): string | null {
  const survey = surveyJson(value);
  if (survey.problem !== null)
    return `Invalid parameters: the value ${survey.problem}. Send plain JSON, less deeply nested.`;
  const json = survey.hasUndefined ? withoutUndefined(value) : value;
  try {
    const document = schema instanceof ReadySchema ? schema.open() : openSchema(schema);
    if (document.accepts(document.root, json)) return null;
    return explain(document, json, choose);
  } catch (thrown) {
    return `Invalid parameters: they could not be checked. ${errorMessage(thrown)}`;
  }
}

function explain(document: SchemaDocument, value: unknown, choose: (shortest: unknown) => unknown): string {
  const problems = listProblems(document, value);
  const sentences = problems.slice(0, MAX_SENTENCES).map((problem) => sentenceFor(document, value, problem));
  const more = problems.length - sentences.length;
  const list = sentences.length === 0 ? ['they do not meet the schema'] : sentences;
  const rest = more > 0 ? `; and ${count(more, 'more problem')}` : '';
  return `Invalid parameters: ${list.join('; ')}${rest}.${exampleSentence(minimalExample(document), choose)}`;
}

/** For `validateAgainst`: an example of one's own, else the shortest if the check behind the schema finds nothing wrong with it. */
export function chooseExample<T>(
  example: T | undefined,
  problemOf: (shortest: T) => unknown,
): (shortest: unknown) => unknown {
  return (shortest) => {
    if (example !== undefined || shortest === undefined) return example;
    try {
      return problemOf(shortest as T) === null ? shortest : undefined;
    } catch {
      // A check that cannot take it does not take it.
      return undefined;
    }
  };
}

function exampleSentence(shortest: unknown, choose: (shortest: unknown) => unknown): string {
  const example = choose(shortest);
  const text = example === undefined ? '' : JSON.stringify(example);
  if (text === '' || text.length > MAX_EXAMPLE) return '';
  return ` A ${example === shortest ? 'shortest valid' : 'valid'} example: ${text}`;
}

function listProblems(document: SchemaDocument, value: unknown): Problem[] {
  try {
    return findProblems(document, value);
  } catch (thrown) {
    // The validator hands lists of problems on as function arguments: too many overflow the stack.
    if (thrown instanceof RangeError) return findFirstProblems(document, value);
    throw thrown;
  }
}

function sentenceFor(document: SchemaDocument, value: unknown, problem: Problem): string {
  const where = placeOf(problem.path);
  const note = noteOf(problem.node);
  if (problem.kind === 'unknown') return unknownSentence(document, value, problem);
  const wanted = wantedBy(document, problem);
  if (problem.kind === 'missing')
    return `${where} is required but missing: ${wanted}${note === '' ? '' : ` (${note})`}`;
  const came = valueAt(value, problem.path);
  const subject = note === '' ? where : `${where} (${note})`;
  if (problem.kind === 'several') return `${subject} must match exactly one of its alternatives, but matches several`;
  return `${subject} must be ${wanted}, but was ${describeValue(came)}${nearestValue(problem.node, came)}`;
}

/** Suggests the listed value that an unlisted text most likely means. */
function nearestValue(node: SchemaNode, came: unknown): string {
  const values = isJsonObject(node) ? own(node, 'enum') : undefined;
  if (typeof came !== 'string' || !Array.isArray(values)) return '';
  const words = values.filter((value) => typeof value === 'string');
  const [nearest] = nearestNames(came, words, { most: 1, parts: true });
  return nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
}

function placeOf(path: readonly string[]): string {
  return path.length === 0 ? 'the whole of the parameters' : `\`${shorten(toPointer(path), MAX_POINTER)}\``;
}

/** Names told in the error for one that is not known. */
const MAX_LISTED_NAMES = 24;

/** Keywords that the description of a schema does not put into words. */
const WANTED: Readonly<Record<string, string>> = {
  not: 'something that the schema does not rule out',
  contains: 'an array that contains at least one item of the right kind',
  minContains: 'an array that contains more items of the right kind',
  maxContains: 'an array that contains fewer items of the right kind',
};

function wantedBy(document: SchemaDocument, { node, keyword }: Problem): string {
  const branches = isJsonObject(node) ? own(node, keyword) : undefined;
  if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(branches))
    return describeBranches(document, branches);
  return (own(WANTED, keyword) as string | undefined) ?? describeSchema(document, node);
}

function unknownSentence(document: SchemaDocument, value: unknown, problem: Problem): string {
  const name = problem.path.at(-1) ?? '';
  const where = placeOf(problem.path);
  if (problem.keyword === 'propertyNames') return `${where} has a name that is not allowed`;
  const owner = valueAt(value, problem.path.slice(0, -1));
  const taken = isJsonObject(owner) ? Object.keys(owner) : [];
  const known = declaredNames(document, problem.node).filter((candidate) => !taken.includes(candidate));
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `${where} is not a known property (did you mean \`${nearest}\`?)`;
  const names = declaredNames(document, problem.node);
  const listed = names.slice(0, MAX_LISTED_NAMES).map((declared) => `\`${declared}\``);
  if (names.length > listed.length) listed.push(`and ${names.length - listed.length} more`);
  return `${where} is not a known property${listed.length === 0 ? '' : ` (known: ${listed.join(', ')})`}`;
}
