/** The settings of traces and metrics; part of `SETTINGS`, which says what the columns mean. */
export const TELEMETRY_SETTINGS = [
  {
    key: 'telemetry.enabled',
    type: 'yes-no',
    sentence:
      'Whether traces and metrics are sent; without it, only where `telemetry.endpoint` is given. With true and no endpoint the `OTEL_…` variables say where.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'telemetry.endpoint',
    type: 'url',
    sentence: 'The address of your OpenTelemetry collector, for OTLP over HTTP, such as http://localhost:4318.',
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'telemetry.headers',
    type: 'header-map',
    sentence: 'Headers that are sent with every request to the collector.',
    securityRelevant: false,
    project: 'ignored',
  },
  {
    key: 'telemetry.content',
    type: 'yes-no',
    sentence: 'Whether prompts, answers, arguments and results go into the traces; else names and numbers only.',
    default: false,
    securityRelevant: true,
    project: 'ignored',
  },
  {
    key: 'telemetry.metricsIntervalSeconds',
    type: 'positive-number',
    sentence: 'How often metrics are sent, in seconds.',
    default: 60,
    securityRelevant: false,
    project: 'ignored',
  },
] as const;
