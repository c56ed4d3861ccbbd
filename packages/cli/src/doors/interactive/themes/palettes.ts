import type { Role, ThemeName } from './theme.js';

/** How a role looks: `colour` and `behind` as `#rrggbb`; `basic` are the numbers of the 16 colours that stand for them. */
export interface RoleLook {
  readonly colour?: string;
  readonly behind?: string;
  readonly basic?: number;
  readonly basicBehind?: number;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

export interface Palette {
  /** What is taken to be behind it; undefined where no colour is used. */
  readonly background?: string;
  readonly roles: Readonly<Record<Role, RoleLook>>;
}

const DARK: Palette = {
  background: '#1e1e1e',
  roles: {
    text: {},
    dim: { colour: '#8f96a3', basic: 8 },
    strong: { bold: true },
    emphasis: { italic: true },
    accent: { colour: '#6cb6ff', basic: 12 },
    heading: { colour: '#f0b463', basic: 11, bold: true },
    link: { colour: '#6cb6ff', basic: 12, underline: true },
    code: { colour: '#e6a5d1', basic: 13 },
    quote: { colour: '#a3adba', basic: 7, italic: true },
    user: { colour: '#d7e3f4', behind: '#34373e', basic: 15, basicBehind: 8 },
    thinking: { colour: '#8f96a3', basic: 8, italic: true },
    running: { colour: '#6cb6ff', basic: 14 },
    success: { colour: '#6bc46d', basic: 10 },
    warning: { colour: '#dcb04a', basic: 11 },
    error: { colour: '#ff8a80', basic: 9 },
    added: { colour: '#7fd88f', basic: 10 },
    addedWord: { colour: '#ffffff', behind: '#22633a', basic: 0, basicBehind: 2 },
    removed: { colour: '#ff9a94', basic: 9 },
    removedWord: { colour: '#ffffff', behind: '#8a2f2f', basic: 15, basicBehind: 1 },
    border: { colour: '#858b97', basic: 8 },
    selected: { colour: '#ffffff', behind: '#2f5a8c', basic: 15, basicBehind: 4, bold: true },
    syntaxKeyword: { colour: '#d79ff5', basic: 13 },
    syntaxString: { colour: '#98c379', basic: 10 },
    syntaxNumber: { colour: '#e5a56d', basic: 11 },
    syntaxComment: { colour: '#8f96a3', basic: 8, italic: true },
    syntaxName: { colour: '#6cb6ff', basic: 12 },
    syntaxType: { colour: '#5fc9c9', basic: 14 },
  },
};

const LIGHT: Palette = {
  background: '#fafafa',
  roles: {
    text: {},
    dim: { colour: '#686e79', basic: 8 },
    strong: { bold: true },
    emphasis: { italic: true },
    accent: { colour: '#0a58b5', basic: 4 },
    heading: { colour: '#8a4b00', basic: 5, bold: true },
    link: { colour: '#0a58b5', basic: 4, underline: true },
    code: { colour: '#94237a', basic: 5 },
    quote: { colour: '#575d68', basic: 8, italic: true },
    user: { colour: '#1c2733', behind: '#e4e8ee', basic: 0, basicBehind: 7 },
    thinking: { colour: '#686e79', basic: 8, italic: true },
    running: { colour: '#0a58b5', basic: 4 },
    success: { colour: '#176f2c', basic: 2 },
    warning: { colour: '#855a00', basic: 5 },
    error: { colour: '#b3261e', basic: 1 },
    added: { colour: '#176f2c', basic: 2 },
    addedWord: { colour: '#06270f', behind: '#b5e6bf', basic: 0, basicBehind: 2 },
    removed: { colour: '#b3261e', basic: 1 },
    removedWord: { colour: '#45060a', behind: '#ffc9c5', basic: 15, basicBehind: 1 },
    border: { colour: '#6f7580', basic: 8 },
    selected: { colour: '#ffffff', behind: '#0a58b5', basic: 15, basicBehind: 4, bold: true },
    syntaxKeyword: { colour: '#7a28b8', basic: 5 },
    syntaxString: { colour: '#256b1f', basic: 2 },
    syntaxNumber: { colour: '#96500a', basic: 1 },
    syntaxComment: { colour: '#686e79', basic: 8, italic: true },
    syntaxName: { colour: '#0a58b5', basic: 4 },
    syntaxType: { colour: '#0b6672', basic: 6 },
  },
};

const HIGH_CONTRAST: Palette = {
  background: '#000000',
  roles: {
    text: { colour: '#ffffff', basic: 15 },
    dim: { colour: '#d0d0d0', basic: 7 },
    strong: { colour: '#ffffff', basic: 15, bold: true },
    emphasis: { colour: '#ffffff', basic: 15, underline: true },
    accent: { colour: '#5fd7ff', basic: 14, bold: true },
    heading: { colour: '#ffff5f', basic: 11, bold: true, underline: true },
    link: { colour: '#5fd7ff', basic: 14, underline: true },
    code: { colour: '#ffafff', basic: 13 },
    quote: { colour: '#e4e4e4', basic: 7 },
    user: { colour: '#000000', behind: '#ffffff', basic: 0, basicBehind: 15 },
    thinking: { colour: '#d0d0d0', basic: 7 },
    running: { colour: '#5fd7ff', basic: 14, bold: true },
    success: { colour: '#5fff5f', basic: 10, bold: true },
    warning: { colour: '#ffff5f', basic: 11, bold: true },
    error: { colour: '#ff8787', basic: 9, bold: true },
    added: { colour: '#5fff5f', basic: 10 },
    addedWord: { colour: '#000000', behind: '#5fff5f', basic: 0, basicBehind: 10 },
    removed: { colour: '#ff8787', basic: 9 },
    removedWord: { colour: '#000000', behind: '#ff8787', basic: 0, basicBehind: 9 },
    border: { colour: '#ffffff', basic: 15 },
    selected: { colour: '#000000', behind: '#ffff5f', basic: 0, basicBehind: 11, bold: true },
    syntaxKeyword: { colour: '#ffafff', basic: 13, bold: true },
    syntaxString: { colour: '#5fff5f', basic: 10 },
    syntaxNumber: { colour: '#ffd75f', basic: 11 },
    syntaxComment: { colour: '#d0d0d0', basic: 7 },
    syntaxName: { colour: '#5fd7ff', basic: 14 },
    syntaxType: { colour: '#5fffd7', basic: 14 },
  },
};

const NO_COLOUR: Palette = {
  roles: {
    text: {},
    dim: { dim: true },
    strong: { bold: true },
    emphasis: { italic: true },
    accent: { bold: true },
    heading: { bold: true, underline: true },
    link: { underline: true },
    code: {},
    quote: { italic: true },
    user: { bold: true },
    thinking: { dim: true, italic: true },
    running: { bold: true },
    success: {},
    warning: { bold: true },
    error: { bold: true },
    added: {},
    addedWord: { underline: true },
    removed: {},
    removedWord: { underline: true },
    border: { dim: true },
    selected: { inverse: true },
    syntaxKeyword: {},
    syntaxString: {},
    syntaxNumber: {},
    syntaxComment: {},
    syntaxName: {},
    syntaxType: {},
  },
};

export const PALETTES: Readonly<Record<ThemeName, Palette>> = {
  dark: DARK,
  light: LIGHT,
  'high-contrast': HIGH_CONTRAST,
  'no-colour': NO_COLOUR,
};
