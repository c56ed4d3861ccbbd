import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** An attribute value as it was sent, without its type. */
export type SentValue = string | number | boolean | readonly SentValue[];

export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, SentValue>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, SentValue>> }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/** One point of a metric. */
export interface SentPoint {
  readonly name: string;
  readonly attributes: Readonly<Record<string, SentValue>>;
  /** Of a counter its value, of a histogram how many values it has. */
  readonly value: number;
  readonly sum?: number;
}

export interface Collector {
  /** `http://localhost:port`. */
  readonly endpoint: string;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
  spans(): readonly SentSpan[];
  /** Those that were sent last. */
  points(): readonly SentPoint[];
  close(): Promise<void>;
}

/** An OpenTelemetry collector for tests: takes OTLP in JSON. `answer` may take the place of its 200. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => response.writeHead(200).end('{}'),
): Promise<Collector> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bodies = (path: string): unknown[] =>
    requests.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as unknown);
  return {
    endpoint: `http://localhost:${port}`,
    requests,
    spans: () => (bodies('/v1/traces') as TracesBody[]).flatMap(spansOf),
    points: () => (bodies('/v1/metrics') as MetricsBody[]).slice(-1).flatMap(pointsOf),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Attribute {
  readonly key: string;
  readonly value: AttributeValue;
}
interface AttributeValue {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly AttributeValue[] };
}
type RawSpan = Omit<SentSpan, 'attributes' | 'events'> & {
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
};
interface TracesBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[] }[];
}
interface RawPoint {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
}
interface RawMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly RawPoint[] };
  readonly histogram?: { readonly dataPoints: readonly RawPoint[] };
}
interface MetricsBody {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[] }[];
}

function spansOf({ resourceSpans }: TracesBody): SentSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      ...span,
      attributes: recordOf(span.attributes),
      events: span.events.map((event) => ({ ...event, attributes: recordOf(event.attributes) })),
    }));
}

function pointsOf({ resourceMetrics }: MetricsBody): SentPoint[] {
  return resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ name, sum, histogram }) =>
      (sum ?? histogram)?.dataPoints.map((point) => ({
        name,
        attributes: recordOf(point.attributes),
        value: point.asDouble ?? Number(point.count),
        ...(point.sum !== undefined && { sum: point.sum }),
      })),
    )
    .filter((point) => point !== undefined);
}

function recordOf(attributes: readonly Attribute[]): Record<string, SentValue> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue }: AttributeValue): SentValue {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue ?? arrayValue?.values.map(valueOf) ?? '';
}
