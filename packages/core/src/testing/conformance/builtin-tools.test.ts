import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../config/config.js';
import { ToolNames } from '../../tools/tool-names.js';
import type { BaseTool } from '../../tools/tools.js';
import { startPageServer, type PageServer } from '../page-server.js';
import { createTempConfig } from '../temp-config.js';
import { conformanceCases } from './conformance-cases.js';
import { schemaFaults } from './schema-faults.js';
import type { ConformanceOptions, ConformancePlace } from './conformance-types.js';

let pages: PageServer;

beforeAll(async () => {
  pages = await startPageServer({
    '/page': (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Title</h1><p>Words.</p>'),
  });
});
afterAll(async () => {
  await pages.close();
});

const ENTRIES = {
  'a.txt': 'one\ntwo\n',
  'b.txt': 'three\n',
  'sub/c.txt': 'two again\n',
  '.gitignore': 'ignored\n',
  ignored: 'two\n',
};

function tried(
  make: (path: (name: string) => string, place: ConformancePlace) => readonly object[],
): ConformanceOptions {
  return { entries: ENTRIES, examples: (place) => make((name) => `${place.root}/${name}`, place) };
}

const named = (config: Config, name: string): BaseTool => {
  const tool = config.getToolRegistry().getTool(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

async function runJob({ config }: ConformancePlace): Promise<void> {
  const started = await named(config, ToolNames.SHELL).execute(
    { command: 'echo hi', is_background: true },
    new AbortController().signal,
  );
  expect(started.error).toBeUndefined();
}

const PATCH =
  '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n two\n*** Add File: new/d.txt\n+made\n*** Delete File: b.txt\n*** End Patch\n';

/** How each of them is tried. Those that need a model, a person, a server or a language server are not here. */
const TRIED: Readonly<Record<string, ConformanceOptions>> = {
  [ToolNames.READ_FILE]: tried((path) => [
    { absolute_path: path('a.txt') },
    { absolute_path: path('b.txt'), limit: 1 },
  ]),
  [ToolNames.READ_MANY_FILES]: tried((path) => [{ paths: ['**/*.txt'] }, { paths: [path('a.txt')] }]),
  [ToolNames.LS]: tried((path) => [{ path: path('.') }, { path: path('sub'), depth: 2 }]),
  [ToolNames.GLOB]: tried(() => [{ pattern: '**/*.txt' }]),
  [ToolNames.GREP]: {
    ...tried((path) => [{ pattern: 'two' }, { pattern: 'two', path: path('sub'), output_mode: 'count' }]),
    ownPrograms: (line) => /\/rg(?:\.exe)? --no-config /.test(line),
  },
  [ToolNames.EDIT]: tried((path) => [
    { file_path: path('a.txt'), old_string: 'one', new_string: '1' },
    { file_path: path('new/e.txt'), old_string: '', new_string: 'made' },
  ]),
  [ToolNames.APPLY_PATCH]: tried(() => [{ patch: PATCH }]),
  [ToolNames.WRITE_FILE]: tried((path) => [
    { file_path: path('a.txt'), content: 'other\n' },
    { file_path: path('deep/er/f.txt'), content: 'made\n' },
  ]),
  [ToolNames.SHELL]: tried(() => [
    { command: 'cat a.txt > copy.txt && echo done' },
    { command: 'sleep 2' },
    { command: 'pwd' },
  ]),
  [ToolNames.JOB_LIST]: { ...tried(() => [{}]), prepare: runJob },
  [ToolNames.JOB_OUTPUT]: {
    ...tried(() => [{ id: 'job-1', timeout: 0 }]),
    prepare: runJob,
  },
  [ToolNames.WEB_FETCH]: {
    ...tried(() => [{ url: `${pages.origin}/page` }]),
    get config() {
      return { web: { allowPrivateHosts: [`localhost:${pages.port}`] } };
    },
  },
  [ToolNames.TODO_WRITE]: tried(() => [{ todos: [{ id: '1', content: 'do', status: 'pending' }] }]),
  [ToolNames.SAVE_MEMORY]: tried(() => [{ fact: 'Tests run with vitest.' }]),
};

describe.each(Object.keys(TRIED))('%s', (name) => {
  for (const { name: holds, run } of conformanceCases((config) => named(config, name), TRIED[name])) it(holds, run);
});

describe('the built-in tools', () => {
  it('say what they are for, and what each parameter means; what is wrong is answered with what to do (S137)', async () => {
    const temp = await createTempConfig();
    try {
      const tools = temp.config.getToolRegistry().getAllTools();
      expect(tools.length).toBeGreaterThan(20);
      for (const tool of tools) {
        expect(tool.description, tool.name).toMatch(/^[A-Z].{40,}/s);
        expect(schemaFaults(tool.schema, tool.description), tool.name).toEqual([]);
        const [required] = (tool.schema as { readonly required?: readonly string[] }).required ?? [];
        const unknown = tool.validateToolParams({ no_such_parameter: 1 });
        expect(unknown, tool.name).toContain(required ?? 'no_such_parameter');
        const result = await tool.invoke({ no_such_parameter: 1 }).execute(new AbortController().signal);
        expect(result.error, tool.name).toMatchObject({ type: 'invalid_tool_params' });
      }
    } finally {
      await temp.remove();
    }
  });

  it('are all tried but for those that need somebody else', async () => {
    const temp = await createTempConfig();
    const all = temp.config
      .getToolRegistry()
      .getAllTools()
      .map((tool) => tool.name);
    await temp.remove();
    const needy: readonly string[] = [
      ToolNames.LSP,
      ToolNames.WEB_SEARCH,
      ToolNames.TASK,
      ToolNames.SKILL,
      ToolNames.ASK_USER,
      ToolNames.ENTER_PLAN_MODE,
      ToolNames.EXIT_PLAN_MODE,
      // Each needs a job that runs, and ending one takes its time.
      ToolNames.JOB_INPUT,
      ToolNames.JOB_STOP,
    ];
    expect(all.filter((each) => TRIED[each] === undefined && !needy.includes(each))).toEqual([]);
  });
});
