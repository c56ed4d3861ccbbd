import { Duplex } from 'node:stream';
import { connect, type ConnectionOptions } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFirstBytes } from './client-hello.js';

/** What a real TLS client says first. */
async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        resolve(chunk);
        done();
        setImmediate(() => client.destroy());
      },
    });
    const client = connect({ socket: wire, ...options });
    client.on('error', () => undefined);
  });
}

const vector = (size: number, content: Buffer): Buffer => {
  const length = Buffer.alloc(size);
  length.writeUIntBE(content.length, 0, size);
  return Buffer.concat([length, content]);
};
const extension = (type: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type >> 8, type & 255]), vector(2, content)]);
const serverName = (...names: string[]): Buffer =>
  extension(
    0,
    vector(2, Buffer.concat(names.map((name) => Buffer.concat([Buffer.from([0]), vector(2, Buffer.from(name))])))),
  );
const record = (content: Buffer): Buffer => Buffer.concat([Buffer.from([22, 3, 1]), vector(2, content)]);
const handshake = (extensions: Buffer, after = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    Buffer.from([1]),
    vector(
      3,
      Buffer.concat([
        Buffer.alloc(34, 3),
        vector(1, Buffer.alloc(0)),
        vector(2, Buffer.from([0x13, 1])),
        vector(1, Buffer.from([0])),
        vector(2, extensions),
        after,
      ]),
    ),
  ]);

describe('the first bytes of a connection', () => {
  it('tell which server a real client asks for', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
      expect(readFirstBytes(await helloOf({ servername: 'Example.com', maxVersion }))).toEqual({
        kind: 'hello',
        serverName: 'Example.com',
      });
    expect(readFirstBytes(await helloOf({ servername: '' }))).toEqual({ kind: 'hello' });
  });

  it('are waited for until they are there, however they are cut', async () => {
    const hello = await helloOf({ servername: 'example.com', ALPNProtocols: ['h2', 'http/1.1'] });
    for (let length = 0; length < hello.length; length += 1)
      expect(readFirstBytes(hello.subarray(0, length)).kind, String(length)).toBe('more');
    const message = hello.subarray(5);
    const cut = Buffer.concat([
      record(message.subarray(0, 3)),
      record(message.subarray(3, 60)),
      record(message.subarray(60)),
    ]);
    expect(readFirstBytes(cut)).toEqual({ kind: 'hello', serverName: 'example.com' });
  });

  it.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n'), 'not-tls'],
    ['SSH', Buffer.from('SSH-2.0-x\r\n'), 'not-tls'],
    ['TLS of no version', Buffer.from([22, 2, 0, 0, 0]), 'not-tls'],
    ['another message', record(Buffer.from([2, 0, 0, 0])), 'broken'],
    ['two names', record(handshake(serverName('a.com', 'b.com'))), 'broken'],
    ['the name twice', record(handshake(Buffer.concat([serverName('a.com'), serverName('b.com')]))), 'broken'],
    ['another kind of name', record(handshake(extension(0, vector(2, Buffer.from([1, 0, 1, 97]))))), 'broken'],
    ['an empty list of names', record(handshake(extension(0, vector(2, Buffer.alloc(0))))), 'broken'],
    ['something behind the extensions', record(handshake(serverName('a.com'), Buffer.from([0]))), 'broken'],
    [
      'a length that leads out of it',
      record(Buffer.concat([Buffer.from([1, 0, 0, 2]), Buffer.from([3, 3])])),
      'broken',
    ],
    [
      'an encrypted hello',
      record(handshake(Buffer.concat([serverName('a.com'), extension(0xfe0d, Buffer.alloc(8))]))),
      'broken',
    ],
    ['a hello of a megabyte', record(Buffer.from([1, 16, 0, 0])), 'broken'],
    ['empty records without end', Buffer.concat(Array.from({ length: 8000 }, () => record(Buffer.alloc(0)))), 'broken'],
    ['one name', record(handshake(serverName('a.com'))), 'hello'],
  ])('%s', (_what, bytes, kind) => expect(readFirstBytes(bytes).kind).toBe(kind));

  it('never throw, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        readFirstBytes(Buffer.concat([Buffer.from([22, 3, 1]), bytes]));
        readFirstBytes(record(handshake(Buffer.from(bytes))));
      }),
    );
  });
});
