import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentEvent } from '@tenon/core';
import { startScriptedModel, type ScriptedModel, type ScriptedTurn, type TurnFunction } from '@tenon/core/testing';

/** The built command line, as it is shipped. */
export const MAIN = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url));

export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly finished: Promise<Finished>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: nothing, closed at once. Null: it stays open. */
  readonly stdin?: string | Uint8Array | null;
}

/** A workspace with a scripted model beside it, and command lines run in it. All of it goes with `end`. */
export interface Bench {
  readonly workspace: string;
  readonly tenonHome: string;
  readonly model: ScriptedModel;
  readonly start: (args: readonly string[], options?: RunOptions) => Running;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Finished>;
  readonly end: () => Promise<void>;
}

export interface BenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Below Tenon's own folder. */
  readonly home?: Readonly<Record<string, string>>;
  /** User settings, as text. */
  readonly settings?: string;
  readonly delayMs?: number;
}

/** What the program finds in its environment: a home, and the scripted model. */
export function programEnvironment({ tenonHome, model }: Pick<Bench, 'tenonHome' | 'model'>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: path.dirname(tenonHome),
    TENON_HOME: tenonHome,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'sk-secret-key',
    OPENAI_MODEL: model.model,
  };
}

/** Beside that of a bench: no model is configured. */
export const NO_MODEL: Readonly<Record<string, string>> = { OPENAI_BASE_URL: '', OPENAI_API_KEY: '', OPENAI_MODEL: '' };

export async function createBench(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  { files = {}, home = {}, settings, delayMs }: BenchOptions = {},
): Promise<Bench> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-cli-')));
  const workspace = path.join(folder, 'work');
  const tenonHome = path.join(folder, 'home', '.tenon');
  await mkdir(workspace);
  await mkdir(tenonHome, { recursive: true });
  for (const [folderOf, entries] of [
    [workspace, files],
    [tenonHome, home],
  ] as const)
    for (const [name, content] of Object.entries(entries)) {
      await mkdir(path.dirname(path.join(folderOf, name)), { recursive: true });
      await writeFile(path.join(folderOf, name), content);
    }
  if (settings !== undefined) await writeFile(path.join(tenonHome, 'settings.json'), settings);
  const model = await startScriptedModel(turns, delayMs === undefined ? {} : { delayMs });
  const environment = { ...programEnvironment({ tenonHome, model }), TMPDIR: folder };
  const start = (args: readonly string[], options: RunOptions = {}): Running => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: options.cwd ?? workspace,
      env: { ...environment, ...options.env },
      stdio: 'pipe',
    });
    return watch(child, options.stdin === null ? undefined : (options.stdin ?? ''));
  };
  return {
    workspace,
    tenonHome,
    model,
    start,
    run: (args, options) => start(args, options).finished,
    end: async () => {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The events of `--output-format stream-json`. */
export function eventsIn(stdout: string): AgentEvent[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AgentEvent);
}

export function watch(child: ChildProcess, stdin: string | Uint8Array | undefined): Running {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // The command line may refuse before it has read everything.
  child.stdin?.on('error', () => undefined);
  if (stdin !== undefined) child.stdin?.end(stdin);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, stderr: () => stderr, finished };
}

/** Waits for something that a process is about to print. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
