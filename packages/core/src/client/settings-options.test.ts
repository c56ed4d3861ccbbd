import { expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { loadSettings } from '../settings/load-settings.js';
import { settingsOptions } from './settings-options.js';

async function optionsFor(settings: object) {
  const home = await createTempWorkspace({ '.tenon/settings.json': JSON.stringify(settings), 'work/a.txt': '' });
  try {
    const loaded = await loadSettings({
      tenonHome: home.path('.tenon'),
      projectRoot: home.path('work'),
      userHome: home.root,
      variables: {},
      managed: { file: home.path('machine/settings.json'), owner: process.getuid?.() },
    });
    return settingsOptions(loaded);
  } finally {
    await home.remove();
  }
}

it('hands on what the settings say of searching the web, and nothing where they say nothing', async () => {
  expect((await optionsFor({})).webSearch).toEqual({});
  const webSearch = { provider: 'exa', default: 'brave', providers: { exa: { apiKeyEnv: 'E' } } };
  expect((await optionsFor({ webSearch })).webSearch).toEqual(webSearch);
});

it('hands on what the settings say of telemetry, and nothing where they switch nothing on', async () => {
  expect(await optionsFor({ telemetry: { content: true, headers: { a: 'b' } } })).not.toHaveProperty('telemetry');
  const { telemetry } = await optionsFor({
    telemetry: { endpoint: 'http://localhost:4318', metricsIntervalSeconds: 5 },
  });
  expect(telemetry).toEqual({ endpoint: 'http://localhost:4318', metricsIntervalSeconds: 5 });
});

it('hands on the names and the budget of context files, as those of a folder that nobody trusts', async () => {
  const { memory } = await optionsFor({ context: { fileNames: ['NOTES.md'], maxMemoryBytes: 9000 } });
  expect(memory).toEqual({ fileNames: ['NOTES.md'], maxBytes: 9000, isTrusted: false });
});
