import { cleanText, cutBytes } from '../../util/clean-text.js';
import { errorMessage } from '../../util/failure.js';
import { base64Bytes } from './base64-bytes.js';
import { extensionOf } from './media-extension.js';
import { isObject } from '../../util/is-object.js';

export type ContentPart =
  { readonly text: string } | { readonly inlineData: { readonly data: string; readonly mimeType: string } };

/** What content of a server needs of the machine. */
export interface ContentPorts {
  /** Media as a model may be sent them; undefined for what no model takes. May throw with the reason why these cannot be. */
  readonly fit: (media: ForeignMedia) => Promise<FittedMedia | undefined>;
  /** Keeps bytes where tools may read them. Returns the path. */
  readonly save: (bytes: Buffer, extension: string) => Promise<string>;
  /** How a linked resource is read: words that go on behind its line. */
  readonly readLink?: string;
}

export interface ForeignMedia {
  readonly bytes: Buffer;
  /** As the server says. */
  readonly mimeType: string;
  readonly name: string;
}

export interface FittedMedia {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly note?: string | undefined;
}

/** Text of one result; what is longer than a model can take goes to a file whole, so this only keeps memory in bounds. */
const MOST_TEXT_BYTES = 32 * 1024 * 1024;
const MOST_MEDIA_BYTES = 32 * 1024 * 1024;
/** Less than one result may have as base64, so that none is dropped later on. */
const MOST_SHOWN_BYTES = 10 * 1024 * 1024;
const MOST_BLOCKS = 2000;
const LONGEST_LABEL = 400;

type Block = Readonly<Record<string, unknown>>;

/** Content blocks of a server, in order, as parts for a model. Whatever is wrong with one becomes a note and costs no other. */
export class ContentParts {
  readonly parts: ContentPart[] = [];
  readonly notes: string[] = [];
  readonly #ports: ContentPorts;
  #room = { text: MOST_TEXT_BYTES, media: MOST_MEDIA_BYTES, shown: MOST_SHOWN_BYTES };

  constructor(ports: ContentPorts) {
    this.#ports = ports;
  }

  /** `blocks`: what stands in `content`, or one block of a prompt's message. */
  async addBlocks(blocks: unknown): Promise<void> {
    const list: readonly unknown[] = Array.isArray(blocks) ? blocks : [blocks];
    for (const block of list.slice(0, MOST_BLOCKS)) {
      const adding = this.#addBlock(block);
      if (adding !== undefined) await adding;
    }
    if (list.length > MOST_BLOCKS) this.notes.push(`${list.length - MOST_BLOCKS} more content blocks were left out.`);
  }

  addText(text: string): void {
    const kept = cutBytes(text, this.#room.text);
    this.#room.text -= Buffer.byteLength(kept);
    if (kept.length < text.length) this.notes.push('A text was cut: the result is larger than 32 MiB.');
    const clean = cleanText(kept).text;
    if (clean !== '') this.parts.push({ text: clean });
  }

  /** `contents` of a resource, and embedded resources. */
  async addResource(resource: unknown): Promise<void> {
    if (!isObject(resource)) return void this.notes.push('An embedded resource has no content.');
    const mimeType = label(resource['mimeType']);
    const name = label(resource['uri']) || 'without an address';
    if (typeof resource['text'] === 'string') {
      this.addText(`Resource ${name}${mimeType === '' ? '' : ` (${mimeType})`}:\n${resource['text']}`);
    } else if (resource['blob'] !== undefined) {
      await this.#addBytes(resource['blob'], mimeType || 'application/octet-stream', `resource ${name}`);
    } else {
      this.notes.push(`The resource ${name} came without content.`);
    }
  }

  /** A promise only where something is to be waited for: nearly all content is text. */
  #addBlock(block: unknown): Promise<void> | undefined {
    if (typeof block === 'string') {
      this.addText(block);
      return undefined;
    }
    if (!isObject(block)) return void this.notes.push(`A content block is ${kindOf(block)} and was left out.`);
    const { type } = block;
    if (type === 'text' && typeof block['text'] === 'string') this.addText(block['text']);
    else if (type === 'image' || type === 'audio')
      return this.#addBytes(block['data'], label(block['mimeType']) || `${type}/*`, type);
    else if (type === 'resource') return this.addResource(block['resource']);
    else if (type === 'resource_link') this.addText(this.#link(block));
    else if (type === 'text') this.notes.push('A text block without text was left out.');
    else this.notes.push(`Content of the kind ${JSON.stringify(label(type))} is not known here and was left out.`);
    return undefined;
  }

  #link(block: Block): string {
    const [uri, name, mimeType] = [
      label(block['uri']),
      label(block['title'] ?? block['name']),
      label(block['mimeType']),
    ];
    const size = typeof block['size'] === 'number' ? `${block['size']} bytes` : '';
    const facts = [mimeType, size].filter((fact) => fact !== '').join(', ');
    const about = label(block['description']);
    const parts = [
      uri || 'without an address',
      name && JSON.stringify(name),
      facts && `(${facts})`,
      about && `- ${about}`,
    ];
    return `Resource link: ${parts.filter((part) => part !== '').join(' ')}${this.#ports.readLink ?? ''}`;
  }

