/** What the first bytes of a connection say. `serverName` as it stands there; undefined when none is asked for. */
export type FirstBytes =
  | { readonly kind: 'more' }
  | { readonly kind: 'not-tls' }
  | { readonly kind: 'broken'; readonly problem: string }
  | { readonly kind: 'hello'; readonly serverName?: string };

const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_HELLO = 0xfe0d;
const MOST_BYTES = 32_768;
const RECORD_HEADER = 5;
const HANDSHAKE_HEADER = 4;

/**
 * Which server a TLS client asks for (RFC 8446 4.1.2, RFC 6066 3): a big network answers for many hosts at one address, so
 * that the address alone does not tell whom a command talks to. What two servers could read differently is broken, and so
 * is an encrypted hello (RFC 9849), which asks for another server than it says.
 */
export function readFirstBytes(bytes: Buffer): FirstBytes {
  if (bytes.length === 0) return { kind: 'more' };
  if (bytes[0] !== HANDSHAKE_RECORD || (bytes.length > 1 && bytes[1] !== 3)) return { kind: 'not-tls' };
  const message = handshakeOf(bytes);
  if (message.length >= HANDSHAKE_HEADER) {
    const length = message.readUIntBE(1, 3);
    if (message[0] !== CLIENT_HELLO) return broken('it does not begin with a client hello');
    if (length > MOST_BYTES) return broken('its client hello is too long');
    if (message.length >= HANDSHAKE_HEADER + length)
      return readHello(message.subarray(HANDSHAKE_HEADER, HANDSHAKE_HEADER + length));
  }
  return bytes.length > MOST_BYTES ? broken('its client hello is too long') : { kind: 'more' };
}

/** The content of the handshake records that are there, one behind the other. */
function handshakeOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + RECORD_HEADER <= bytes.length && bytes[at] === HANDSHAKE_RECORD;) {
    const end = at + RECORD_HEADER + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + RECORD_HEADER, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function readHello(hello: Buffer): FirstBytes {
  try {
    const reader = new Reader(hello);
    reader.take(34);
    reader.vector(1);
    reader.vector(2);
    reader.vector(1);
    const extensions = new Reader(reader.isAtEnd ? Buffer.alloc(0) : reader.vector(2));
    reader.end();
    let names: Buffer | undefined;
    while (!extensions.isAtEnd) {
      const type = extensions.number(2);
      const content = extensions.vector(2);
      if (type === ENCRYPTED_HELLO) return broken('it hides which server it asks for (encrypted client hello)');
      if (type !== SERVER_NAME) continue;
      if (names !== undefined) return broken('it asks for two servers');
      names = content;
    }
    return names === undefined ? { kind: 'hello' } : { kind: 'hello', serverName: nameIn(names) };
  } catch {
    return broken('its client hello cannot be read');
  }
}

/** @throws RangeError unless there is one name, and it is a host's */
function nameIn(content: Buffer): string {
  const outer = new Reader(content);
  const list = new Reader(outer.vector(2));
  outer.end();
  if (list.number(1) !== 0) throw new RangeError('no host name');
  const name = list.vector(2);
  list.end();
  return name.toString('latin1');
}

function broken(problem: string): FirstBytes {
  return { kind: 'broken', problem };
}

/** Reads numbers and vectors in turn. All throw RangeError when there is less than they want. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('too short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  number(size: number): number {
    return this.take(size).readUIntBE(0, size);
  }

  /** What follows its own length, which takes `size` bytes. */
  vector(size: number): Buffer {
    return this.take(this.number(size));
  }

  end(): void {
    if (!this.isAtEnd) throw new RangeError('too long');
  }
}
