import { makeSafe, type Safe } from '@tenon/core';

/** One line: line breaks inside it are shown, not made. */
export function safeLine(text: string): Safe {
  return makeSafe(text);
}

/** Text of several lines. A line may end as it does on Windows; a carriage return elsewhere is shown. */
export function safeBlock(text: string): Safe {
  return makeSafe(text.replaceAll('\r\n', '\n'), { multiline: true });
}
