import type { Safe } from '@tenon/core';

/** What a piece of text is; the theme says how that looks. */
export type Role =
  | 'text'
  | 'dim'
  | 'strong'
  | 'emphasis'
  | 'accent'
  | 'heading'
  | 'link'
  | 'code'
  | 'quote'
  | 'user'
  | 'thinking'
  | 'running'
  | 'success'
  | 'warning'
  | 'error'
  | 'added'
  | 'addedWord'
  | 'removed'
  | 'removedWord'
  | 'border'
  | 'selected'
  | 'syntaxKeyword'
  | 'syntaxString'
  | 'syntaxNumber'
  | 'syntaxComment'
  | 'syntaxName'
  | 'syntaxType';

export type ThemeName = 'dark' | 'light' | 'high-contrast' | 'no-colour';

export interface Theme {
  /** One of Tenon's, or that of a file of the person. */
  readonly name: string;
  /** Line by line, so that a cut between lines never leaves a look on. */
  paint(role: Role, text: Safe): Safe;
}
