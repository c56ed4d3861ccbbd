import type { Attributes, HrTime } from '@opentelemetry/api';
import type { DataPoint, Histogram, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** What `ExportTraceServiceRequest` is in JSON (OTLP 1.x): ids in hex, 64-bit numbers as texts, enums as numbers. */
export function tracesRequest(spans: readonly ReadableSpan[]): object {
  const [first] = spans;
  if (first === undefined) return { resourceSpans: [] };
  // There is one resource and one scope: Tenon's own.
  const { resource, instrumentationScope } = first;
  const scopeSpans = [{ scope: scopeOf(instrumentationScope), spans: spans.map(spanOf) }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource.attributes) }, scopeSpans }] };
}

/** What `ExportMetricsServiceRequest` is in JSON. */
export function metricsRequest({ resource, scopeMetrics }: ResourceMetrics): object {
  const scopes = scopeMetrics.map(({ scope, metrics }) => ({
    scope: scopeOf(scope),
    metrics: metrics.flatMap(metricOf),
  }));
  return {
    resourceMetrics: [{ resource: { attributes: attributesOf(resource.attributes) }, scopeMetrics: scopes }],
  };
}

function scopeOf({ name, version }: { readonly name: string; readonly version?: string | undefined }): object {
  return { name, ...(version !== undefined && { version }) };
}

function spanOf(span: ReadableSpan): object {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const { parentSpanContext: parent, status } = span;
  return {
    traceId,
    spanId,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    flags: traceFlags,
    name: sound(span.name),
    // The enum of the protocol has a word for "unspecified" before those of the interface.
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesOf(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    events: span.events.map(({ name, time, attributes = {} }) => ({
      name: sound(name),
      timeUnixNano: nanoseconds(time),
      attributes: attributesOf(attributes),
    })),
    droppedEventsCount: span.droppedEventsCount,
    status: { code: status.code, ...(status.message !== undefined && { message: sound(status.message) }) },
  };
}

/** Counters and histograms; there are no others. */
function metricOf({ descriptor, aggregationTemporality, ...data }: MetricData): object[] {
  const { name, description, unit } = descriptor;
  const common = { name, description, unit };
  // 0 is delta here, 1 in the protocol.
  const temporality = { aggregationTemporality: aggregationTemporality + 1 };
  if ('isMonotonic' in data) {
    const dataPoints = data.dataPoints.map((point) => ({ ...pointOf(point), asDouble: point.value }));
    return [{ ...common, sum: { ...temporality, isMonotonic: data.isMonotonic, dataPoints } }];
  }
  const dataPoints = data.dataPoints.flatMap((point) => (isOfHistogram(point) ? [histogramPoint(point)] : []));
  return dataPoints.length === 0 ? [] : [{ ...common, histogram: { ...temporality, dataPoints } }];
}

function isOfHistogram(point: DataPoint<unknown>): point is DataPoint<Histogram> {
  return typeof point.value === 'object' && point.value !== null && 'buckets' in point.value;
}

function histogramPoint(point: DataPoint<Histogram>): object {
  const { buckets, count, sum, min, max } = point.value;
  return {
    ...pointOf(point),
    count: String(count),
    ...(sum !== undefined && { sum }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    bucketCounts: buckets.counts.map(String),
    explicitBounds: buckets.boundaries,
  };
}

function pointOf({ attributes, startTime, endTime }: DataPoint<unknown>): object {
  return {
    attributes: attributesOf(attributes),
    startTimeUnixNano: nanoseconds(startTime),
    timeUnixNano: nanoseconds(endTime),
  };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key: sound(key), value: valueOf(value) }],
  );
}

function valueOf(value: unknown): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  return { stringValue: sound(String(value)) };
}

/** Half a character makes a receiver refuse the whole request. */
function sound(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

function nanoseconds([seconds, nanos]: HrTime): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(Math.round(nanos)));
}
