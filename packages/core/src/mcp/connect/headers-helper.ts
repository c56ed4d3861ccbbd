import type { StartPiped } from '../../process/piped-process.js';
import { runProgram, type ProgramRun } from '../../process/run-program.js';
import { abortable } from '../../util/abort.js';
import { errorMessage, Failure } from '../../util/failure.js';
import { plainLine } from '../auth/plain-line.js';
import { isRepeatable } from '../auth/token-source.js';
import { isHeader, isReservedHeader } from '../header-fields.js';
import type { HeadersHelper, RemoteServer, ServerDefinition } from '../server-definition.js';
import { isObject } from '../../util/is-object.js';

const TIME_LIMIT_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const MOST_TOLD = 300;
/** A server may refuse many requests for other reasons than the headers. */
const AGAIN_MS = 5_000;

export type HeaderTexts = Readonly<Record<string, string>>;

export interface HelperParts {
  readonly definition: ServerDefinition;
  readonly start: StartPiped;
  readonly environment: (definition: ServerDefinition) => Readonly<Record<string, string>>;
  readonly log: (level: string, text: string) => void;
  /** Default: ten seconds. */
  readonly timeLimitMs?: number;
}

/** The headers of one connection that a program prints: once before it, and again when the server refuses them. */
export interface HelperHeaders {
  /** Runs the program, but once only. @throws Failure `mcp_error`, and the signal's reason */
  first(signal: AbortSignal): Promise<HeaderTexts>;
  /**
   * The same requests with these headers, over what the settings say. Refused ones are sent once more with new headers.
   * `isLast`: nobody else can do anything about a refusal.
   */
  around(base: typeof fetch, isLast: boolean): typeof fetch;
}

/** Undefined for a server without such a program. */
export function helperHeaders(parts: HelperParts): HelperHeaders | undefined {
  const { transport } = parts.definition;
  const helper = transport.kind === 'stdio' ? undefined : transport.headersHelper;
  if (transport.kind === 'stdio' || helper === undefined) return undefined;
  const printed = new PrintedHeaders((signal) => askHelper(helper, transport, parts, signal));
  return {
    first: (signal) => printed.latest(signal),
    around: (base, isLast) => withHelper({ base, isLast, printed, log: parts.log }),
  };
}

/** What the program printed last, for all requests of a connection. */
class PrintedHeaders {
  readonly #ask: (signal: AbortSignal) => Promise<HeaderTexts>;
  #latest: Promise<HeaderTexts> | undefined;
  #asking: Promise<HeaderTexts> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(ask: (signal: AbortSignal) => Promise<HeaderTexts>) {
    this.#ask = ask;
  }

  latest(signal: AbortSignal): Promise<HeaderTexts> {
    this.#latest ??= this.#ask(signal);
    return this.#latest;
  }

  /** In place of those that were refused. Requests that are refused together wait for one run of the program. */
  async insteadOf(refused: HeaderTexts, signal: AbortSignal): Promise<HeaderTexts> {
    if (this.#asking === undefined) {
      const known = (await this.#latest) ?? refused;
      if (known !== refused || performance.now() - this.#askedAt < AGAIN_MS) return known;
    }
    // It is not given up with one of those that wait.
    this.#asking ??= this.#askAgain().finally(() => (this.#asking = undefined));
    return abortable(this.#asking, signal);
  }

  async #askAgain(): Promise<HeaderTexts> {
    this.#askedAt = performance.now();
    const headers = await this.#ask(new AbortController().signal);
    this.#latest = Promise.resolve(headers);
    return headers;
  }
}

interface Around {
  readonly base: typeof fetch;
  readonly isLast: boolean;
  readonly printed: PrintedHeaders;
  readonly log: HelperParts['log'];
}

function withHelper({ base, isLast, printed, log }: Around): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const sent = await printed.latest(signal);
    const response = await base(input, withHeaders(init, sent));
    if ((response.status !== 401 && response.status !== 403) || !isRepeatable(init)) return response;
    const renewed = await printed.insteadOf(sent, signal).catch((thrown: unknown) => {
      signal.throwIfAborted();
      // What the server said is worth more, unless it only wants to know who asks.
      if (response.status === 401 && isLast) throw thrown;
      log('error', errorMessage(thrown));
      return sent;
    });
    if (isSame(renewed, sent)) return answerOf(response, isLast);
    await response.body?.cancel();
    return answerOf(await base(input, withHeaders(init, renewed)), isLast);
  };
}

