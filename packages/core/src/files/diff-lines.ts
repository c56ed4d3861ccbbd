/** Lines with their line feeds. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A line of a hunk, and below a last line without a line feed the mark that says so. */
export function patchLine(sign: string, line: string): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'];
}
