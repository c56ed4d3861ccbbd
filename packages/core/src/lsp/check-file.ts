import type { Diagnostic } from 'vscode-languageserver-protocol';
import { sleep, timeLimit } from '../util/abort.js';
import { Failure } from '../util/failure.js';
import type { LanguageServer } from './language-server.js';
import { uriOf } from './places.js';

/** What is wrong in one file, or why that is not known. Never empty for what was not looked at. */
export type Checked =
  | { readonly checked: true; readonly items: readonly Diagnostic[] }
  | { readonly checked: false; readonly reason: string };

export interface CheckLimits {
  readonly signal: AbortSignal;
  /** Milliseconds, for all of it. */
  readonly maxMs: number;
}

const TSSERVER_COMMAND = 'typescript.tsserverRequest';
/** A list for the version that was asked about can be followed by the real one. */
const QUIET_MS = 300;
/** A list without a version that comes so soon after a change is about the text before it. */
const STALE_MS = 250;
const QUIET_UNVERSIONED_MS = 500;
const REGISTER_MS = 3_000;

/** What a server says of a file that it holds open, after the last change that it was told of. */
export async function checkFile(server: LanguageServer, path: string, limits: CheckLimits): Promise<Checked> {
  const document = server.documents.get(path);
  if (document === undefined) return { checked: false, reason: 'the file is not open in the server' };
  const until = performance.now() + limits.maxMs;
  const rest = (): CheckLimits => ({ signal: limits.signal, maxMs: Math.max(1, until - performance.now()) });
  if (!(await server.load.settled(rest().maxMs, limits.signal)))
    return { checked: false, reason: 'the server is still loading the project' };
  await registered(server, rest());
  if (server.lacks('textDocument/diagnostic') === undefined) return pull(server, path, rest());
  if (server.registrations.commands().has(TSSERVER_COMMAND)) return askTsserver(server, path, rest());
  if (server.cannotCheck !== undefined) return { checked: false, reason: server.cannotCheck };
  return waitForPush(server, path, rest());
}

async function registered(server: LanguageServer, { signal, maxMs }: CheckLimits): Promise<void> {
  if (server.spec.quirks?.registersPull !== true) return;
  const until = performance.now() + Math.min(maxMs, REGISTER_MS);
  while (server.lacks('textDocument/diagnostic') !== undefined && performance.now() < until) await sleep(20, signal);
}

async function pull(server: LanguageServer, path: string, limits: CheckLimits): Promise<Checked> {
  const options = server.registrations.optionsOf('textDocument/diagnostic');
  const identifier: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'identifier') : undefined;
  const params = { textDocument: { uri: uriOf(path) }, ...(typeof identifier === 'string' && { identifier }) };
  const report = await within(limits, (signal) => server.request('textDocument/diagnostic', params, signal));
  if ('reason' in report) return { checked: false, reason: report.reason };
  const { answer } = report;
  const items: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'items') : undefined;
  // `unchanged` without an earlier answer that it could be the same as says nothing.
  if (!Array.isArray(items)) return { checked: false, reason: 'the server gave no list' };
  return { checked: true, items: items as Diagnostic[] };
}

/** Its own request is answered in order, where what it publishes may be about an older text. */
async function askTsserver(server: LanguageServer, path: string, limits: CheckLimits): Promise<Checked> {
  const items: Diagnostic[] = [];
  for (const command of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
    const params = { command: TSSERVER_COMMAND, arguments: [command, { file: path }] };
    const report = await within(limits, (signal) => server.request('workspace/executeCommand', params, signal));
    if ('reason' in report) return { checked: false, reason: report.reason };
    const { answer } = report;
    const body: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'body') : undefined;
    if (!Array.isArray(body)) return { checked: false, reason: 'the server gave no list' };
    items.push(...body.flatMap(fromTsserver));
  }
  return { checked: true, items };
}

const SEVERITIES: Readonly<Record<string, Diagnostic['severity']>> = { error: 1, warning: 2, suggestion: 4 };

/** Lines and offsets count from 1 there. */
export function fromTsserver(one: unknown): readonly Diagnostic[] {
  if (typeof one !== 'object' || one === null) return [];
  const { start, end, text, code, category } = one as Record<string, unknown>;
  const severity = SEVERITIES[typeof category === 'string' ? category : ''] ?? 1;
  return [
    {
      range: { start: placeOf(start), end: placeOf(end) },
      message: typeof text === 'string' ? text : '',
      severity,
      source: 'typescript',
      ...(typeof code === 'number' && { code }),
    },
  ];
}

function placeOf(place: unknown): { line: number; character: number } {
  const at = (key: string): number => {
    const value: unknown = typeof place === 'object' && place !== null ? Reflect.get(place, key) : undefined;
    return typeof value === 'number' ? Math.max(0, value - 1) : 0;
  };
  return { line: at('line'), character: at('offset') };
}

/** The last list, once it is about the text as it is and no other follows. */
async function waitForPush(server: LanguageServer, path: string, { signal, maxMs }: CheckLimits): Promise<Checked> {
  const begin = performance.now();
  const until = begin + maxMs;
  for (;;) {
    const document = server.documents.get(path);
    if (document === undefined || !server.isAlive || signal.aborted) break;
    const now = performance.now();
    const last = server.pushed.last(path);
    const isOurs =
      last !== undefined &&
      (last.version === undefined ? last.at >= document.toldAt + STALE_MS : last.version >= document.version);
    const quiet = last?.version === undefined ? QUIET_UNVERSIONED_MS : QUIET_MS;
    if (isOurs && now - last.at >= quiet) return { checked: true, items: last.items };
    if (now >= until) break;
    const next = isOurs ? Math.min(until, last.at + quiet) : until;
    await server.pushed.next(next - now, signal);
  }
  return { checked: false, reason: `the server published nothing within ${Math.round(maxMs)} ms` };
}

async function within(
  { signal, maxMs }: CheckLimits,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ readonly answer: unknown } | { readonly reason: string }> {
  const limit = timeLimit(Math.ceil(maxMs));
  const either = AbortSignal.any([signal, limit]);
  try {
    return { answer: await ask(either) };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    if (limit.aborted) return { reason: `the server did not answer within ${Math.round(maxMs)} ms` };
    if (thrown instanceof Failure) return { reason: thrown.message };
    throw thrown;
  }
}
