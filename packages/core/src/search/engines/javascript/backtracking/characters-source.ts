/**
 * How the matcher (`matcher-source.ts`) reads texts: in code units of UTF-16, in UTF-8 of which each byte is a code unit, or byte by byte (JavaScript as text).
 * `codeAt` gives -1 where no character begins, or at the end; `codeBefore` where none ends.
 */
export const CHARACTERS_SOURCE = String.raw`
const UTF16 = {
  codeAt: (text, at, end) => (at < end ? text.codePointAt(at) : -1),
  codeBefore: (text, at, start) => {
    if (at <= start) return -1;
    const code = text.charCodeAt(at - 1);
    return (code & 0xfc00) === 0xdc00 && at > 1 ? text.codePointAt(at - 2) : code;
  },
  sizeOf: (code) => (code > 0xffff ? 2 : 1),
};
/** Of UTF-8, each of whose bytes is a code unit. There is no character at a place within one. */
const UTF8 = {
  codeAt: (text, at, end) => {
    if (at >= end) return -1;
    const first = text.charCodeAt(at);
    if (first < 0x80) return first;
    if (first < 0xc2) return -1;
    const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (at + size > end) return -1;
    let code = first & (0x7f >> size);
    for (let next = 1; next < size; next++) {
      const byte = text.charCodeAt(at + next);
      if ((byte & 0xc0) !== 0x80) return -1;
      code = code * 64 + (byte & 0x3f);
    }
    return code;
  },
  codeBefore: (text, at, start) => {
    for (let size = 1; size <= Math.min(4, at - start); size++) {
      if ((text.charCodeAt(at - size) & 0xc0) === 0x80) continue;
      const code = UTF8.codeAt(text, at - size, at);
      return UTF8.sizeOf(code) === size ? code : -1;
    }
    return -1;
  },
  sizeOf: (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4),
};
const BYTES = {
  codeAt: (text, at, end) => (at < end ? text.charCodeAt(at) : -1),
  codeBefore: (text, at, start) => (at > start ? text.charCodeAt(at - 1) : -1),
  sizeOf: () => 1,
};

/** Whether a character is one of those that the expression matches; what was asked once is known. */
function testerOf(source) {
  const expression = new RegExp('^(?:' + source + ')$', 'v');
  const known = new Uint8Array(0x3000);
  return (code) => {
    if (code >= known.length) return expression.test(String.fromCodePoint(code));
    if (known[code] === 0) known[code] = expression.test(String.fromCodePoint(code)) ? 1 : 2;
    return known[code] === 1;
  };
}

const sameLetter = (one, other) =>
  one === other || new RegExp('^\\u{' + one.toString(16) + '}$', 'iv').test(String.fromCodePoint(other));
`;
