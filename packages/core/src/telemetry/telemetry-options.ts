/** Where traces and metrics are sent, and what of them. */
export interface TelemetryOptions {
  /**
   * True: they are sent; without `endpoint` the `OTEL_…` variables of the environment say where, else to this machine.
   * False: nothing is sent. Default: whether there is an `endpoint`.
   */
  readonly enabled?: boolean;
  /** Of a collector that speaks OTLP over HTTP, such as `http://localhost:4318`; `/v1/traces` and `/v1/metrics` are put behind it. */
  readonly endpoint?: string;
  /** Sent with every request to it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True: prompts, answers, arguments and results are sent too. Default false: names and numbers only. */
  readonly content?: boolean;
  /** How often metrics are sent. Default 60. */
  readonly metricsIntervalSeconds?: number;
}
