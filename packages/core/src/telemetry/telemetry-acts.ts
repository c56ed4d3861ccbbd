/** As OpenTelemetry has them. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Numbers that are counted, or of which the spread is kept. */
export type CounterName =
  'tenon.prompts' | 'tenon.tool.calls' | 'tenon.approvals' | 'tenon.compactions' | 'tenon.hook.runs';
export type HistogramName =
  'gen_ai.client.token.usage' | 'gen_ai.client.operation.duration' | 'tenon.tool.call.duration';

/** What is to be told, as data. Times are milliseconds since 1970; `span` is a name of Tenon's own, used once only. */
export type TelemetryAct =
  | {
      readonly type: 'span-start';
      readonly span: string;
      /** The span that it is part of; absent for the first of a trace. */
      readonly parent?: string;
      readonly name: string;
      readonly kind: 'client' | 'internal';
      readonly at: number;
      readonly attributes: Attributes;
    }
  | {
      readonly type: 'span-event';
      readonly span: string;
      readonly name: string;
      readonly at: number;
      readonly attributes: Attributes;
    }
  /** `error`: what the span failed with, in words; empty where words are not to be sent. Absent: it did not fail. */
  | {
      readonly type: 'span-end';
      readonly span: string;
      readonly at: number;
      readonly attributes: Attributes;
      readonly error?: string;
    }
  | { readonly type: 'count'; readonly metric: CounterName; readonly attributes: Attributes }
  | {
      readonly type: 'record';
      readonly metric: HistogramName;
      readonly value: number;
      readonly attributes: Attributes;
    };

/** Who does what acts say. */
export interface ActSink {
  take(act: TelemetryAct): void;
  /** Sends what is left, within a short time, and lets go of everything. Never rejects. */
  close(): Promise<void>;
}

/** What is known where telemetry is sent from. */
export interface TelemetryPlace {
  /** Where proxies are named. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Told once, when nothing could be sent: a sentence. */
  readonly onProblem: (text: string) => void;
  /** Takes secrets out of content. */
  readonly hide?: ((text: string) => string) | undefined;
}
