import type { TelemetryOptions } from './telemetry-options.js';

/** Where telemetry would be sent, and why that fails; each a sentence without any secret. */
export interface ProbedTelemetry {
  readonly origins: readonly string[];
  readonly problem?: string;
}

/**
 * Asks the collector to take nothing: an empty request for each signal, tried once. Undefined where nothing is to be sent. Never
 * rejects.
 */
export async function probeTelemetry(
  options: TelemetryOptions | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ProbedTelemetry | undefined> {
  if (options === undefined) return undefined;
  const [{ readDestination }, { createOtlpSender }] = await Promise.all([
    import('./read-destination.js'),
    import('./send-otlp.js'),
  ]);
  const read = readDestination(options, environment);
  if (read === undefined) return undefined;
  if ('problem' in read) return { origins: [], problem: read.problem };
  const sender = createOtlpSender(environment);
  const stop = (): void => void sender.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const requests = [
      [read.traces, { resourceSpans: [] }],
      [read.metrics, { resourceMetrics: [] }],
    ] as const;
    const origins = new Set<string>();
    const problems = new Set<string>();
    for (const [address, request] of requests) {
      if (address === undefined) continue;
      const { origin } = new URL(address.url);
      origins.add(origin);
      sender.hurry();
      const problem = await sender.send(address, request);
      if (problem !== undefined) problems.add(`${origin}: ${problem}`);
    }
    return { origins: [...origins], ...(problems.size > 0 && { problem: [...problems].join('; ') }) };
  } finally {
    signal.removeEventListener('abort', stop);
    await sender.close();
  }
}
