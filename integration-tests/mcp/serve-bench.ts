import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN, until } from '../cli-process.js';

export { isAlive } from '../is-alive.js';

export type Era = 'legacy' | 'modern';
export type Way = 'stdio' | 'http';

/** What a client's person answers to a question. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string>;
}

export const ONCE: Answer = { action: 'accept', content: { decision: 'allow once' } };
export const SESSION: Answer = { action: 'accept', content: { decision: 'allow for this session' } };

export interface ConnectOptions {
  readonly era: Era;
  readonly way: Way;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: the client cannot ask. */
  readonly answer?: (message: string, choices: readonly string[]) => Answer | Promise<Answer>;
  /** Folders; absent: the client has no roots. */
  readonly roots?: () => readonly string[];
}

export interface Connected {
  readonly client: Client;
  /** Of the server, where the client started it. */
  readonly pid: () => number | undefined;
  /** What the person was asked. */
  readonly asked: string[];
  readonly stderr: () => string;
  readonly call: (name: string, args: object, options?: Parameters<Client['callTool']>[1]) => Promise<CallAnswer>;
}

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  readonly stderr: () => string;
}

export interface ServeBench {
  readonly folder: string;
  readonly workspace: string;
  readonly connect: (options: ConnectOptions) => Promise<Connected>;
  /** A server over HTTP, for as long as the bench. */
  readonly http: (args?: readonly string[], env?: Readonly<Record<string, string>>) => Promise<HttpServer>;
  /** The program itself, with pipes. */
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => ChildProcess;
  readonly end: () => Promise<void>;
}

/** A workspace that Tenon serves, and clients of it. */
export async function createServeBench(files: Readonly<Record<string, string>> = {}): Promise<ServeBench> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-serve-')));
  const workspace = path.join(folder, 'work');
  await mkdir(path.join(folder, 'home'), { recursive: true });
  await mkdir(workspace);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
    await writeFile(path.join(workspace, name), content);
  }
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: path.join(folder, 'home'),
    TENON_HOME: path.join(folder, 'home', '.tenon'),
    TMPDIR: folder,
  };
  const children: ChildProcess[] = [];
  const clients: Client[] = [];

  const start: ServeBench['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [MAIN, 'mcp', 'serve', ...args], {
      cwd: workspace,
      env: { ...environment, ...env },
      stdio: 'pipe',
    });
    child.stdin.on('error', () => undefined);
    children.push(child);
    return child;
  };

  const http: ServeBench['http'] = async (args = [], env = {}) => {
    const child = start(['--http', '0', ...args], env);
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await until(() => /Serving MCP at \S+/.test(text), `the address in ${text}`);
    const url = /Serving MCP at (\S+)/.exec(text)?.[1] ?? '';
    if (env['TENON_MCP_TOKEN'] === undefined) await until(() => /Bearer \S+/.test(text), `the token in ${text}`);
    const token = env['TENON_MCP_TOKEN'] ?? /Bearer (\S+)/.exec(text)?.[1] ?? '';
    return { url, token, child, stderr: () => text };
  };

  const connect: ServeBench['connect'] = async (options) => {
    const asked: string[] = [];
    const client = clientFor(options, asked);
    clients.push(client);
    const place = { workspace, environment: { ...environment, ...options.env }, http };
    const { stderr, pid } = await (options.way === 'stdio' ? overStdio : overHttp)(client, options, place);
    const call: Connected['call'] = async (name, input, more) => {
      const result = await client.callTool({ name, arguments: { ...input } }, more);
      const text = result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
      return { text, isError: result.isError === true, structured: result.structuredContent };
    };
    return { client, pid, asked, stderr, call };
  };

  const end = async (): Promise<void> => {
    for (const client of clients) {
      client.onerror = () => undefined;
      await client.close().catch(() => undefined);
    }
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
    }
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, workspace, connect, http, start, end };
}

/** What can ask, and has folders, as the options say. */
function clientFor({ era, answer, roots }: ConnectOptions, asked: string[]): Client {
  const client = new Client(
    { name: 'serve-test', version: '1' },
    {
      capabilities: {
        ...(answer !== undefined && { elicitation: { form: {} } }),
        ...(roots !== undefined && { roots: { listChanged: true } }),
      },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      const schema: unknown = 'requestedSchema' in params ? params.requestedSchema.properties['decision'] : {};
      return { ...(await answer(params.message, (schema as { enum?: string[] }).enum ?? [])) };
    });
  }
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots().map((root) => ({ uri: pathToFileURL(root).href, name: path.basename(root) })),
    }));
  }
  return client;
}

interface Place {
  readonly workspace: string;
  readonly environment: Record<string, string>;
  readonly http: ServeBench['http'];
}

type Reached = Pick<Connected, 'stderr' | 'pid'>;

async function overStdio(client: Client, { args = [] }: ConnectOptions, place: Place): Promise<Reached> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', 'serve', ...args],
    cwd: place.workspace,
    env: place.environment,
    stderr: 'pipe',
  });
  let text = '';
  transport.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await client.connect(transport);
  return { stderr: () => text, pid: () => transport.pid ?? undefined };
}

async function overHttp(client: Client, { args, env }: ConnectOptions, { http }: Place): Promise<Reached> {
  const server = await http(args, env);
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  return { stderr: server.stderr, pid: () => server.child.pid };
}
