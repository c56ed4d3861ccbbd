import type { Output } from '../../output.js';
import type { EventReader } from './event-reader.js';
import { jsonLine } from '../../ui/json-line.js';

/** Every event as one line of JSON, as it happens. `schemas/events.schema.json` documents them. */
export function streamJsonReader(out: Output): EventReader {
  return {
    onEvent: (event) => out.writeData(jsonLine(event)),
    onDone: async () => undefined,
  };
}
