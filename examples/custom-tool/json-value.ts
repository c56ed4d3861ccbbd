import { defineTool, Kind } from '@tenon/core';

interface Params {
  file_path: string;
  pointer?: string;
}

/** One value of a JSON file, so that a large one need not be read whole. Copy this file to `.tenon/tools/`. */
export const jsonValue = defineTool<Params>({
  name: 'json_value',
  displayName: 'JsonValue',
  description: 'Reads one value of a JSON file. Use it in place of reading a large JSON file.',
  kind: Kind.Read,
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1, description: 'The file, absolute or relative to the workspace.' },
      pointer: {
        type: 'string',
        pattern: '^(/.*)?$',
        description: 'JSON Pointer, such as /dependencies/yaml. Default: all.',
      },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
  examples: [{ file_path: 'package.json', pointer: '/name' }],
  effects: ({ file_path }) => [{ kind: 'read', path: file_path }],
  describe: ({ file_path, pointer = '' }) => `${file_path}${pointer === '' ? '' : `#${pointer}`}`,
  execute: async ({ file_path, pointer = '' }, { readText }) => {
    let value: unknown = JSON.parse(await readText(file_path));
    for (const part of pointer.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
        throw new Error(`${file_path} has no ${pointer}: there is no "${key}".`);
      value = Reflect.get(value, key);
    }
    return { data: value };
  },
});

/** How `tenon tools check` tries it. */
export const conformance = { entries: { 'package.json': '{ "name": "example", "version": "1.0.0" }' } };
