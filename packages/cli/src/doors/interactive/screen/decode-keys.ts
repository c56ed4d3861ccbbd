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
const PASTE_END = '\u001b[201~';
/** A paste without an end mark ends after this pause, in milliseconds. */
const PASTE_PAUSE_MS = 1_000;

/**
 * Makes keys of what a terminal sends. What is pasted is one key, also where the terminal does not mark it: lines or very
 * many characters that come at once. Pressing Enter there must not send what stands above it.
 */
export function createKeyReader(onKey: (key: Key) => void, onReply: (reply: TerminalReply) => void): KeyReader {
  const sequences = new StdinBuffer();
  let batch: string[] | undefined;
  let pushes = 0;
  // An end mark outside a paste does nothing.
  const endPaste = (): void => sequences.process(PASTE_END);
  const pause = (): void => {
    const before = pushes;
    // After the program was busy, the input that has arrived is read first.
    setImmediate(() => {
      if (pushes === before) endPaste();
    });
  };
  let timer: NodeJS.Timeout | undefined;
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
      pushes += 1;
      clearTimeout(timer);
      timer = setTimeout(pause, PASTE_PAUSE_MS).unref();
      batch = [];
      if (isInterrupt(chunk)) endPaste();
      sequences.process(chunk);
      const parts = batch;
      batch = undefined;
      flush(parts);
    },
    clear() {
      clearTimeout(timer);
      sequences.clear();
    },
  };
}

/** Returns true for Ctrl-C alone: the user wants the keyboard back. */
function isInterrupt(chunk: string): boolean {
  return /^\u0003+$/.test(chunk) || parseKey(chunk) === 'ctrl+c';
}

/** Keys that came together. Pure. */
function keysOf(sequences: readonly string[]): readonly Key[] {
  const keys: Key[] = [];
  let typed = '';
  const close = (): void => {
    if (typed !== '') keys.push(...typedKeys(typed));
    typed = '';
  };
  for (const each of sequences) {
    const sequence = PLAIN_ENTER.test(each) ? '\r' : each;
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
  return { name: 'paste', text: withCharacters(text).replaceAll(/\r\n?/g, '\n'), raw };
}

/** Matches a key in CSI-u (`code;modifiers u`) or in xterm's modifyOtherKeys (`27;modifiers;code ~`). */
const WRITTEN_KEY = /\u001b\[(?:27;(\d+);(\d+)~|(\d+)(?:;(\d+)(?::\d+)?)?u)/g;
const PLAIN_ENTER = /^\u001b\[(?:13(?:;1(?::\d+)?)?u|27;1;13~)$/;
/** Ctrl-I, Ctrl-J and Ctrl-M, whose characters may occur in a text. */
const CONTROLS: ReadonlyMap<number, string> = new Map([
  [105, '\t'],
  [106, '\n'],
  [109, '\r'],
]);

/** Decodes the characters of a paste that a terminal sent as keys (tmux with csi-u). Pure. */
function withCharacters(text: string): string {
  return text.replaceAll(WRITTEN_KEY, (sequence: string, ...found: (string | undefined)[]) => {
    const code = Number(found[1] ?? found[2]);
    const modifiers = Number(found[0] ?? found[3] ?? 1);
    if (modifiers === 5) return CONTROLS.get(code) ?? sequence;
    const isCharacter = (code >= 32 && code <= 0x10ffff) || code === 9 || code === 10 || code === 13;
    return modifiers <= 2 && isCharacter ? String.fromCodePoint(code) : sequence;
  });
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

/** Returns true for terminal reports that Tenon ignores: strings, device and cursor reports, focus, mouse, a late end of a paste. */
function isReport(sequence: string): boolean {
  return /^\u001b(?:[\]P_]|\[\??[\d;]*[cRn]$|\[[IO]$|\[<|\[M|\[201~)/.test(sequence);
}
