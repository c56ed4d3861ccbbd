import type { SearchProviderName } from './provider-table.js';
import type { ProviderMapping } from './search-types.js';

/** One provider's API, loaded when it is asked. */
export async function loadProvider(name: SearchProviderName): Promise<ProviderMapping> {
  switch (name) {
    case 'tavily':
      return (await import('./providers/tavily.js')).tavily;
    case 'brave':
      return (await import('./providers/brave.js')).brave;
    case 'exa':
      return (await import('./providers/exa.js')).exa;
    case 'serpapi':
      return (await import('./providers/serpapi.js')).serpapi;
    case 'google':
      return (await import('./providers/google.js')).google;
    case 'dashscope':
      return (await import('./providers/dashscope.js')).dashscope;
    case 'searxng':
      return (await import('./providers/searxng.js')).searxng;
    default:
      return name satisfies never;
  }
}
