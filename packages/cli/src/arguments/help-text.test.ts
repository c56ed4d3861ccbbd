import { expect, it } from 'vitest';
import { helpText } from './help-text.js';
import { OPTIONS } from './option-table.js';

it('names every option and every exit code', () => {
  const text = helpText();
  for (const option of OPTIONS) expect(text).toContain(`--${option.name}`);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 130, 141])
    expect(text).toMatch(new RegExp(`^ +${code}  [A-Z]`, 'm'));
});
