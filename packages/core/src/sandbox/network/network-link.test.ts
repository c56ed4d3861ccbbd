import { PassThrough, type Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeFrame, FIRST_CREDIT, FrameKind, FrameReader, MOST_DATA, type Frame } from './link-frames.js';
import { NetworkLink } from './network-link.js';

const links: NetworkLink[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

/** A link, and the other side of it, which says what it likes. */
function makeLink(mostConnections = 4) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const accepted: { connection: Duplex; port: number }[] = [];
  const heard: Frame[] = [];
  const reader = new FrameReader();
  output.on('data', (chunk: Buffer) => heard.push(...(reader.read(chunk) ?? [])));
  const link = new NetworkLink({
    input,
    output,
    mostConnections,
    accept: (connection, port) => accepted.push({ connection, port }),
  });
  links.push(link);
  const say = async (...frames: Buffer[]): Promise<void> => {
    for (const frame of frames) input.write(frame);
    await nextTurn();
  };
  return { link, accepted, heard, say, isOpen: () => !input.destroyed };
}

const data = (id: number, bytes: Buffer): Buffer =>
  Buffer.concat([encodeFrame(FrameKind.data, id, bytes.length), bytes]);
const heardData = (heard: readonly Frame[]): Buffer => Buffer.concat(heard.flatMap((frame) => frame.data ?? []));

describe('a link', () => {
  it('carries what many connections say, each way, to its end', async () => {
    const { accepted, heard, say, link } = makeLink();
    await say(
      encodeFrame(FrameKind.open, 1, 0),
      encodeFrame(FrameKind.open, 2, 5432),
      data(1, Buffer.from('one')),
      data(2, Buffer.from('two')),
    );
    const [one, two] = accepted;
    expect([one?.port, two?.port, one?.connection.read(), two?.connection.read()].map(String)).toEqual([
      '0',
      '5432',
      'one',
      'two',
    ]);
    one?.connection.end('bye');
    await sleep(10);
    expect(heard.map(({ kind, id }) => [kind, id])).toEqual([
      [FrameKind.data, 1],
      [FrameKind.end, 1],
    ]);
    one?.connection.resume();
    await say(encodeFrame(FrameKind.end, 1), encodeFrame(FrameKind.reset, 2));
    await sleep(10);
    expect(link.openConnections).toBe(0);
    expect(two?.connection.destroyed).toBe(true);
    // Nothing is taken back of what ended well.
    expect(heard.some(({ kind }) => kind === FrameKind.reset)).toBe(false);
  });

  it('sends no more than it was given credit for, and goes on when it gets more', async () => {
    const { accepted, heard, say } = makeLink();
    await say(encodeFrame(FrameKind.open, 1, 0));
    const bytes = Buffer.alloc(FIRST_CREDIT + 100_000, 'x');
    accepted[0]?.connection.end(bytes);
    await sleep(30);
    expect(heardData(heard).length).toBe(FIRST_CREDIT);
    await say(encodeFrame(FrameKind.credit, 1, 1000));
    await sleep(10);
    expect(heardData(heard).length).toBe(FIRST_CREDIT + 1000);
    await say(encodeFrame(FrameKind.credit, 1, 10_000_000));
    await sleep(30);
    expect(heardData(heard).equals(bytes)).toBe(true);
    expect(heard.at(-1)?.kind).toBe(FrameKind.end);
  });

  it('gives credit for what was read, and for nothing else', async () => {
    const { accepted, heard, say, isOpen } = makeLink();
    await say(encodeFrame(FrameKind.open, 1, 0));
    for (let sent = 0; sent < FIRST_CREDIT; sent += MOST_DATA) await say(data(1, Buffer.alloc(MOST_DATA)));
    await sleep(10);
    const granted = (): number =>
      heard.filter(({ kind }) => kind === FrameKind.credit).reduce((sum, { value }) => sum + value, 0);
    expect(granted()).toBeLessThanOrEqual(MOST_DATA);
    accepted[0]?.connection.resume();
    await sleep(20);
    expect(granted()).toBe(FIRST_CREDIT);
    expect(isOpen()).toBe(true);
  });

  it('breaks connections off that are too many, and keeps the others', async () => {
    const { link, heard, say, accepted } = makeLink(2);
    await say(...[1, 2, 3, 4].map((id) => encodeFrame(FrameKind.open, id, 0)));
    expect([link.openConnections, accepted.length]).toEqual([2, 2]);
    expect(heard.map(({ kind, id }) => [kind, id])).toEqual([
      [FrameKind.reset, 3],
      [FrameKind.reset, 4],
    ]);
    accepted[0]?.connection.destroy();
    await say(encodeFrame(FrameKind.open, 5, 0));
    expect(accepted.length).toBe(3);
  });

  it.each<[string, Buffer[]]>([
    ['a kind that there is not', [Buffer.alloc(9, 9)]],
    ['a piece that is too big', [encodeFrame(FrameKind.open, 1, 0), encodeFrame(FrameKind.data, 1, MOST_DATA + 1)]],
    ['a connection that is open already', [encodeFrame(FrameKind.open, 1, 0), encodeFrame(FrameKind.open, 1, 0)]],
    ['a port that there is not', [encodeFrame(FrameKind.open, 1, 70_000)]],
    ['a second end', [encodeFrame(FrameKind.open, 1, 0), encodeFrame(FrameKind.end, 1), encodeFrame(FrameKind.end, 1)]],
    [
      'words behind the end',
      [encodeFrame(FrameKind.open, 1, 0), encodeFrame(FrameKind.end, 1), data(1, Buffer.from('x'))],
    ],
    ['credit beyond reason', [encodeFrame(FrameKind.open, 1, 0), encodeFrame(FrameKind.credit, 1, 0xffff_ffff)]],
    [
      'more than it may',
      [encodeFrame(FrameKind.open, 1, 0), ...Array.from({ length: 6 }, () => data(1, Buffer.alloc(MOST_DATA)))],
    ],
  ])('ends, with all its connections, when the other side says %s', async (_what, frames) => {
    const { say, isOpen, link, accepted } = makeLink();
    await say(...frames);
    await sleep(5);
    expect([isOpen(), link.openConnections]).toEqual([false, 0]);
    expect(accepted.every(({ connection }) => connection.destroyed)).toBe(true);
  });

  it('survives whatever comes', async () => {
    const frame = fc
      .record({
        kind: fc.integer({ min: 0, max: 6 }),
        id: fc.integer({ min: 0, max: 4 }),
        value: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.nat()),
        bytes: fc.uint8Array({ maxLength: 40 }),
      })
      .map(({ kind, id, value, bytes }) => {
        const header = encodeFrame(FrameKind.open, id, kind === FrameKind.data ? bytes.length : value);
        header[0] = kind;
        return Buffer.concat([header, Buffer.from(kind === FrameKind.data ? bytes : [])]);
      });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 40 }), fc.integer({ min: 1, max: 50 }), async (frames, cut) => {
        const { say, link, accepted } = makeLink();
        const all = Buffer.concat(frames);
        for (let at = 0; at < all.length; at += cut) await say(all.subarray(at, at + cut));
        for (const { connection } of accepted) connection.resume().end('x');
        expect(link.openConnections).toBeLessThanOrEqual(4);
        link.close();
        expect(accepted.every(({ connection }) => connection.destroyed)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
