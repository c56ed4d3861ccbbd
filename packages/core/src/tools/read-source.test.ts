import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createAgent } from '../create-agent.js';
import type { CallContext } from '../effects/call-context.js';
import type { Acquaintance } from '../files/file-versions.js';
import { contentHash } from '../files/write-handle.js';
import { createOpenAiChatModel } from '../models/openai-chat.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import { startScriptedModel } from '../testing/scripted-model-server.js';
import { createTempConfig } from '../testing/temp-config.js';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { ReadFileTool, type ReadFileToolParams } from './read-file.js';
import { ReadManyFilesTool } from './read-many-files.js';
import type { ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
const tool = new ReadFileTool(config);
afterEach(reset);
afterAll(remove);

const { signal } = new AbortController();
const long = Array.from({ length: 300 }, (_, index) => `line number ${index}\n`).join('');
const shown = new Set<string>();
let calls = 0;

function caller(agent?: string): CallContext {
  calls += 1;
  const callId = `c${calls}`;
  shown.add(callId);
  const who = agent === undefined ? {} : { agent };
  return { callId, toolName: 'read', title: 'Read', ...who, stillShown: (id) => shown.has(id) };
}

async function read(
  agent: string | undefined,
  name: string,
  more: Partial<ReadFileToolParams> = {},
): Promise<ToolResult> {
  return tool.build({ absolute_path: workspace.path(name), ...more }).execute(signal, undefined, caller(agent));
}

async function known(agent: string, name: string): Promise<Acquaintance> {
  const hash = contentHash(await readFile(workspace.path(name)));
  return config.getFileVersions().acquaintance(agent, workspace.path(name), { hash });
}

describe('what a read leaves behind', () => {
  it('is the version and the lines that the agent saw', async () => {
    await workspace.write({ 'seen.txt': long });
    await read('a', 'seen.txt', { limit: 100 });
    expect(await known('a', 'seen.txt')).toEqual({ known: 'part', next: 100 });
    expect(await known('b', 'seen.txt')).toEqual({ known: 'nothing' });
    await read('a', 'seen.txt', { offset: 100 });
    expect(await known('a', 'seen.txt')).toEqual({ known: 'all' });
    await workspace.write({ 'seen.txt': 'other\n' });
    expect(await known('a', 'seen.txt')).toMatchObject({ known: 'older' });
  });

  it('holds the text of a file that was shown whole, as it stands', async () => {
    for (const [index, text] of ['one\r\ntwo', 'one\n\n', 'x'].entries()) {
      const name = `text${index}.txt`;
      await workspace.write({ [name]: text });
      await read('a', name);
      await workspace.write({ [name]: 'changed' });
      expect(await known('a', name)).toMatchObject({ known: 'older', seen: text });
    }
  });

  it('is the whole line for who went on in it to its end', async () => {
    await workspace.write({ 'line.txt': 'x'.repeat(60_000) });
    let { llmContent } = await read('a', 'line.txt');
    for (let reads = 0; reads < 2; reads += 1) {
      expect(await known('a', 'line.txt')).toEqual({ known: 'part', next: 0 });
      const column = Number(/column: (\d+)/.exec(JSON.stringify(llmContent))?.[1]);
      ({ llmContent } = await read('a', 'line.txt', { column }));
    }
    expect(await known('a', 'line.txt')).toEqual({ known: 'all' });
  });

  it('is all of an empty file, of one that is no text, and of a picture', async () => {
    await workspace.write({
      'empty.txt': '',
      'a.gz': Buffer.from([0x1f, 0x8b, 8, 0, 0]),
      'big.bin': Buffer.alloc(2 * 1024 * 1024),
      'a.png': Buffer.from('89504e470d0a1a0a0000', 'hex'),
      'a.pdf': '%PDF-1.4\n',
    });
    for (const name of ['empty.txt', 'a.gz', 'big.bin', 'a.png', 'a.pdf']) {
      await read('a', name);
      expect([name, await known('a', name)]).toEqual([name, { known: 'all' }]);
    }
  });

  it('is nothing when no agent reads, or nothing was read', async () => {
    await workspace.write({ 'no.txt': long });
    await read(undefined, 'no.txt');
    expect(config.getFileVersions().acquaintance('undefined', workspace.path('no.txt'), {})).toEqual({
      known: 'nothing',
    });
    await read('a', 'no.txt', { offset: 10_000 });
    expect(await known('a', 'no.txt')).toEqual({ known: 'part', next: 0 });
  });

  it('is left by the tool for many files too', async () => {
    await workspace.write({ 'm1.txt': 'one\n', 'm2.txt': 'x\n'.repeat(5000) });
    await new ReadManyFilesTool(config).build({ paths: ['m1.txt', 'm2.txt'] }).execute(signal, undefined, caller('a'));
    expect(await known('a', 'm1.txt')).toEqual({ known: 'all' });
    expect(await known('a', 'm2.txt')).toEqual({ known: 'part', next: 2000 });
  });
});

describe('the same read again', () => {
  const UNCHANGED = /^\[Unchanged since it was read before: .*\. Lines 1-300 of 300, as given above, still hold\./;

  it('is answered in one line, and once more in full', async () => {
    await workspace.write({ 'again.txt': long });
    const { llmContent: first } = await read('a', 'again.txt');
    expect((await read('a', 'again.txt', { offset: 0 })).llmContent).toMatch(UNCHANGED);
    expect((await read('a', 'again.txt')).llmContent).toBe(first);
    expect((await read('a', 'again.txt')).llmContent).toMatch(UNCHANGED);
    expect(await known('a', 'again.txt')).toEqual({ known: 'all' });
  });

  it('is answered in full for other lines, another agent, a person, and after a change', async () => {
    await workspace.write({ 'full.txt': long });
    await read('a', 'full.txt');
    const answers = [
      await read('a', 'full.txt', { offset: 1 }),
      await read('b', 'full.txt'),
      await read(undefined, 'full.txt'),
      await read(undefined, 'full.txt'),
    ];
    await workspace.write({ 'full.txt': `${long}more\n` });
    answers.push(await read('a', 'full.txt'));
    for (const { llmContent } of answers) expect(llmContent).toContain('→line number 200\n');
  });

  it('is answered in full when the first answer is no longer shown, or is short (S73)', async () => {
    await workspace.write({ 'gone.txt': long, 'short.txt': 'a\n' });
    const { llmContent: first } = await read('a', 'gone.txt');
    shown.clear();
    expect((await read('a', 'gone.txt')).llmContent).toBe(first);
    await read('a', 'short.txt');
    expect((await read('a', 'short.txt')).llmContent).toBe('1→a');
  });

  it('is answered so to a model in a conversation', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
    const place = await createTempWorkspace({ 'a.txt': long });
    const call = { toolCalls: [{ name: 'read_file', arguments: { absolute_path: place.path('a.txt') } }] };
    const model = await startScriptedModel([call, call, call, { text: 'ok' }]);
    const agent = await createAgent({
      roots: [place.root],
      tenonHome: home,
      userHome: home,
      approvalMode: ApprovalMode.YOLO,
      rules: [],
      environment: {},
      model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
      version: 'test',
    });
    try {
      const answers: string[] = [];
      for await (const event of agent.prompt('read it thrice')) {
        if (event.type === 'tool-call-end') answers.push(JSON.stringify(event.content));
      }
      expect(answers).toHaveLength(3);
      expect(answers[0]).toContain('line number 299');
      expect(answers[1]).toContain('Unchanged since it was read before');
      expect(answers[2]).toContain('line number 299');
    } finally {
      await agent.close();
      await model.close();
      await place.remove();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
