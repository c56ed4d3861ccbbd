import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventGate, type LongEvent } from './event-gate.js';

interface Seen {
  readonly text: string;
  readonly long: readonly LongEvent[];
}

/** What goes through, and what was told, when the text comes in pieces of these sizes, in turn. */
function through(text: string, mostBytes: number, sizes: readonly number[] = [1_000_000], instead?: string): Seen {
  const long: LongEvent[] = [];
  const gate = new EventGate({
    mostBytes,
    onLong: (event) => {
      long.push(event);
      return event.end === undefined ? instead : undefined;
    },
  });
  const bytes = Buffer.from(text);
  const out: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    out.push(...gate.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return { text: Buffer.concat(out).toString(), long };
}

const line = fc.constantFrom('data: x', 'id: 7', ': note', 'event: message', 'data: größer', '');
const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
const stream = fc
  .array(
    fc.tuple(line, lineEnd).map((parts) => parts.join('')),
    { maxLength: 30 },
  )
  .map((all) => all.join(''));
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(500)), { minLength: 1, maxLength: 5 });

/** How the standard reads it. */
function eventsOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/u).slice(0, -1);
  const events: string[] = [];
  let event: string[] = [];
  for (const one of lines) {
    if (one !== '') event.push(one);
    else {
      if (event.length > 0) events.push(event.join('\n'));
      event = [];
    }
  }
  return events;
}

describe('events of a stream', () => {
  it.each(['\n', '\r', '\r\n'])('come whole, once they are over, whatever ends a line: %j', (end) => {
    const first = `id: 1${end}data: a${end}${end}`;
    expect(through(`${first}data: b${end}`, 100).text).toBe(first);
    expect(through(`${first}data: b${end}${end}`, 100, [1]).text).toBe(`${first}data: b${end}${end}`);
  });

  it('are the same, none held back, however the stream is cut', () => {
    fc.assert(
      fc.property(stream, sizes, (text, cuts) => {
        const { text: out, long } = through(text, 10_000, cuts);
        expect(long).toEqual([]);
        expect(text.startsWith(out)).toBe(true);
        expect(eventsOf(out)).toEqual(eventsOf(text));
      }),
    );
  });

  it('that are too long are left out, and no other', () => {
    fc.assert(
      fc.property(stream, sizes, fc.integer({ min: 5, max: 40 }), (text, cuts, most) => {
        const { text: out, long } = through(text, most, cuts);
        const [whole, short] = [eventsOf(text), eventsOf(out)];
        for (const event of short) expect(whole).toContain(event);
        const ended = long.filter(({ end }) => end !== undefined).length;
        // Lines of nothing are parts of no event in the standard.
        expect(short.length).toBeGreaterThanOrEqual(whole.length - ended);
        for (const event of whole)
          if (Buffer.byteLength(event) > most) expect(short.filter((one) => one === event)).toEqual([]);
      }),
    );
  });

  it('that are too long are told as soon as they are, and at their end', () => {
    const { text, long } = through(`data: a\n\ndata: ${'x'.repeat(50)}"id":9}\n\ndata: b\n\n`, 20, [7], 'data: no\n\n');
    expect(text).toBe('data: a\n\ndata: no\n\ndata: b\n\n');
    expect(long).toHaveLength(2);
    expect(long[0]).toMatchObject({ start: expect.stringMatching(/^data: x+$/u) });
    expect(long[0]?.bytes).toBeLessThan(30);
    expect(long[1]).toMatchObject({ end: expect.stringContaining('"id":9}'), bytes: 65 });
  });

  it('without an end are not held', () => {
    const gate = new EventGate({ mostBytes: 100_000, onLong: () => undefined });
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 512; count++) expect(gate.push(Buffer.alloc(1024 * 1024, 'x'))).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024 * 1024);
  });
});
