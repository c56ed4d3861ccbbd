import { afterEach, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../temp-workspace.js';
import { checkToolFile } from './check-tool-file.js';

let folder: TempWorkspace;
afterEach(async () => folder.remove());

it('tries the index of a folder with what lies beside that folder, as it is loaded', async () => {
  folder = await createTempWorkspace({
    'tools/greet/index.ts': `import { defineTool } from '@tenon/core';
import { greeting } from '../_words.js';
export default defineTool({ name: 'greet', description: 'Greets.', parameters: { type: 'object', additionalProperties: false },
  examples: [{}], effects: () => [], describe: () => 'greets', execute: () => greeting });`,
    'tools/_words.ts': `export const greeting: string = 'Hello.';`,
  });
  const { tools, problems } = await checkToolFile(folder.path('tools/greet/index.ts'));
  expect(problems).toEqual([]);
  expect(tools.map(({ name, cases }) => [name, cases.flatMap((each) => each.problems)])).toEqual([['greet', []]]);
});
