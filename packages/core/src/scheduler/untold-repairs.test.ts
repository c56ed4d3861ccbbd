import { expect, it } from 'vitest';
import { untoldRepairs } from './untold-repairs.js';

it('tells each kind of repair once, for each tool, whatever the values are', () => {
  const told = new Set<string>();
  const alias = '`file_path` was read as `absolute_path`.';
  expect(untoldRepairs(told, 'read_file', [alias])).toEqual([alias]);
  expect(untoldRepairs(told, 'read_file', [alias])).toEqual([]);
  expect(untoldRepairs(told, 'write_file', [alias])).toEqual([alias]);
  const number = (text: string): string => `\`limit\`: the string "${text}" was read as the number ${text}.`;
  expect(untoldRepairs(told, 'read_file', [number('5'), alias])).toEqual([number('5')]);
  expect(untoldRepairs(told, 'read_file', [number('70')])).toEqual([]);
  expect(untoldRepairs(undefined, 'read_file', [alias, alias])).toEqual([alias, alias]);
});
