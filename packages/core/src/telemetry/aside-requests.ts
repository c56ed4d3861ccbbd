import type { ModelEvent, ModelPort } from '../models/model.js';
import { errorMessage } from '../util/failure.js';
import type { AsidePurpose, AsideRequest } from './chat-acts.js';
import type { Telemetry } from './open-telemetry.js';

/** The same model, watched where telemetry is on: for requests of which no event of a session tells. */
export function followAside(
  model: ModelPort,
  purpose: AsidePurpose,
  telemetry: () => Telemetry | undefined,
): ModelPort {
  return {
    get label() {
      return model.label;
    },
    get model() {
      return model.model;
    },
    stream: (request, signal) => {
      const events = model.stream(request, signal);
      const watch = telemetry();
      return watch === undefined ? events : followed(events, { purpose, label: model.label, watch, signal });
    },
  };
}

interface Following {
  readonly purpose: AsidePurpose;
  readonly label: string;
  readonly watch: Telemetry;
  readonly signal: AbortSignal;
}

async function* followed(
  events: AsyncIterable<ModelEvent>,
  { purpose, label, watch, signal }: Following,
): AsyncGenerator<ModelEvent> {
  let told: AsideRequest = { purpose, label, since: Date.now(), text: '' };
  let failed: AsideRequest['failed'] = { type: 'cancelled', words: '' };
  try {
    for await (const event of events) {
      if (event.type === 'text-delta') told = { firstWord: Date.now(), ...told, text: told.text + event.text };
      else if (event.type === 'usage') told = { ...told, usage: event.usage };
      else if (event.type === 'finish') {
        told = { ...told, finish: event.reason };
        failed = undefined;
      }
      yield event;
    }
  } catch (thrown) {
    failed = { type: signal.aborted ? 'cancelled' : 'model_error', words: errorMessage(thrown) };
    throw thrown;
  } finally {
    watch.noteAside(failed === undefined ? told : { ...told, failed });
  }
}
