import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes as OtelAttributes,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { metricsRequest, tracesRequest } from './otlp-json.js';
import type { Address, Destination } from './read-destination.js';
import { createOtlpSender, type OtlpSender } from './send-otlp.js';
import type {
  ActSink,
  Attributes,
  CounterName,
  HistogramName,
  TelemetryAct,
  TelemetryPlace,
} from './telemetry-acts.js';

/** How long `close` takes at most. In milliseconds. */
const FLUSH_MS = 2000;
const SPANS_EVERY_MS = 5000;
/** Longer than a request with its second try, which ends by itself. */
const EXPORT_MS = 30_000;
/** Spans that wait, and that are sent at once: with content they are large. */
const QUEUES = { names: { queue: 2048, batch: 512 }, content: { queue: 256, batch: 32 } } as const;
/** Far more than one prompt has. */
const MOST_CONTEXTS = 5000;
const SCOPE = 'tenon';
const TAKEN = 0;
const NOT_TAKEN = 1;

// The boundaries that the conventions for generative AI advise.
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

const COUNTERS: Readonly<Record<CounterName, { readonly unit: string; readonly description: string }>> = {
  'tenon.prompts': { unit: '{prompt}', description: 'Prompts, by how they ended.' },
  'tenon.tool.calls': { unit: '{call}', description: 'Tool calls, by tool and how they ended.' },
  'tenon.approvals': { unit: '{answer}', description: 'Answers to questions for approval.' },
  'tenon.compactions': { unit: '{compaction}', description: 'How often a conversation was made shorter.' },
  'tenon.hook.runs': { unit: '{run}', description: 'Runs of hooks, by event and outcome.' },
};

const HISTOGRAMS: Readonly<
  Record<HistogramName, { readonly unit: string; readonly description: string; readonly bounds: number[] }>
> = {
  'gen_ai.client.token.usage': { unit: '{token}', description: 'Tokens of requests to models.', bounds: TOKENS },
  'gen_ai.client.operation.duration': {
    unit: 's',
    description: 'How long requests to models and the work of agents took.',
    bounds: SECONDS,
  },
  'tenon.tool.call.duration': {
    unit: 's',
    description: 'How long tool calls ran, without the time in which they waited.',
    bounds: SECONDS,
  },
};

/** Loads OpenTelemetry with it, so that nothing imports this before there is something to send. */
export function openSink(destination: Destination, { environment, version, onProblem }: TelemetryPlace): ActSink {
  const sender = createOtlpSender(environment);
  const resource = resourceFromAttributes({ ...destination.resource, 'service.version': version });
  let hasTold = false;
  const send = async (address: Address, request: object): Promise<number> => {
    const problem = await sender.send(address, request);
    if (problem === undefined) return TAKEN;
    if (!hasTold) onProblem(`Telemetry could not be sent to ${new URL(address.url).origin}: ${problem}.`);
    hasTold = true;
    return NOT_TAKEN;
  };
  const spans =
    destination.traces === undefined ? undefined : openSpans(destination.traces, destination, resource, send);
  const numbers =
    destination.metrics === undefined ? undefined : openNumbers(destination.metrics, destination, resource, send);
  return {
    take: (act) => {
      spans?.take(act);
      numbers?.take(act);
    },
    close: async () => {
      await ended([spans, numbers], sender);
      hasTold = true;
      await sender.close();
    },
  };
}

type Send = (address: Address, request: object) => Promise<number>;
type Resource = ReturnType<typeof resourceFromAttributes>;

interface Part {
  readonly take: (act: TelemetryAct) => void;
  readonly shutdown: () => Promise<void>;
}

/** Whatever has not been sent by then is lost. */
async function ended(parts: readonly (Part | undefined)[], sender: OtlpSender): Promise<void> {
  sender.hurry();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FLUSH_MS);
  });
  // What cannot be sent was told, or is nobody's concern any more.
  const done = Promise.allSettled(parts.map(async (part) => part?.shutdown())).then(() => sender.idle());
  await Promise.race([done, late]);
  clearTimeout(timer);
}

async function passOn(sending: Promise<number>, done: Parameters<SpanExporter['export']>[1]): Promise<void> {
  done({ code: await sending });
}

function openSpans(address: Address, { content }: Destination, resource: Resource, send: Send): Part {
  const { queue, batch } = QUEUES[content ? 'content' : 'names'];
  const exporter: SpanExporter = {
    export: (spans, done) => void passOn(send(address, tracesRequest(spans)), done),
    shutdown: async () => undefined,
  };
  // All of it is said here: what is left out would be read from variables that are other programs'.
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize: queue,
    maxExportBatchSize: batch,
    scheduledDelayMillis: SPANS_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  });
  const provider = new BasicTracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeCountLimit: 64, eventCountLimit: 64, linkCountLimit: 8 },
    generalLimits: { attributeCountLimit: 64 },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer(SCOPE);
  const open = new Map<string, Span>();
  /** Also of spans that have ended: work in the background may begin below them. */
  const contexts = new Map<string, SpanContext>();
  const start = (act: Extract<TelemetryAct, { type: 'span-start' }>): void => {
    const parent = act.parent === undefined ? undefined : contexts.get(act.parent);
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const kind = act.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const attributes = otelAttributes(act.attributes);
    const span = tracer.startSpan(act.name, { kind, startTime: act.at, attributes }, context);
    open.set(act.span, span);
    contexts.set(act.span, span.spanContext());
    const [oldest] = contexts.keys();
    if (contexts.size > MOST_CONTEXTS && oldest !== undefined) contexts.delete(oldest);
  };
  const end = ({ span: name, attributes, error, at }: Extract<TelemetryAct, { type: 'span-end' }>): void => {
    const span = open.get(name);
    if (span === undefined) return;
    open.delete(name);
    span.setAttributes(otelAttributes(attributes));
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, ...(error !== '' && { message: error }) });
    span.end(at);
  };
  return {
    take: (act) => {
      if (act.type === 'span-start') start(act);
      else if (act.type === 'span-end') end(act);
      else if (act.type === 'span-event')
        open.get(act.span)?.addEvent(act.name, otelAttributes(act.attributes), act.at);
    },
    shutdown: () => provider.shutdown(),
  };
}

function openNumbers(address: Address, { metricsIntervalMs }: Destination, resource: Resource, send: Send): Part {
  const exporter: PushMetricExporter = {
    export: (metrics, done) => void passOn(send(address, metricsRequest(metrics)), done),
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: metricsIntervalMs,
    exportTimeoutMillis: Math.min(EXPORT_MS, metricsIntervalMs),
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter(SCOPE);
  const counters = new Map(Object.entries(COUNTERS).map(([name, about]) => [name, meter.createCounter(name, about)]));
  const histograms = new Map(
    Object.entries(HISTOGRAMS).map(([name, { bounds, ...about }]) => [
      name,
      meter.createHistogram(name, { ...about, advice: { explicitBucketBoundaries: bounds } }),
    ]),
  );
  return {
    take: (act) => {
      if (act.type === 'count') counters.get(act.metric)?.add(1, otelAttributes(act.attributes));
      else if (act.type === 'record') histograms.get(act.metric)?.record(act.value, otelAttributes(act.attributes));
    },
    shutdown: () => provider.shutdown(),
  };
}

/** Theirs, whose lists may be changed. */
function otelAttributes(attributes: Attributes): OtelAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
  );
}
