import type { PriorDiscovery } from '@modelcontextprotocol/client';
import type { PipedProcess, StartPiped } from '../../process/piped-process.js';
import { Failure } from '../../util/failure.js';
import type { ServerDefinition } from '../server-definition.js';
import { Connection, type ConnectionParts, type Negotiation } from './connection.js';
import { helperHeaders, type HelperHeaders } from './headers-helper.js';
import { pipeLink, remoteLink, startServer } from './open-link.js';
import { isNewerOnly, oneLine, troubleOf, type Trouble } from './trouble.js';

/** One way to try it. */
export interface Attempt {
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly mode: Negotiation;
  readonly prior?: PriorDiscovery;
}

export interface OpenParts extends ConnectionParts {
  readonly start: StartPiped;
  readonly environment: (definition: ServerDefinition) => Readonly<Record<string, string>>;
  /** For what is reached over HTTP, unless the sign-in has one of its own. */
  readonly fetch: typeof fetch;
  /** How it went the last time. */
  readonly known: Attempt | undefined;
}

export interface Opened {
  readonly connection: Connection;
  /** For the next time. */
  readonly known: Attempt;
}

/** A connection failed; `stderr` is what the program wrote last. */
export class NotConnected extends Error {
  readonly trouble: Trouble;
  readonly stderr: string;

  constructor(trouble: Trouble, stderr: string, cause: unknown) {
    super(trouble.reason, { cause });
    this.trouble = trouble;
    this.stderr = stderr;
  }
}

const MOST_ATTEMPTS = 4;
const LONGEST_PROBE_MS = 5000;

/**
 * Connects in the way that is likely, and then in those that the failures suggest.
 * @throws NotConnected, or the signal's reason.
 */
export async function openConnection(parts: OpenParts, signal: AbortSignal): Promise<Opened> {
  const { definition } = parts;
  const log = (level: string, text: string): void => parts.host.log?.(definition.alias, level, text);
  const helper = helperHeaders({ definition, start: parts.start, environment: parts.environment, log });
  let attempt = parts.known ?? firstAttempt(definition);
  const reasons: string[] = [];
  for (let count = 1; ; count++) {
    const tried = await tryConnection(attempt, { ...parts, log, helper }, signal);
    if ('connection' in tried) {
      const { connection } = tried;
      const { kind, mode } = attempt;
      // What a newer server says of itself is asked anew: it is one request, and may have changed.
      const isOlder = mode === 'auto' && connection.era === 'legacy';
      return { connection, known: { kind, mode, ...(isOlder ? { prior: { kind: 'legacy' } } : {}) } };
    }
    signal.throwIfAborted();
    const { failure } = tried;
    const next = count < MOST_ATTEMPTS ? nextAttempt(attempt, failure.trouble, definition) : undefined;
    const { reason } = failure.trouble;
    if (!reasons.some((earlier) => earlier.startsWith(reason))) reasons.push(reason);
    if (next === undefined) {
      // What went wrong first is what the person can do something about.
      throw new NotConnected({ ...failure.trouble, reason: oneLine(reasons.join('; then ')) }, failure.stderr, failure);
    }
    attempt = next;
  }
}

function firstAttempt({ transport, negotiation }: ServerDefinition): Attempt {
  if (transport.kind === 'sse') return { kind: 'sse', mode: 'legacy' };
  return { kind: transport.kind === 'stdio' ? 'stdio' : 'http', mode: negotiation };
}

/** What to try after that; undefined when nothing else can be hoped for. */
export function nextAttempt(attempt: Attempt, trouble: Trouble, definition: ServerDefinition): Attempt | undefined {
  const { kind, mode, prior } = attempt;
  if (trouble.kind === 'sign-in' || trouble.kind === 'unreached') return undefined;
  // It may have become another server since.
  if (prior !== undefined) return firstAttempt(definition);
  if (mode === 'legacy' && isNewerOnly(trouble) && kind !== 'sse') return { kind, mode: 'auto' };
  if (mode === 'auto' && kind === 'stdio' && trouble.kind !== 'refused') return { kind, mode: 'legacy' };
  const { status = 0 } = trouble;
  if (kind === 'http' && definition.transport.kind === 'auto' && status >= 400 && status < 500 && status !== 403) {
    return { kind: 'sse', mode: 'legacy' };
  }
  return mode === 'auto' && kind === 'http' && trouble.kind === 'late' ? { kind, mode: 'legacy' } : undefined;
}

interface AttemptParts extends OpenParts {
  readonly log: (level: string, text: string) => void;
  /** Its program runs once for all attempts. */
  readonly helper: HelperHeaders | undefined;
}

type Tried = { readonly connection: Connection } | { readonly failure: NotConnected };

async function tryConnection(attempt: Attempt, parts: AttemptParts, signal: AbortSignal): Promise<Tried> {
  const { definition, helper, log } = parts;
  const { transport: server } = definition;
  let connection: Connection | undefined;
  let starting: Promise<PipedProcess> | undefined;
  try {
    const linkParts = { definition, limits: parts.limits, log };
    // The program starts while the SDK is loaded.
    if (server.kind === 'stdio') starting = startServer(server, parts.environment(definition), parts.start);
    starting?.catch(() => undefined);
    const sdk = await import('@modelcontextprotocol/client');
    const probeMs = Math.min(LONGEST_PROBE_MS, definition.startupMs / 2);
    connection = new Connection(sdk, attempt.mode, probeMs, parts);
    const piped = await starting;
    if (server.kind === 'stdio') {
      if (piped === undefined) throw new Failure('mcp_unavailable', 'the program was not started');
      await connection.connect(pipeLink(piped, linkParts, connection), attempt.prior, signal);
    } else {
      const kind = attempt.kind === 'sse' ? 'sse' : 'http';
      const headers = { ...server.headers, ...(await helper?.first(signal)) };
      const auth = parts.host.authFor?.({ ...definition, transport: { ...server, headers } });
      await connection.connect(
        remoteLink(sdk, { ...linkParts, kind, server, auth, helper, fetch: parts.fetch }, connection),
        attempt.prior,
        signal,
      );
    }
    return { connection };
  } catch (error) {
    // Only a connection ends the program by itself.
    if (connection === undefined) starting?.then((piped) => piped.end(0)).catch(() => undefined);
    return { failure: new NotConnected(troubleOf(error), connection?.stderr ?? '', error) };
  }
}
