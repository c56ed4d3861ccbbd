/** Escape sequences that end on the same line: OSC and the other strings, CSI, then the short ones. */
const ESCAPES = new RegExp(
  [
    String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n\r]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    // Cut off by the end of the text.
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*$`,
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
const NEEDS_WORK = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** What moves within a line: overwriting with CR and BS, erasing (CSI K, ECMA-48 EL) and jumping to a column (CSI G). */
const MOVES = /(?:\x1b\[|\x9b)(\d*)([KG])/y;
const OTHER_CONTROLS = /[\x01-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/**
 * What a terminal would show of an output, as plain text: colours and titles gone, overwritten
 * progress lines collapsed to their last state, bells removed, NUL made visible. Newlines and tabs stay.
 */
export function plainOutput(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (NEEDS_WORK.test(line) ? plainLine(withoutTrailingReturns(line)) : line))
    .join('\n');
}

/** By hand: a pattern such as `\r+$` takes quadratic time on many of them in the middle of a line. */
function withoutTrailingReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line.charAt(end - 1) === '\r') end -= 1;
  return line.slice(0, end);
}

function plainLine(line: string): string {
  const flat = /[\r\x08]|(?:\x1b\[|\x9b)\d*G/.test(line) ? overwrite(line) : line;
  return flat.replace(ESCAPES, '').replace(OTHER_CONTROLS, '').replaceAll('\0', '\u2400');
}

/** Plays the moves of one line on an array of cells, one for each character. */
function overwrite(line: string): string {
  const moves = new RegExp(MOVES);
  const escapes = new RegExp(ESCAPES, 'y');
  const cells: string[] = [];
  let column = 0;
  for (let at = 0; at < line.length;) {
    moves.lastIndex = at;
    const move = moves.exec(line);
    if (move !== null) {
      at += move[0].length;
      if (move[2] === 'G') column = Math.min(cells.length, Math.max(0, Number(move[1] === '' ? 1 : move[1]) - 1));
      else if (move[1] === '' || move[1] === '0') cells.length = Math.min(cells.length, column);
      else if (move[1] === '2') cells.length = 0;
      continue;
    }
    escapes.lastIndex = at;
    const escape = escapes.exec(line)?.[0] ?? '';
    if (escape !== '') {
      at += escape.length;
      continue;
    }
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
    at += char.length;
    if (char === '\r') column = 0;
    else if (char === '\b') column = Math.max(0, column - 1);
    else if (char === '\0' || char >= ' ' || char === '\t') {
      cells[column] = char;
      column += 1;
    }
  }
  // A hole is a place that was jumped over.
  return Array.from(cells, (cell: string | undefined) => cell ?? ' ').join('');
}
