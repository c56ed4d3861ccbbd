import { decodeKittyPrintable, parseKey, setKittyProtocolActive, StdinBuffer } from '@earendil-works/pi-tui';
import type { Key } from './panel.js';

/** What a terminal says about itself when it is asked. */
export type TerminalReply =
  /** Its background, each from 0 to 255. */
  | { readonly kind: 'background'; readonly rgb: readonly [number, number, number] }
  /** It tells keys apart that others send with the same bytes. */
  | { readonly kind: 'keyboard' };

export interface KeyReader {
  /** Text as it arrives, cut anywhere. */
  push(chunk: string): void;
  /** What has come so far is forgotten. */
  clear(): void;
}

/** So many characters at once are not typed by hand. */
const PASTED_LENGTH = 48;

/**
 * Makes keys of what a terminal sends. What is pasted is one key, also where the terminal does not mark it: lines or very
 * many characters that come at once. Pressing Enter there must not send what stands above it.
 */
export function createKeyReader(onKey: (key: Key) => void, onReply: (reply: TerminalReply) => void): KeyReader {
  const sequences = new StdinBuffer();
  let batch: string[] | undefined;
  const flush = (parts: readonly string[]): void => {
    for (const key of keysOf(parts)) onKey(key);
  };
  sequences.on('data', (sequence: string) => {
    const reply = replyOf(sequence);
    if (reply !== undefined) {
      if (reply.kind === 'keyboard') setKittyProtocolActive(true);
      return onReply(reply);
    }
    if (isReport(sequence)) return;
    // Outside of `push` it is what a time limit completed: an Escape alone.
    if (batch === undefined) flush([sequence]);
    else batch.push(sequence);
  });
  sequences.on('paste', (text: string) => {
    flush(batch?.splice(0) ?? []);
    onKey(pasteOf(text, text));
  });
  return {
    push(chunk) {
      batch = [];
      sequences.process(chunk);
      const parts = batch;
      batch = undefined;
      flush(parts);
    },
    clear: () => sequences.clear(),
  };
}

/** Keys that came together. Pure. */
function keysOf(sequences: readonly string[]): readonly Key[] {
  const keys: Key[] = [];
  let typed = '';
  const close = (): void => {
    if (typed !== '') keys.push(...typedKeys(typed));
    typed = '';
  };
  for (const sequence of sequences) {
    if (isText(sequence)) {
      typed += sequence;
      continue;
    }
    close();
    keys.push(keyOf(sequence));
  }
  close();
  return keys;
}

/** Characters and line ends. */
function isText(sequence: string): boolean {
  return (
    sequence === '\r' ||
    sequence === '\n' ||
    sequence === '\t' ||
    (sequence.length === 1 && sequence >= ' ' && sequence !== '\u007f')
  );
}

function typedKeys(text: string): readonly Key[] {
  const inner = text.slice(0, -1);
  const isPaste = /[\r\n]/.test(inner) ? text.length > 2 : text.length > PASTED_LENGTH;
  if (!isPaste) return Array.from(text, keyOf);
  // An Enter behind a single line was pressed, or typed by a program that means it so.
  return [pasteOf(text, text)];
}

function pasteOf(text: string, raw: string): Key {
  return { name: 'paste', text: text.replaceAll(/\r\n?/g, '\n'), raw };
}

function keyOf(sequence: string): Key {
  const name = parseKey(sequence);
  // Whole characters, which may be two units, are no escape sequences that `parseKey` knows.
  const isCharacter = !sequence.startsWith('\u001b') && sequence >= ' ' && sequence !== '\u007f';
  const text = isCharacter ? sequence : (decodeKittyPrintable(sequence) ?? '');
  return { name: name ?? (text === '' ? 'unknown' : text), text, raw: sequence };
}

const BACKGROUND = /^\u001b\]11;rgb:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i;
const KEYBOARD = /^\u001b\[\?\d+u$/;

function replyOf(sequence: string): TerminalReply | undefined {
  if (KEYBOARD.test(sequence)) return { kind: 'keyboard' };
  const found = BACKGROUND.exec(sequence);
  if (found === null) return undefined;
  const [red = 0, green = 0, blue = 0] = found
    .slice(1)
    .map((digits) => (parseInt(digits, 16) * 255) / (16 ** digits.length - 1));
  return { kind: 'background', rgb: [red, green, blue] };
}

/** Answers of a terminal that nobody reads: of strings, of its kind and of the cursor's place; focus; mouse. */
function isReport(sequence: string): boolean {
  return /^\u001b(?:[\]P_]|\[\??[\d;]*[cRn]$|\[[IO]$|\[<|\[M)/.test(sequence);
}
