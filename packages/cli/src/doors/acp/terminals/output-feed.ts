import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { TerminalText } from './terminal-text.js';

/** What waits for a terminal that is slower than its command; what is more is left out. In bytes. */
const MOST_WAITING = 16 * 1024 * 1024;
/** The end of a feed begins with it; it is in no text. */
const END = 0;

/** Output of one command on its way to one follower (`followOutput`), bounded in memory, never slowing the command down. */
export class OutputFeed {
  readonly #text = new TerminalText();
  #waiting: string[] = [];
  #waitingBytes = 0;
  #leftOut = 0;
  #socket: Socket | undefined;
  #server: Server | undefined;
  #folder: string | undefined;
  /** When a follower is there. Never rejects. */
  readonly connected: Promise<void>;
  /** When the follower that was there is gone. Never rejects. */
  readonly gone: Promise<void>;
  #tellConnected: () => void = () => undefined;
  #tellGone: () => void = () => undefined;

  constructor() {
    this.connected = new Promise((resolve) => (this.#tellConnected = resolve));
    this.gone = new Promise((resolve) => (this.#tellGone = resolve));
  }

  /** A chunk is not kept. */
  readonly write = (chunk: Uint8Array): void => this.#send(this.#text.next(chunk));

  /**
   * Where the follower connects: a socket in a folder that is the person's alone, gone as soon as it did.
   * @throws the system's error where there can be none
   */
  async open(tempFolder: string): Promise<string> {
    const folder = await mkdtemp(path.join(tempFolder, 'tenon-'));
    this.#folder = folder;
    const place = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'out');
    const server = createServer((socket) => this.#follow(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(place, resolve);
    });
    server.on('error', () => undefined);
    server.unref();
    return place;
  }

  /** The last words, then the code with which the follower ends. Nothing is written after it. */
  end(words: string, exitCode: number): void {
    if (words !== '') this.#send(`\n${words}\n`);
    this.#socket?.end(Buffer.from([END, exitCode & 0xff]));
  }

  close(): void {
    this.#socket?.destroy();
    this.#waiting = [];
    this.#shut();
  }

  #follow(socket: Socket): void {
    if (this.#socket !== undefined) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => this.#tellGone());
    // It says nothing; what is not read would keep its end from being noticed.
    socket.resume();
    // First: whoever is killed when something of it was seen leaves nothing.
    this.#shut();
    for (const text of this.#waiting.splice(0)) socket.write(text);
    this.#waitingBytes = 0;
    this.#tellConnected();
  }

  #send(text: string): void {
    if (text === '') return;
    const bytes = Buffer.byteLength(text);
    const waiting = this.#socket?.writableLength ?? this.#waitingBytes;
    if (waiting + bytes > MOST_WAITING) {
      this.#leftOut += bytes;
      return;
    }
    const gap = this.#leftOut === 0 ? '' : `\n[… ${this.#leftOut} bytes are not shown here …]\n`;
    this.#leftOut = 0;
    if (this.#socket === undefined) {
      this.#waiting.push(gap + text);
      this.#waitingBytes += bytes;
    } else if (this.#socket.writable) this.#socket.write(gap + text);
  }

  /** The name of the socket goes; who is connected stays. */
  #shut(): void {
    const [server, folder] = [this.#server, this.#folder];
    this.#server = undefined;
    this.#folder = undefined;
    server?.close();
    try {
      // At once: whoever is killed in the next moment leaves nothing.
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Somebody else tidies the system's folder.
    }
  }
}
