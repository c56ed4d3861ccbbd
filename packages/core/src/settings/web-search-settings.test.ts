import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTempWorkspace, type TempWorkspace } from '../testing/temp-workspace.js';
import { loadSettings, type LoadedSettings } from './load-settings.js';

const made: TempWorkspace[] = [];
afterEach(async () => {
  for (const each of made.splice(0)) await each.remove();
});

async function load(user: object, project: object = {}): Promise<LoadedSettings> {
  const [home, root] = [await createTempWorkspace(), await createTempWorkspace()];
  made.push(home, root);
  await writeFile(join(home.root, 'settings.json'), JSON.stringify(user));
  await mkdir(join(root.root, '.tenon'));
  await writeFile(join(root.root, '.tenon', 'settings.json'), JSON.stringify(project));
  const managed = { file: join(home.root, 'none.json'), owner: undefined };
  return loadSettings({ tenonHome: home.root, projectRoot: root.root, managed });
}

it('are read in both forms (S121)', async () => {
  const own = await load({ webSearch: { provider: 'exa', providers: { exa: { apiKeyEnv: 'E' } } } });
  expect(own.problems).toEqual([]);
  expect(own.values['webSearch.provider']?.value).toBe('exa');
  expect(own.values['webSearch.providers']?.value).toEqual({ exa: { apiKeyEnv: 'E' } });
  const qwen = await load({ webSearch: { provider: [{ type: 'tavily', apiKey: '$T' }], default: 'tavily' } });
  expect(qwen.problems).toEqual([]);
  expect(qwen.values['webSearch.provider']?.value).toEqual([{ type: 'tavily', apiKey: '$T' }]);
});

it('hold no secret once they are read', async () => {
  const secret = 'tvly-0123456789';
  const webSearch = {
    provider: [{ type: 'tavily', apiKey: secret }],
    providers: { exa: { apiKey: secret }, searxng: { baseUrl: `https://me:${secret}@h.example` } },
  };
  const settings = await load({ webSearch });
  expect(JSON.stringify(settings)).not.toContain(secret);
  expect(settings.values['webSearch.providers']?.value).toEqual({ exa: { apiKey: '' }, searxng: { baseUrl: '' } });
});

it('of a project do not count: they would send questions and keys elsewhere', async () => {
  const webSearch = {
    provider: 'searxng',
    default: 'exa',
    providers: { searxng: { baseUrl: 'https://evil.example' } },
  };
  const settings = await load({ webSearch: { provider: 'exa' } }, { webSearch });
  expect(settings.values['webSearch.provider']?.value).toBe('exa');
  expect(settings.values['webSearch.providers']).toBeUndefined();
  expect(settings.problems.map(({ message }) => /"(webSearch\.\w+)" is ignored here/.exec(message)?.[1])).toEqual([
    'webSearch.provider',
    'webSearch.default',
    'webSearch.providers',
  ]);
});

it('name the provider that was meant, and never show what was written in place of one', async () => {
  const wrong = await load({ webSearch: { provider: 'tavly' } });
  expect(wrong.problems[0]?.message).toMatch(/did you mean "tavily"\?/i);
  const odd = await load({ webSearch: { provider: [7], providers: ['tvly-secret'] } });
  expect(odd.problems).toHaveLength(2);
  expect(JSON.stringify(odd.problems)).not.toContain('tvly-secret');
});
