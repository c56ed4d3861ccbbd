import { checkSchema } from '../../schema/check-schema.js';
import { isJsonObject, type JsonObject } from '../../schema/json-value.js';

/** What is wrong with the parameters of a tool, for the model that has to fill them in. `words`: of the tool itself. Pure. */
export function schemaFaults(schema: object, words: string): string[] {
  const broken = checkSchema(schema);
  if (broken.length > 0 || !isJsonObject(schema)) return broken;
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  const isOpen = schema['additionalProperties'] === undefined && schema['unevaluatedProperties'] !== false;
  const undescribed = properties.filter(
    ([name, property]) => isJsonObject(property) && !isClear(name, property, words),
  );
  return [
    ...(isOpen
      ? [
          'The parameters are open: what is misspelt is passed over in silence. Add "additionalProperties": false, or a schema for the others.',
        ]
      : []),
    ...undescribed.map(([name]) => `\`/properties/${name}\` has no description: a model has only its name to go by.`),
  ];
}

/** Told by itself, by its values, or by the tool's own words. */
function isClear(name: string, { description, enum: values, const: constant }: JsonObject, words: string): boolean {
  if (typeof description === 'string' && description.trim() !== '') return true;
  return values !== undefined || constant !== undefined || words.split(/[^\w$-]+/).includes(name);
}
