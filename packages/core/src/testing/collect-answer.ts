import type { ModelEvent, ModelPort, ModelRequest } from '../models/model.js';

/** A request with one word of the user; the rest as given. */
export function modelRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
  return { system: '', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [], ...parts };
}

/** All events of one answer. @throws what the stream throws */
export async function collectAnswer(
  model: ModelPort,
  request: ModelRequest = modelRequest(),
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

/** The text of an answer. */
export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}
