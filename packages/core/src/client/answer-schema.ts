import { checkSchema } from '../schema/check-schema.js';
import { validateAgainst } from '../schema/validate.js';
import { Failure } from '../util/failure.js';

/** What an answer must be, as a model can be asked for it: arguments of tools are objects, answers may be anything. */
export interface AnswerSchema {
  /** The schema of an object: the answer's own, or one with the answer as its only property. */
  readonly parameters: object;
  /** The answer that such an object holds. */
  readonly answerIn: (object: object) => unknown;
  /** Null for an answer that the schema allows; else what is wrong, for a model. */
  readonly problemOf: (answer: unknown) => string | null;
}

/** The property that holds an answer which is no object. */
const WRAPPER = 'answer';
/** Keywords whose values are data: what looks like a reference in there is none. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** JSON Schema, draft-07 or 2020-12. @throws Failure `schema_unusable`, which says what is wrong with it */
export function readAnswerSchema(schema: unknown): AnswerSchema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Failure('schema_unusable', 'The schema of the answer must be a JSON object, such as {"type": "object"}.');
  }
  const isWrapped = !('type' in schema) || schema.type !== 'object';
  const parameters = isWrapped ? wrap(schema) : schema;
  const problems = checkSchema(parameters);
  if (problems.length > 0) {
    throw new Failure('schema_unusable', `The schema of the answer is not valid JSON Schema. ${problems.join(' ')}`);
  }
  return {
    parameters,
    answerIn: (object) => (isWrapped ? (object as Record<string, unknown>)[WRAPPER] : object),
    problemOf: (answer) => validateAgainst(parameters, isWrapped ? { [WRAPPER]: answer } : answer),
  };
}

function wrap(schema: object): object {
  const { $schema, ...inner } = schema as Record<string, unknown>;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { [WRAPPER]: '$id' in inner ? inner : moveReferences(inner) },
    required: [WRAPPER],
    additionalProperties: false,
  };
}

/** References from the root lead to where the schema is now. */
function moveReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(moveReferences);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => {
      if (key === '$ref' && typeof value === 'string' && /^#(\/|$)/.test(value))
        return [key, `#/properties/${WRAPPER}${value.slice(1)}`];
      return [key, DATA.has(key) ? value : moveReferences(value)];
    }),
  );
}
