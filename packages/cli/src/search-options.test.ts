import { expect, it } from 'vitest';
import { searchOptions } from './search-options.js';

const of = <T>(value: T) => ({ value, origin: 'test' });

it('hands on what the settings say of searching the web, and nothing where they say nothing', () => {
  expect(searchOptions({ values: {} })).toEqual({ webSearch: {} });
  const values = {
    'webSearch.provider': of('exa' as const),
    'webSearch.default': of('brave' as const),
    'webSearch.providers': of({ exa: { apiKeyEnv: 'E' } }),
  };
  expect(searchOptions({ values })).toEqual({
    webSearch: { provider: 'exa', default: 'brave', providers: { exa: { apiKeyEnv: 'E' } } },
  });
});
