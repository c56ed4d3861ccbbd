import { joinSafe, safeText, type Safe } from '@tenon/core';
import { safeBlock, safeLine } from '../../../ui/safe-lines.js';
import type { CommandAnswer, Completion } from './command.js';

/** Lines for the person, each with its line feed. What a command shows always ends with one. */
export function block(lines: readonly Safe[]): Safe {
  return joinSafe(
    lines.map((line) => safeText`${line}\n`),
    safeText``,
  );
}

/** An answer of plain text, of one line or several. */
export function say(text: string): CommandAnswer {
  return { shown: safeBlock(text.endsWith('\n') ? text : `${text}\n`) };
}

/** Two columns: what stands first is as wide as its widest. Nothing of it may hold a line feed that counts. */
export function columns(rows: readonly (readonly [string, string])[], indent = ''): Safe[] {
  const width = rows.reduce((most, [first]) => Math.max(most, first.length), 0);
  return rows.map(([first, second]) => safeLine(`${indent}${first.padEnd(width)}  ${second}`.trimEnd()));
}

/** Of words that may be typed, those that go on as it was begun; all of them for nothing. */
export function completionsOf(
  words: readonly (string | { readonly word: string; readonly detail?: string })[],
  typed: string,
): Completion[] {
  const begun = typed.trimStart().toLowerCase();
  return words
    .map((each) => (typeof each === 'string' ? { word: each } : each))
    .filter(({ word }) => word.toLowerCase().startsWith(begun))
    .map(({ word, ...more }) => ({ insert: word, label: word, ...more }));
}
