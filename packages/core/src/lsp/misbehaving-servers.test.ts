import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLanguageProject, textOf, type LanguageProject } from '../testing/language-project.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import type { LanguageServersOptions } from './language-servers.js';
import { readServerSpecs } from './server-spec.js';

const SCRIPT = fileURLToPath(new URL('misbehaving-server.mjs', import.meta.url));
const HOVER = { operation: 'hover', filePath: 'a.odd', line: 1, character: 1 } as const;

const shared = await createTempWorkspace();
afterAll(async () => shared.remove());

const projects: LanguageProject[] = [];
afterEach(async () => {
  for (const project of projects.splice(0)) await project.remove();
});

async function projectWith(
  words: readonly string[],
  options: Partial<LanguageServersOptions> = {},
): Promise<LanguageProject> {
  const limits = { startup: 1_000, request: 700, load: 1_000, shutdown: 300 };
  const entry = { command: process.execPath, args: [SCRIPT, ...words], extensionToLanguage: { '.odd': 'odd' } };
  const own = readServerSpecs({ odd: entry });
  const project = await createLanguageProject({ 'a.odd': 'fine\n', 'b.odd': 'BAD old\n' }, { limits, ...options, own });
  projects.push(project);
  return project;
}

describe('a language server that misbehaves', { timeout: 30_000 }, () => {
  it('is asked, and answers, where it does not', async () => {
    const project = await projectWith(['fine']);
    expect(await project.ask(HOVER)).toContain('asked fine');
  });

  it.each([
    ['silent', /lsp_start_failed: odd could not be started: the server did not answer initialize within 1000 ms/],
    ['dies-at-start', /lsp_start_failed: odd could not be started: .*exit code 2 \(cannot find its library\)/],
    ['never', /lsp_timeout: odd: the server did not answer textDocument\/hover within 700 ms/],
    ['wrong-ids', /lsp_timeout/],
    ['dies', /lsp_server_ended: odd: the server ended with exit code 3/],
    ['floods', /lsp_(timeout|server_ended)/],
  ])('%s: the call ends with the reason', async (word, expected) => {
    const project = await projectWith([word]);
    expect(await project.ask(HOVER)).toMatch(expected);
  });

  it('is started again when it dies, but not for ever', async () => {
    const project = await projectWith(['dies']);
    for (let time = 0; time < 3; time += 1) await project.ask(HOVER);
    expect(await project.ask(HOVER)).toMatch(/ended by itself \d times within minutes/);
  });

  it('answers the same call when it died once', async () => {
    const project = await projectWith(['dies-once', shared.path('once')]);
    expect(await project.ask(HOVER)).toContain('asked dies-once');
  });

  it('is not started in a folder that is not trusted, and the model is not told of the tool', async () => {
    const project = await projectWith(['fine'], { isTrusted: false });
    expect(await project.ask(HOVER)).toMatch(/ERROR lsp_untrusted_folder/);
    expect(project.servers.running()).toEqual([]);
    const offered = project.config.getToolRegistry().getToolsForModel();
    expect(offered.map(({ name }) => name)).not.toContain('lsp');
  });

  it('says what it does not offer, and never takes that for an empty answer', async () => {
    const project = await projectWith(['fine']);
    const answer = await project.ask({ ...HOVER, operation: 'findReferences' });
    expect(answer).toMatch(/ERROR lsp_unsupported: findReferences is not supported by this server/);
  });

  it('that never says that it has loaded is answered with a warning', async () => {
    const project = await projectWith(['loading']);
    expect(await project.ask(HOVER)).toContain('still loading the project');
    expect(await project.ask({ operation: 'diagnostics', filePath: 'a.odd' })).toMatch(/ERROR lsp_could_not_check/);
  });

  it('that publishes nothing has not found a file clean', async () => {
    const project = await projectWith(['mute']);
    await project.ask(HOVER);
    const edit = { file_path: project.workspace.path('a.odd'), old_string: 'fine', new_string: 'BAD' };
    const [end] = await project.call(['edit', edit]);
    expect(end === undefined ? '' : textOf(end)).toContain('Could not check a.odd');
  });

  it.each(['fine', 'stale'])('%s: new diagnostics are those of the new text', async (word) => {
    const project = await projectWith([word]);
    await project.ask({ operation: 'diagnostics', filePath: 'b.odd' });
    const path = project.workspace.path('b.odd');
    const [end] = await project.call([
      'edit',
      { file_path: path, old_string: 'BAD old', new_string: '\nBAD old\nBAD new' },
    ]);
    const text = end === undefined ? '' : textOf(end);
    expect(text).toContain('b.odd:3:1  error test: BAD new');
    expect(text).not.toContain('error test: BAD old');
    const [again] = await project.call(['edit', { file_path: path, old_string: 'BAD new', new_string: 'good' }]);
    expect(again === undefined ? '' : textOf(again)).toContain(
      'No new diagnostics (odd). 1 diagnostic of before remains.',
    );
  });

  it('is stopped when it is idle, and in order', async () => {
    const project = await projectWith(['fine', shared.path('log')], { idleMs: 50 });
    await project.ask(HOVER);
    await expect.poll(() => project.servers.running().length).toBe(0);
    const said = async (): Promise<string[]> => (await shared.read('log').catch(() => '')).split('\n');
    await expect.poll(async () => (await said()).includes('shutdown')).toBe(true);
    expect(await said()).toContain('textDocument/didOpen');
  });
});