  async #addBytes(data: unknown, mimeType: string, name: string): Promise<void> {
    const what = `${name} (${mimeType})`;
    if (typeof data !== 'string') return void this.notes.push(`The ${what} came without data.`);
    if (data.length > 2 * MOST_MEDIA_BYTES) return void this.notes.push(`The ${what} is too large and was left out.`);
    const bytes = base64Bytes(data);
    if (bytes === undefined) return void this.notes.push(`The ${what} is no valid base64 and was left out.`);
    if (bytes.length === 0) return void this.notes.push(`The ${what} is empty.`);
    if (bytes.length > this.#room.media)
      return void this.notes.push(`The ${what} of ${bytes.length} bytes was left out: the result is too large.`);
    this.#room.media -= bytes.length;
    await this.#addMedia({ bytes, mimeType, name });
  }

  async #addMedia(media: ForeignMedia): Promise<void> {
    const { bytes, mimeType, name } = media;
    let why = 'cannot be shown here';
    try {
      const fitted = await this.#ports.fit(media);
      if (fitted !== undefined && fitted.bytes.length > this.#room.shown) {
        why = 'is not shown, there are too many media in one result';
      } else if (fitted !== undefined) {
        this.#room.shown -= fitted.bytes.length;
        this.parts.push({ inlineData: { data: fitted.bytes.toString('base64'), mimeType: fitted.mimeType } });
        if (fitted.note !== undefined) this.notes.push(fitted.note);
        return;
      }
      const text = fitted === undefined ? textOf(bytes, mimeType) : undefined;
      if (text !== undefined) return this.addText(`${name} (${mimeType}):\n${text}`);
    } catch (thrown) {
      why = `cannot be shown: ${errorMessage(thrown)}`;
    }
    try {
      const path = await this.#ports.save(bytes, extensionOf(mimeType));
      this.addText(`The ${name} (${mimeType}, ${bytes.length} bytes) is in ${path}; it ${why}.`);
    } catch (thrown) {
      this.notes.push(`The ${name} (${mimeType}) could not be saved: ${errorMessage(thrown)}`);
    }
  }
}

function textOf(bytes: Buffer, mimeType: string): string | undefined {
  if (!/^text\/|[/+](?:json|xml|yaml|toml|javascript|sql)\b|^application\/x-sh\b/i.test(mimeType)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A short text of a server on one line; empty where there is none. */
export function label(value: unknown): string {
  if (typeof value !== 'string') return '';
  return cutBytes(
    cleanText(value.slice(0, 4 * LONGEST_LABEL), { strict: true })
      .text.replaceAll(/\s+/g, ' ')
      .trim(),
    LONGEST_LABEL,
  );
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
