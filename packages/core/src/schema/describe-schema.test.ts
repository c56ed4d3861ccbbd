import { expect, it } from 'vitest';
import { noteOf } from './describe-schema.js';

it.each([
  [
    'Only files like this, e.g. "src/**"; "!x" excludes. Default: all.',
    'Only files like this, e.g. "src/**"; "!x" excludes',
  ],
  ['In a folder (i.e. not a file). More.', 'In a folder (i.e. not a file)'],
  ['Names, sizes, etc. are shown! And more', 'Names, sizes, etc. are shown!'],
  ['Version 1.5 of it. More.', 'Version 1.5 of it'],
  ['No end', 'No end'],
])('%s: the note is its first sentence', (description, note) => {
  expect(noteOf({ description })).toBe(note);
});
