import type { Safe } from '@tenon/core';
import type { Theme } from '../themes/theme.js';

/** How something is drawn. */
export interface Look {
  readonly columns: number;
  readonly theme: Theme;
  /** True: calls show all of their output, not the compact line. */
  readonly isOpen: boolean;
  /** For times that run, in milliseconds. */
  readonly now: number;
  /** False: no boxes, marks and bars beyond ASCII. */
  readonly unicode: boolean;
  /** How the terminal shows images; undefined: it cannot. */
  readonly images?: 'kitty' | 'iterm2';
  /** Of a subagent that works so many of its latest calls are shown. Default: `MOST_BRANCHES`. */
  readonly branches?: number;
}

/**
 * A piece of the transcript. Once it is done it never changes again: it is printed into the scrollback, in order, and
 * forgotten. What is not done is drawn anew with every frame.
 */
export interface Block {
  /** Unique in the session. */
  readonly key: string;
  readonly isDone: boolean;
  /** Lines as wide as `look.columns` at most; an empty line above it belongs to it. */
  readonly render: (look: Look) => readonly Safe[];
}
