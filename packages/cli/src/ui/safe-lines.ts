import { makeSafe, type Safe } from '@tenon/core';

/** One line: line breaks inside it are shown, not made. */
export function safeLine(text: string): Safe {
  return makeSafe(text);
}

/** Text of several lines. */
export function safeBlock(text: string): Safe {
  return makeSafe(text, { multiline: true });
}
