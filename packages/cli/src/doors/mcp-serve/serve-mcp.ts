import { serveHttp, serveStream, whenAborted, type ServedTools } from '@tenon/core';
import type { Options } from '../../arguments/parse-arguments.js';
import { ExitCode } from '../../exit-codes.js';
import { prepareSession, toolSystemOptions } from '../../prepare-session.js';
import type { Surroundings } from '../../surroundings.js';
import { sayLines, warn } from '../../ui/say.js';
import { createServedTools } from './served-tools.js';
import { serveToken } from './serve-token.js';
import { WorkspacePool } from './workspace-pool.js';

export interface ServeOptions {
  /** The port of Streamable HTTP, 0 for any; undefined: standard input and output. */
  readonly http?: number;
  readonly tokenFile?: string;
  /** Only these tools; empty: all. */
  readonly tools: readonly string[];
}

/** `tenon mcp serve`: until the client, or a signal, ends it. Standard output carries the protocol and nothing else. */
export async function serveMcp(surroundings: Surroundings, options: Options, serve: ServeOptions): Promise<ExitCode> {
  const { err, interrupts, version } = surroundings;
  const armed = interrupts.arm();
  const preparation = await prepareSession(surroundings, options);
  // Servers and discovered tools are the client's own business. And a server that is listed in the folder may be this
  // one: it would start itself for ever.
  const { mcp: _mcp, discovery: _discovery, ...system } = toolSystemOptions(surroundings, preparation);
  const report = (message: string): void => void sayLines(err, [message]);
  const pool = new WorkspacePool({ system, register: (end) => surroundings.exits.register(end), report });
  try {
    const tools = await createServedTools({ pool, roots: preparation.roots, version, only: serve.tools });
    const running = { surroundings, tools, signal: armed.signal, report };
    await (serve.http === undefined ? overStreams(running) : overHttp(running, serve.http, serve.tokenFile));
    return armed.signal.aborted ? ExitCode.INTERRUPTED : ExitCode.OK;
  } finally {
    await pool.close();
    armed.release();
  }
}

interface Running {
  readonly surroundings: Surroundings;
  readonly tools: ServedTools;
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

async function overStreams({ surroundings, tools, signal, report }: Running): Promise<void> {
  const { out } = surroundings;
  const input = surroundings.stdin();
  if (input.isTTY === true) {
    report('Waiting for JSON-RPC on standard input. This is meant to be started by an MCP client; Ctrl-C ends it.');
  }
  await serveStream(
    tools,
    { input, write: async (text) => out.writeData(text), closed: out.closed },
    { signal, report },
  );
}

async function overHttp(
  { surroundings, tools, signal, report }: Running,
  port: number,
  tokenFile?: string,
): Promise<void> {
  const { err } = surroundings;
  const token = await serveToken(surroundings, tokenFile);
  await warn(err, token.warnings);
  const serving = await serveHttp(tools, { port, token: token.value, report });
  try {
    await sayLines(err, [
      `Serving MCP at ${serving.url}`,
      ...(token.isNew ? [`Authorization: Bearer ${token.value}`] : []),
    ]);
    await whenAborted(signal);
  } finally {
    await serving.close();
  }
}
