import type { TelemetryOptions } from './telemetry-options.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is sent where, once all is read. */
export interface Destination {
  /** Undefined: none are sent. */
  readonly traces: Address | undefined;
  readonly metrics: Address | undefined;
  readonly content: boolean;
  readonly metricsIntervalMs: number;
  /** What sends, and where it runs. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const LOCAL = 'http://localhost:4318';
const SERVICE = 'tenon';
const DEFAULT_SECONDS = 60;
const OFF: ReadonlySet<string> = new Set(['none']);

/**
 * Where telemetry goes; undefined when none is wanted. `problem`: why none is sent although it is wanted. The variables of
 * OpenTelemetry count only where the options switch it on and name no endpoint: most of them were set for other programs.
 * `OTEL_SDK_DISABLED` always counts. Pure.
 */
export function readDestination(
  options: TelemetryOptions | undefined,
  environment: Environment,
): Destination | { readonly problem: string } | undefined {
  const { endpoint, enabled = endpoint !== undefined } = options ?? {};
  if (!enabled || environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const { headers = {}, content = false, metricsIntervalSeconds = DEFAULT_SECONDS } = options ?? {};
  const common = { content, metricsIntervalMs: Math.max(1, metricsIntervalSeconds) * 1000 };
  if (endpoint !== undefined) {
    if (!isWebAddress(endpoint)) return { problem: `Telemetry is off: ${JSON.stringify(endpoint)} is no address.` };
    const address = (signal: Signal): Address => withoutPassword({ url: urlFor(endpoint, signal), headers });
    return { ...common, traces: address('traces'), metrics: address('metrics'), resource: { 'service.name': SERVICE } };
  }
  return fromVariables(environment, headers, common);
}

type Signal = 'traces' | 'metrics';

function fromVariables(
  environment: Environment,
  headers: Readonly<Record<string, string>>,
  common: Pick<Destination, 'content' | 'metricsIntervalMs'>,
): Destination | { readonly problem: string } | undefined {
  const addresses: Partial<Record<Signal, Address>> = {};
  for (const signal of ['traces', 'metrics'] as const) {
    const read = addressOf(signal, environment);
    if (read === undefined) continue;
    if ('problem' in read) return read;
    addresses[signal] = withoutPassword({ url: read.url, headers: { ...read.headers, ...headers } });
  }
  const { traces, metrics } = addresses;
  if (traces === undefined && metrics === undefined) return undefined;
  const name = variable(environment, 'OTEL_SERVICE_NAME');
  const given = readPairs(variable(environment, 'OTEL_RESOURCE_ATTRIBUTES') ?? '');
  const resource = { 'service.name': SERVICE, ...given, ...(name !== undefined && { 'service.name': name }) };
  return { ...common, traces, metrics, resource };
}

function addressOf(signal: Signal, environment: Environment): Address | { readonly problem: string } | undefined {
  const upper = signal.toUpperCase();
  const own = (name: string): string | undefined => variable(environment, `OTEL_EXPORTER_OTLP_${upper}_${name}`);
  const common = (name: string): string | undefined => variable(environment, `OTEL_EXPORTER_OTLP_${name}`);
  if (OFF.has(variable(environment, `OTEL_${upper}_EXPORTER`) ?? '')) return undefined;
  if ((own('PROTOCOL') ?? common('PROTOCOL')) === 'grpc')
    return {
      problem:
        'Telemetry is off: OTEL_EXPORTER_OTLP_PROTOCOL says grpc, and Tenon sends JSON over HTTP. Give the setting telemetry.endpoint, mostly port 4318.',
    };
  const headers = { ...readPairs(common('HEADERS') ?? ''), ...readPairs(own('HEADERS') ?? '') };
  const whole = own('ENDPOINT');
  const url = whole ?? common('ENDPOINT') ?? LOCAL;
  if (isWebAddress(url)) return { url: whole ?? urlFor(url, signal), headers };
  return { problem: `Telemetry is off: the endpoint for ${signal} in the OTEL_… variables is no http address.` };
}

/** Of a base that is an address. The part that is put behind it may stand there already, and a query behind that. */
function urlFor(base: string, signal: Signal): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1\/(?:traces|metrics)$/, '');
  url.pathname = `${path}/v1/${signal}`;
  return url.href;
}

/** A name and a password in an address go into a header, as it is meant: no request takes them where they stand. */
function withoutPassword({ url, headers }: Address): Address {
  const parsed = new URL(url);
  const [name, password] = [decoded(parsed.username), decoded(parsed.password)];
  if (name === '' && password === '') return { url, headers };
  parsed.username = '';
  parsed.password = '';
  const basic = Buffer.from(`${name ?? ''}:${password ?? ''}`).toString('base64');
  const isGiven = Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');
  return { url: parsed.href, headers: isGiven ? headers : { ...headers, authorization: `Basic ${basic}` } };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** An empty one counts as none. */
function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
}

/** `key=value,other=value`, percent-encoded, as W3C Baggage has it. What is malformed is left out. */
function readPairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const key = part.slice(0, Math.max(0, at)).trim();
    const value = decoded(part.slice(at + 1).trim());
    if (key !== '' && value !== undefined) pairs[key] = value;
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
