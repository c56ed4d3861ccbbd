import { describe, expect, it } from 'vitest';
import { limitAnswer, tooLongText } from './limit-answer.js';

const MOST = 2000;
const BIG = 'x'.repeat(MOST);

interface Limited {
  readonly response: Response;
  readonly log: string[];
  readonly refused: string[];
  /** What was read of the server's answer. */
  readonly read: () => number;
  readonly isCancelled: () => boolean;
}

interface Answer {
  readonly pieces: Iterable<string>;
  readonly type?: string;
  readonly id?: number;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

function limited({ pieces, type = 'application/json', id, status = 200, headers = {} }: Answer): Limited {
  const log: string[] = [];
  const refused: string[] = [];
  let read = 0;
  let isCancelled = false;
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const { value, done } = iterator.next();
        if (done === true) return controller.close();
        const piece = Buffer.from(value);
        read += piece.length;
        controller.enqueue(piece);
      },
      cancel: () => {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const response = limitAnswer(new Response(body, { status, headers: { 'content-type': type, ...headers } }), {
    mostBytes: MOST,
    id,
    refuseOnly: (message) => refused.push(message),
    log: (text) => log.push(text),
  });
  return { response, log, refused, read: () => read, isCancelled: () => isCancelled };
}

function* endlessly(piece: string): Generator<string> {
  for (;;) yield piece;
}

const result = (id: number, text: string): string => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}`;
const event = (data: string): string => `event: message\ndata: ${data}\n\n`;
const EVENTS = 'text/event-stream; charset=utf-8';
const refusal = { error: { code: -32_603, message: expect.stringContaining('its answer is too long') } };

/** The messages in what came. */
async function messages({ response }: Limited): Promise<unknown[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gmu)].map(([, data = '']) => JSON.parse(data) as unknown);
}

describe('an answer in one piece', () => {
  it('that is short comes as it is', async () => {
    const one = limited({ pieces: ['{"a":', '1}'], id: 3, headers: { 'x-y': 'z' } });
    expect([one.response.headers.get('x-y'), await one.response.text()]).toEqual(['z', '{"a":1}']);
    const exact = limited({ pieces: [BIG], id: 3 });
    expect(await exact.response.text()).toBe(BIG);
  });

  it('that is too long is an error for its request, and is not read further', async () => {
    const one = limited({ pieces: endlessly('y'.repeat(700)), id: 3 });
    expect(await one.response.json()).toMatchObject({ id: 3, ...refusal });
    expect(one.isCancelled()).toBe(true);
    expect(one.read()).toBe(2100);
  });

  it('that says so before is not read at all', async () => {
    const one = limited({ pieces: [BIG], id: 3, headers: { 'content-length': '3145728' } });
    expect(await one.response.json()).toMatchObject({
      id: 3,
      error: { message: 'its answer is too long: 3 MB in one message, of which 0 MB are allowed' },
    });
    expect([one.read(), one.isCancelled()]).toEqual([0, true]);
  });

  it('that is packed is judged as it is read', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': '10' };
    const one = limited({ pieces: endlessly(BIG), id: 3, headers });
    expect(await one.response.json()).toMatchObject(refusal);
  });

  it.each([
    ['an error', { status: 500, id: 3 }],
    ['an answer to what asks for none', { status: 202, id: undefined }],
    ['what nobody asked for', { status: 200, id: undefined }],
  ])('is cut where it is %s', async (_fact, answer) => {
    const one = limited({ pieces: endlessly('z'.repeat(1000)), ...(answer as { status: number; id?: number }) });
    expect((await one.response.text()).length).toBe(64 * 1024);
    expect(one.isCancelled()).toBe(true);
  });
});

describe('an answer as a stream', () => {
  it('of one request ends with the event that is too long', async () => {
    const pieces = [event(result(3, 'a')), ...Array.from({ length: 100 }, () => `data: ${BIG}`)];
    const one = limited({ pieces, type: EVENTS, id: 3 });
    expect(await messages(one)).toEqual([JSON.parse(result(3, 'a')), expect.objectContaining({ id: 3, ...refusal })]);
    expect(one.isCancelled()).toBe(true);
    expect(one.read()).toBeLessThan(3 * MOST);
  });

  it('leaves out what the server only tells, and goes on to the answer', async () => {
    const note = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${BIG}"}}`;
    const question = `{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"x":"${BIG}"}}`;
    const one = limited({ pieces: [event(note), event(question), event(result(3, 'a'))], type: EVENTS, id: 3 });
    expect(await messages(one)).toEqual([JSON.parse(result(3, 'a'))]);
    expect(one.log).toEqual(Array(2).fill('a message of more than 0 MB was left out'));
  });

  it('for all goes on, without the answer that is too long', async () => {
    const backwards = `{"result":{"text":"${BIG}${BIG}"},"jsonrpc":"2.0","id":5}`;
    const texts = [event(result(3, 'a')), event(result(4, BIG)), event(backwards), event(result(6, 'b'))];
    const one = limited({ pieces: texts.join('').match(/[^]{1,500}/gu) ?? [], type: EVENTS });
    expect(await messages(one)).toEqual([
      JSON.parse(result(3, 'a')),
      expect.objectContaining({ id: 4, ...refusal }),
      expect.objectContaining({ id: 5, ...refusal }),
      JSON.parse(result(6, 'b')),
    ]);
    // Whose answer it is stands at the end: until then only a request that waits alone can be told.
    expect(one.refused).toEqual([tooLongText(undefined, MOST)]);
    expect(one.isCancelled()).toBe(false);
  });

  it('says what it left out where nobody can be found who waits for it', async () => {
    const one = limited({ pieces: [event(`{"x":"${BIG}${BIG}"}`), event(result(6, 'b'))], type: EVENTS });
    expect(await messages(one)).toEqual([JSON.parse(result(6, 'b'))]);
    expect(one.log).toEqual(['a message of 0 MB was left out']);
  });

  it('ends when its reader does, and fails when the server does', async () => {
    const one = limited({ pieces: endlessly(event(result(3, 'a'))), type: EVENTS, id: 3 });
    const reader = one.response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(one.isCancelled()).toBe(true);
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('cut off')) });
    const options = { mostBytes: MOST, id: 3, refuseOnly: () => undefined, log: () => undefined };
    const response = limitAnswer(new Response(broken, { headers: { 'content-type': EVENTS } }), options);
    await expect(response.text()).rejects.toThrow('cut off');
  });
});
