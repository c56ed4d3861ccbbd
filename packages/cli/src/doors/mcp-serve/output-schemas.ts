import { ToolNames } from '@tenon/core';

type Schema = Readonly<Record<string, unknown>>;

const PATH = { type: 'string', description: 'Absolute path of the file.' };
const CHANGED = { type: 'boolean', description: 'False: it was as asked for already.' };
const MESSAGE = { type: 'string', description: 'What was done, with everything worth knowing of it.' };

function schemaOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return {
    type: 'object',
    properties: { ...properties, message: MESSAGE },
    required: [...required, 'message'],
    additionalProperties: false,
  };
}

/**
 * The tools whose result is data. Some clients show their model the data in place of the text: so only where it says as
 * much, and with the text in it.
 */
const SCHEMAS: ReadonlyMap<string, Schema> = new Map([
  [
    ToolNames.WRITE_FILE,
    schemaOf(
      {
        path: PATH,
        changed: CHANGED,
        created: { type: 'boolean', description: 'True: there was no such file before.' },
        bytes: { type: 'integer', minimum: 0, description: 'Size of the file now.' },
      },
      ['path', 'changed'],
    ),
  ],
  [
    ToolNames.EDIT,
    schemaOf({ path: PATH, isNewFile: { type: 'boolean', description: 'True: there was no such file before.' } }, [
      'path',
      'isNewFile',
    ]),
  ],
]);

export function outputSchemaOf(toolName: string): Schema | undefined {
  return SCHEMAS.get(toolName);
}

/** What of a tool's data its schema speaks of; undefined for a tool without one. Pure. */
export function structuredResult(toolName: string, data: unknown, message: string): Schema | undefined {
  const properties = SCHEMAS.get(toolName)?.['properties'];
  if (typeof properties !== 'object' || properties === null || typeof data !== 'object' || data === null) {
    return undefined;
  }
  const known = Object.entries(data).filter(([key]) => Object.hasOwn(properties, key));
  return { ...Object.fromEntries(known), message };
}
