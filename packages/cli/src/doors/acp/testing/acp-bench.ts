import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  client,
  ndJsonStream,
  type ClientApp,
  type ClientCapabilities,
  type ClientConnection,
  type InitializeResponse,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { startScriptedModel, type ScriptedModel, type ScriptedTurn, type TurnFunction } from '@tenon/core/testing';
import { parseArguments } from '../../../arguments/parse-arguments.js';
import { createExits } from '../../../exits.js';
import { createInterrupts } from '../../../interrupts.js';
import { createOutput, type OutputStream } from '../../../output.js';
import type { Surroundings } from '../../../surroundings.js';
import { runAcp } from '../run-acp.js';

export interface AcpBenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** User settings, as text. */
  readonly settings?: string;
  readonly args?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** The administrator's settings, as text. */
  readonly managed?: string;
  /** False: the environment names no model. */
  readonly hasModel?: boolean;
  readonly delayMs?: number;
  /** The folder where the agent is started; null: a folder that no longer exists. Default: the workspace. */
  readonly startedIn?: string | null;
  /** More of the client: answers to what the agent asks. */
  readonly answers?: (app: ClientApp) => ClientApp;
  readonly permission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
}

/** The door in this process with the official client at the other end of real pipes, and a scripted model behind it. */
export interface AcpBench {
  readonly folder: string;
  readonly workspace: string;
  readonly tenonHome: string;
  readonly model: ScriptedModel;
  readonly connection: ClientConnection;
  readonly request: ClientConnection['agent']['request'];
  readonly initialized: InitializeResponse;
  /** All that the agent told, in the order in which it came. */
  readonly told: readonly SessionNotification[];
  readonly permissions: readonly RequestPermissionRequest[];
  /** What of a kind was told of a session since then. */
  readonly updates: <K extends SessionUpdate['sessionUpdate']>(
    kind: K,
  ) => Extract<SessionUpdate, { sessionUpdate: K }>[];
  /** What the model said, without what Tenon says. */
  readonly answer: () => string;
  readonly newSession: (more?: { readonly cwd?: string }) => Promise<NewSessionResponse>;
  readonly prompt: (sessionId: string, text: string) => Promise<string>;
  /** All lines on standard output, as they were written. */
  readonly lines: () => string[];
  readonly stderr: () => string;
  /** Another client on the same home and workspace. */
  readonly again: (more?: AcpBenchOptions) => Promise<AcpBench>;
  readonly end: () => Promise<void>;
}

type Turns = readonly (ScriptedTurn | TurnFunction)[];

export async function createAcpBench(turns: Turns, options: AcpBenchOptions = {}): Promise<AcpBench> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-acp-')));
  const workspace = path.join(folder, 'work');
  const tenonHome = path.join(folder, 'home', '.tenon');
  await mkdir(workspace);
  await mkdir(tenonHome, { recursive: true });
  for (const [name, content] of Object.entries(options.files ?? {})) {
    await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
    await writeFile(path.join(workspace, name), content);
  }
  if (options.settings !== undefined) await writeFile(path.join(tenonHome, 'settings.json'), options.settings);
  if (options.managed !== undefined) await writeFile(path.join(folder, 'managed.json'), options.managed);
  const model = await startScriptedModel(turns, options.delayMs === undefined ? {} : { delayMs: options.delayMs });
  const ends: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    for (const one of ends) await one();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return await connect({ folder, workspace, tenonHome, model, ends, end }, options);
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly tenonHome: string;
  readonly model: ScriptedModel;
  readonly ends: (() => Promise<void>)[];
  readonly end: () => Promise<void>;
}

async function connect(place: Place, options: AcpBenchOptions): Promise<AcpBench> {
  const { workspace } = place;
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let stdout = '';
  let stderr = '';
  output.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  errors.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const { surroundings, interrupt } = surroundingsOf(place, { input, output, errors }, options);
  const running = runAcp({ surroundings, options: parseArguments(options.args ?? []).options });
  const told: SessionNotification[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const connection = clientOf(options, told, permissions).connect(
    ndJsonStream(
      Writable.toWeb(input) as WritableStream<Uint8Array>,
      Readable.toWeb(output) as ReadableStream<Uint8Array>,
    ),
  );
  place.ends.push(async () => {
    connection.close();
    interrupt();
    await running;
  });
  const request = connection.agent.request.bind(connection.agent);
  const initialized = await connection.agent.request('initialize', {
    protocolVersion: 1,
    ...(options.capabilities !== undefined && { clientCapabilities: options.capabilities }),
  });
  const updates: AcpBench['updates'] = (kind) =>
    told.flatMap(({ update }) => (update.sessionUpdate === kind ? [update as never] : []));
  return {
    ...place,
    connection,
    request,
    initialized,
    told,
    permissions,
    updates,
    answer: () =>
      updates('agent_message_chunk')
        .filter((chunk) => chunk._meta?.['tenon'] === undefined)
        .map(({ content }) => (content.type === 'text' ? content.text : ''))
        .join(''),
    newSession: ({ cwd = workspace } = {}) => connection.agent.request('session/new', { cwd, mcpServers: [] }),
    prompt: async (sessionId, text) => {
      const prompt = [{ type: 'text' as const, text }];
      const answered: PromptResponse = await connection.agent.request('session/prompt', { sessionId, prompt });
      return answered.stopReason;
    },
    lines: () => stdout.split('\n').filter((line) => line !== ''),
    stderr: () => stderr,
    again: (more = {}) => connect(place, { ...options, ...more }),
    end: place.end,
  };
}

function clientOf(
  { answers = (app) => app, permission }: AcpBenchOptions,
  told: SessionNotification[],
  permissions: RequestPermissionRequest[],
): ClientApp {
  const app = client({ name: 'bench' })
    .onNotification('session/update', ({ params }) => void told.push(params))
    .onRequest('session/request_permission', ({ params, signal }) => {
      permissions.push(params);
      return permission?.(params, signal) ?? { outcome: { outcome: 'selected', optionId: 'once' } };
    });
  return answers(app);
}

interface Streams {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly errors: PassThrough;
}

function surroundingsOf(
  { folder, workspace, tenonHome, model }: Place,
  { input, output, errors }: Streams,
  { hasModel = true, managed, startedIn = workspace }: AcpBenchOptions,
): { readonly surroundings: Surroundings; readonly interrupt: () => void } {
  const interrupts = createInterrupts(() => undefined);
  const outputOf = (stream: PassThrough) => createOutput(stream as unknown as OutputStream, {}, () => undefined);
  const err = outputOf(errors);
  const home = path.join(folder, 'home');
  const named = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-secret-key', OPENAI_MODEL: model.model };
  const surroundings: Surroundings = {
    version: '0',
    args: [],
    env: { PATH: process.env['PATH'], HOME: home, ...(hasModel && named) },
    cwd: startedIn ?? undefined,
    userHome: home,
    tenonHome,
    tempFolder: folder,
    ...(managed !== undefined && { managed: { file: path.join(folder, 'managed.json'), owner: process.getuid?.() } }),
    stdin: () => input,
    out: outputOf(output),
    err,
    screen: { output: err, stream: () => errors },
    interrupts,
    exits: createExits(),
    nodePath: process.execPath,
  };
  return { surroundings, interrupt: () => interrupts.interrupt() };
}
