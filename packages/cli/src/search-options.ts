import type { LoadedSettings, ToolSystemOptions } from '@tenon/core';

/** What the settings come to for searching the web. Pure. */
export function searchOptions({ values }: Pick<LoadedSettings, 'values'>): Pick<ToolSystemOptions, 'webSearch'> {
  const provider = values['webSearch.provider']?.value;
  const usual = values['webSearch.default']?.value;
  const providers = values['webSearch.providers']?.value;
  return {
    webSearch: {
      ...(provider !== undefined && { provider }),
      ...(usual !== undefined && { default: usual }),
      ...(providers !== undefined && { providers }),
    },
  };
}
