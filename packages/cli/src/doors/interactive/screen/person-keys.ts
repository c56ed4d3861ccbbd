import { StringDecoder } from 'node:string_decoder';
import type { Input } from '../../../surroundings.js';
import { onceRead } from '../../../ui/once-read.js';
import type { KeyReader } from './decode-keys.js';

/** Standard input, key by key. */
export interface PersonKeys {
  /** Nothing is read until the returned function is called: another program has the terminal. */
  pause(): () => void;
  close(): void;
}

/** Reads keys from now on. `onEnd`: there is no terminal any more. */
export function readKeys(input: Input, reader: KeyReader, onEnd: () => void): PersonKeys {
  const decoder = new StringDecoder('utf8');
  // What was typed before the terminal sent keys: of each Enter it has made a line feed.
  let isAhead = false;
  const onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    reader.push(isAhead ? text.replaceAll('\n', '\r') : text);
  };
  const start = (): void => {
    input.setRawMode?.(true);
    input.on('data', onData);
    input.resume();
    isAhead = true;
    onceRead(() => (isAhead = false));
  };
  const stop = (): void => {
    input.off('data', onData);
    input.pause();
    input.setRawMode?.(false);
    reader.clear();
  };
  input.on('end', onEnd);
  input.on('close', onEnd);
  start();
  return {
    pause: () => {
      stop();
      return start;
    },
    close() {
      input.off('end', onEnd);
      input.off('close', onEnd);
      stop();
    },
  };
}