/** A sign-in would not help: nothing suggests one. */
function answerOf(response: Response, isLast: boolean): Response {
  if (response.status !== 401 || !isLast) return response;
  void response.body?.cancel().catch(() => undefined);
  throw new Failure('mcp_error', 'it refuses (HTTP 401) the headers that its headersHelper prints');
}

function withHeaders(init: RequestInit | undefined, more: HeaderTexts): RequestInit {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return { ...init, headers };
}

function isSame(one: HeaderTexts, other: HeaderTexts): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

async function askHelper(
  { argv, cwd }: HeadersHelper,
  { url }: RemoteServer,
  { definition, start, environment, timeLimitMs = TIME_LIMIT_MS }: HelperParts,
  signal: AbortSignal,
): Promise<HeaderTexts> {
  const { alias } = definition;
  const env = {
    ...environment(definition),
    TENON_MCP_SERVER_NAME: alias,
    TENON_MCP_SERVER_URL: url,
    // As programs know it that were written for Claude Code.
    CLAUDE_CODE_MCP_SERVER_NAME: alias,
    CLAUDE_CODE_MCP_SERVER_URL: url,
  };
  const place = { connect: start, environment: env, folder: cwd, timeoutMs: timeLimitMs, mostBytes: MOST_BYTES };
  const run = await runProgram({ ...place, argv, input: '' }, signal);
  const problem = problemOf(run, timeLimitMs);
  if (problem !== undefined) throw failed(problem);
  return headersIn(run.stdout.head + run.stdout.tail);
}

/** How it ended, where that was not well, and the first line of what it wrote to its standard error. */
function problemOf({ ending, exit: { code, signal }, stderr }: ProgramRun, timeLimitMs: number): string | undefined {
  if (ending === 'too-much') return `printed more than ${MOST_BYTES / 1024} kB`;
  const said = plainLine(stderr.head.trimStart().split(/[\r\n]/u, 1)[0] ?? '', MOST_TOLD);
  const wrote = said === '' ? '' : `: ${said}`;
  if (ending === 'timed-out') return `took longer than ${timeLimitMs / 1000} s${wrote}`;
  if (signal !== null) return `was ended by the signal ${signal}${wrote}`;
  return code === 0 ? undefined : `failed with exit code ${code ?? 'unknown'}${wrote}`;
}

/** Nothing of what was printed is told but names: it may be secret. */
function headersIn(text: string): HeaderTexts {
  const value = parse(text);
  if (!isObject(value)) throw failed('must print a JSON object of header names and texts, and nothing else');
  const headers = new Map<string, string>();
  for (const [name, header] of Object.entries(value)) {
    const shown = plainLine(JSON.stringify(name), 80);
    if (typeof header !== 'string') throw failed(`printed no text for the header ${shown}`);
    if (!isHeader(name, header))
      throw failed(`printed ${shown}, which cannot be sent as a header: a line break, or no Latin letters`);
    if (isReservedHeader(name)) throw failed(`printed the header ${shown}, which belongs to the connection`);
    if (headers.has(name.toLowerCase())) throw failed(`printed the header ${shown} twice`);
    headers.set(name.toLowerCase(), header);
  }
  return Object.fromEntries(headers);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(what: string): Failure {
  return new Failure('mcp_error', `its headersHelper ${what}`);
}
