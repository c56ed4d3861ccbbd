/**
 * The language of the link: what a forwarder inside and this process say to each other about many connections over one
 * stream each way. A frame is its kind (1 byte), the number of the connection (4), a value (4, big-endian), and with
 * `data` as many bytes as the value says. `open`: the value is the port that was connected to, 0 for the proxy. `credit`:
 * the other side may send that many bytes more. The forwarder alone opens.
 */
export const FrameKind = { open: 1, data: 2, end: 3, reset: 4, credit: 5 } as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export interface Frame {
  readonly kind: FrameKind;
  readonly id: number;
  readonly value: number;
  readonly data?: Buffer;
}

export const FRAME_HEADER = 9;
/** Of one data frame. */
export const MOST_DATA = 65_536;
/** What may be sent on a new connection before the other side has read any of it. */
export const FIRST_CREDIT = 4 * MOST_DATA;

export function encodeFrame(kind: FrameKind, id: number, value = 0): Buffer {
  const header = Buffer.alloc(FRAME_HEADER);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(id, 1);
  header.writeUInt32BE(value, 5);
  return header;
}

/** Takes frames out of bytes that come in pieces. Holds no more than one frame. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete now; undefined when the other side does not speak this language. */
  read(chunk: Buffer): Frame[] | undefined {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (bytes.length >= FRAME_HEADER) {
      const kind = Object.values(FrameKind).find((each) => each === bytes[0]);
      const [id, value] = [bytes.readUInt32BE(1), bytes.readUInt32BE(5)];
      if (kind === undefined || (kind === FrameKind.data && value > MOST_DATA)) return undefined;
      const end = FRAME_HEADER + (kind === FrameKind.data ? value : 0);
      if (bytes.length < end) break;
      frames.push({ kind, id, value, ...(kind === FrameKind.data && { data: bytes.subarray(FRAME_HEADER, end) }) });
      bytes = bytes.subarray(end);
    }
    // Copied: a view would hold the whole chunk.
    this.#rest = Buffer.from(bytes);
    return frames;
  }
}
