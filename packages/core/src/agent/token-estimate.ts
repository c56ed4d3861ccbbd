import type {
  MediaBlock,
  Message,
  ModelTool,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from '../models/model.js';

type Block = TextBlock | ThinkingBlock | ToolCallBlock | ToolResultBlock | MediaBlock;

/** Characters of a token: of code and Western text, of other alphabets, of Chinese, Japanese, Korean and signs. */
const ASCII_CHARS = 3.8;
const LETTER_CHARS = 2.2;
const WIDE_CHARS = 1.1;
const FIRST_WIDE = 0x2e80;
/** Role, separators and ids of a message or of a block. */
const FRAME_TOKENS = 4;
/** A provider may count otherwise than is estimated, but not by more than this. */
const RATIO_LIMITS = [0.4, 3] as const;
/** In tokens. Of a request that is smaller the frame, which nobody sees, is most of what is counted. */
const SMALL_REQUEST = 500;

/** How many tokens a text is, roughly. */
export function textTokens(text: string): number {
  let letters = 0;
  let wide = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (code < FIRST_WIDE) letters++;
    else wide++;
  }
  const ascii = text.length - letters - wide;
  return Math.ceil(ascii / ASCII_CHARS + letters / LETTER_CHARS + wide / WIDE_CHARS);
}

/** By kind and size: providers count pictures by their area, sound and film by their length, documents by their pages. */
export function mediaTokens({ mimeType, data }: Pick<MediaBlock, 'mimeType' | 'data'>): number {
  const bytes = data.length * 0.75;
  if (mimeType.startsWith('image/')) return bytes < 50_000 ? 800 : 1600;
  if (mimeType === 'application/pdf') return Math.ceil(Math.max(1500, bytes / 30));
  if (mimeType.startsWith('audio/')) return Math.ceil(Math.max(100, bytes / 500));
  if (mimeType.startsWith('video/')) return Math.ceil(Math.max(300, bytes / 800));
  return 100;
}

export function blockTokens(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return textTokens(block.text);
    case 'tool-call':
      return FRAME_TOKENS + textTokens(block.name) + textTokens(block.argumentsText);
    case 'tool-result':
      return FRAME_TOKENS + sum(block.content.map(blockTokens));
    case 'media':
      return mediaTokens(block);
    default:
      return block satisfies never;
  }
}

/**
 * Estimates what the provider will count. Each message is looked at once, for messages are never changed. What the provider
 * says of a request makes all later estimates better.
 */
export class TokenEstimator {
  readonly #known = new WeakMap<Message, number>();
  readonly #results = new WeakMap<ToolResultBlock, number>();
  #ratio = 1;

  /** Uncalibrated, as `calibrate` wants it. */
  rawMessage(message: Message): number {
    let tokens = this.#known.get(message);
    if (tokens === undefined) {
      const sizes =
        message.role === 'tool'
          ? message.content.map((result) => this.rawResult(result))
          : message.content.map(blockTokens);
      tokens = FRAME_TOKENS + sum(sizes);
      this.#known.set(message, tokens);
    }
    return tokens;
  }

  rawResult(result: ToolResultBlock): number {
    let tokens = this.#results.get(result);
    if (tokens === undefined) {
      tokens = blockTokens(result);
      this.#results.set(result, tokens);
    }
    return tokens;
  }

  rawTool({ name, description, parameters }: ModelTool): number {
    return FRAME_TOKENS + textTokens(name) + textTokens(description) + textTokens(JSON.stringify(parameters));
  }

  message(message: Message): number {
    return this.scaled(this.rawMessage(message));
  }

  scaled(raw: number): number {
    return Math.ceil(raw * this.#ratio);
  }

  /** `raw`: the uncalibrated estimate of a whole request; `counted`: what the provider said of the same. */
  calibrate(raw: number, counted: number): void {
    // Some servers say nothing, and 0 to say so.
    if (raw <= 0 || counted <= 0) return;
    const [least, most] = RATIO_LIMITS;
    const ratio = (counted + SMALL_REQUEST) / (raw + SMALL_REQUEST);
    this.#ratio = Math.min(most, Math.max(least, ratio));
  }

  /** Another model counts otherwise. */
  forget(): void {
    this.#ratio = 1;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
