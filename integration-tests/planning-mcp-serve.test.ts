import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { MAIN, until } from './cli-process.js';
import { createServeBench, isAlive, type Era, type ServeBench } from './mcp/serve-bench.js';

interface Form {
  readonly message: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: unknown;
}

/** What the person behind the client does with a form. */
type Person = (form: Form) => object | Promise<object>;

let bench: ServeBench | undefined;
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close().catch(() => undefined);
  await bench?.end();
  bench = undefined;
});

const QUESTIONS = {
  questions: [
    {
      question: 'Which database?',
      header: 'Database',
      options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
    },
    { question: 'Which parts?', header: 'Parts', options: ['reader', 'writer', 'index'], multiSelect: true },
  ],
};

/** A client of `tenon mcp serve` that can show forms; without `person` it cannot. */
async function connect(era: Era, person?: Person, args: readonly string[] = []) {
  bench ??= await createServeBench({ 'a.txt': 'one\n' });
  const forms: Form[] = [];
  const client = new Client(
    { name: 'editor', version: '1' },
    {
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  clients.push(client);
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const schema = 'requestedSchema' in params ? params.requestedSchema : { properties: {} };
      const form = {
        message: params.message,
        properties: schema.properties,
        required: Reflect.get(schema, 'required'),
      };
      forms.push(form);
      return (await person(form)) as { action: 'accept' };
    });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', 'serve', ...args],
    cwd: bench.workspace,
    env: { PATH: process.env['PATH'] ?? '', HOME: bench.folder, TENON_HOME: `${bench.folder}/home/.tenon` },
    stderr: 'ignore',
  });
  await client.connect(transport);
  const call = async (input: Record<string, unknown>, signal?: AbortSignal) => {
    const result = await client.callTool(
      { name: 'ask_user', arguments: input },
      signal === undefined ? {} : { signal },
    );
    const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    return { text, isError: result.isError === true };
  };
  return { client, call, forms, pid: () => transport.pid ?? 0 };
}

describe.each<Era>(['legacy', 'modern'])('questions of a model behind tenon mcp serve, %s', (era) => {
  it('are one form of the client, and what is filled in is the answer', async () => {
    const { client, call, forms } = await connect(era, () => ({
      action: 'accept',
      content: { answer1: 'Postgres', answer2: ['index', 'reader'], words2: 'and the docs' },
    }));
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'ask_user')?.inputSchema.required).toEqual(['questions']);
    expect(await call(QUESTIONS)).toEqual({
      isError: false,
      text: expect.stringContaining(
        '1. Which database?\n   Postgres\n2. Which parts?\n   reader, index; in their own words: and the docs',
      ) as string,
    });
    expect(forms).toHaveLength(1);
    expect(forms[0]?.message).toContain('one file');
    expect(forms[0]?.required ?? []).toEqual([]);
    expect(forms[0]?.properties).toMatchObject({
      answer1: { type: 'string', title: 'Database', description: 'Which database?', enum: ['SQLite', 'Postgres'] },
      words1: { type: 'string' },
      answer2: { type: 'array', items: { type: 'string', enum: ['reader', 'writer', 'index'] } },
    });
  });

  it('are asked in every mode, and passed over one by one or all', async () => {
    const answers: object[] = [
      { action: 'accept', content: { answer2: ['writer'] } },
      { action: 'accept', content: {} },
      { action: 'accept' },
    ];
    const { call, forms } = await connect(era, () => answers.shift() ?? {}, ['--approval-mode', 'yolo']);
    expect((await call(QUESTIONS)).text).toContain('1. Which database?\n   (no answer)\n2. Which parts?\n   writer');
    expect((await call(QUESTIONS)).text).toContain('chose no answer. Decide yourself');
    expect((await call(QUESTIONS)).text).toContain('chose no answer. Decide yourself');
    expect(forms).toHaveLength(3);
  });

  it('are declined and dismissed, and the model is told to decide or to stop', async () => {
    const answers: object[] = [{ action: 'decline' }, { action: 'cancel' }];
    const { call } = await connect(era, () => answers.shift() ?? {});
    for (let round = 0; round < 2; round += 1)
      expect(await call(QUESTIONS)).toEqual({
        isError: true,
        text: expect.stringContaining('did not want to answer') as string,
      });
  });

  it('tell a client without forms that nobody can be asked, in no mode otherwise', async () => {
    const { call } = await connect(era, undefined, ['--approval-mode', 'yolo']);
    expect(await call(QUESTIONS)).toEqual({
      isError: true,
      text: expect.stringContaining('cannot put questions to the user') as string,
    });
  });

  it('say what is wrong with them before anybody sees them', async () => {
    const { call, forms } = await connect(era, () => ({ action: 'cancel' }));
    expect((await call({ questions: [{ question: 'x?', options: ['a', 'a'] }] })).text).toContain('labels that differ');
    expect((await call({ questions: [] })).isError).toBe(true);
    expect(forms).toEqual([]);
  });

  it('show no escape sequence and no hidden letter of the model', async () => {
    const { call, forms } = await connect(era, () => ({ action: 'accept', content: { answer1: 'y' } }));
    const question = 'Sure\u001b[2J\u202e?\u200b';
    expect((await call({ questions: [{ question, options: ['y', 'n'] }] })).isError).toBe(false);
    expect(JSON.stringify(forms)).not.toMatch(/\\u001b|\u202e|\u200b/);
  });

  it('end with the client that is asked', async () => {
    let asked = false;
    const { client, call, pid } = await connect(era, () => {
      asked = true;
      return new Promise<object>(() => undefined);
    });
    if (era === 'legacy') {
      const stop = new AbortController();
      const given = call(QUESTIONS, stop.signal).catch((thrown: unknown) => String(thrown));
      await until(() => asked, 'the form');
      stop.abort(new Error('given up'));
      expect(await given).toContain('given up');
      asked = false;
    }
    // In the newer protocol nothing runs in the server while a form is open: the call is made again with the answer.
    void call(QUESTIONS).catch(() => undefined);
    await until(() => asked, 'the form that nobody answers');
    const server = pid();
    await client.close();
    await until(() => !isAlive(server), 'the end of the server');
  });
});
