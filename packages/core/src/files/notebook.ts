/** A Jupyter notebook (nbformat 4), as far as a reader wants it. */
export interface Notebook {
  readonly language: string | undefined;
  readonly cells: readonly NotebookCell[];
}

export interface NotebookCell {
  /** `code`, `markdown`, `raw`. */
  readonly type: string;
  readonly id: string | undefined;
  /** How many cells had run when this one did. */
  readonly executionCount: number | undefined;
  readonly source: string;
  readonly outputs: readonly CellOutput[];
}

export type CellOutput =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  /** `data` is base64. */
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string };

/** What models can be shown. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Commands to a terminal: with parameters, with a text up to a bell, of two characters. */
const TERMINAL_COMMANDS = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-Z\\^-~])/g;

/** Undefined for text that is no notebook of this format. */
export function parseNotebook(text: string): Notebook | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  const cells = field(root, 'cells') ?? worksheetCells(root);
  if (!Array.isArray(cells)) return undefined;
  const metadata = field(root, 'metadata');
  const language = field(field(metadata, 'language_info'), 'name') ?? field(field(metadata, 'kernelspec'), 'language');
  return { language: typeof language === 'string' ? language : undefined, cells: cells.map(readCell) };
}

/** Where notebooks of version 3 have their cells. */
function worksheetCells(root: unknown): unknown[] | undefined {
  const sheets = field(root, 'worksheets');
  if (!Array.isArray(sheets)) return undefined;
  return sheets.flatMap((sheet): unknown[] => {
    const cells = field(sheet, 'cells');
    return Array.isArray(cells) ? cells : [];
  });
}

function readCell(cell: unknown): NotebookCell {
  const [type, id, count] = [
    field(cell, 'cell_type'),
    field(cell, 'id'),
    field(cell, 'execution_count') ?? field(cell, 'prompt_number'),
  ];
  const outputs = field(cell, 'outputs');
  return {
    type: typeof type === 'string' ? type : 'unknown',
    id: typeof id === 'string' ? id : undefined,
    executionCount: typeof count === 'number' ? count : undefined,
    source: joined(field(cell, 'source') ?? field(cell, 'input')),
    outputs: Array.isArray(outputs) ? outputs.flatMap(readOutput) : [],
  };
}

function readOutput(output: unknown): CellOutput[] {
  switch (field(output, 'output_type')) {
    case 'stream': {
      const name = field(output, 'name') ?? field(output, 'stream');
      return [textOutput(typeof name === 'string' ? name : 'stdout', joined(field(output, 'text')))];
    }
    case 'error':
    case 'pyerr': {
      const title = `${String(field(output, 'ename'))}: ${String(field(output, 'evalue'))}`;
      const traceback = field(output, 'traceback');
      const lines = Array.isArray(traceback) ? traceback.map(String) : [];
      return [textOutput('error', lines.length === 0 ? title : lines.join('\n'))];
    }
    case 'execute_result':
    case 'display_data':
      return readData(field(output, 'data') ?? version3Data(output));
    case 'pyout':
      return readData(version3Data(output));
    default:
      return [];
  }
}

/** In version 3 what there is to show stands beside the rest, under short names. */
function version3Data(output: unknown): Record<string, unknown> {
  const names = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'text/plain': 'text', 'text/html': 'html' };
  const found = Object.entries(names).map(([type, name]): [string, unknown] => [type, field(output, name)]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** An image where there is one, else plain text, else only the names of what there is. */
function readData(data: unknown): CellOutput[] {
  const mimeType = IMAGE_TYPES.find((type) => field(data, type) !== undefined);
  if (mimeType !== undefined)
    return [{ kind: 'image', mimeType, data: joined(field(data, mimeType)).replace(/\s/g, '') }];
  const plain = field(data, 'text/plain') ?? field(data, 'text/markdown');
  if (plain !== undefined) return [textOutput('result', joined(plain))];
  const types = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  return types.length === 0 ? [] : [textOutput('result', `(${types.join(', ')}: not shown)`)];
}

function textOutput(name: string, text: string): CellOutput {
  return { kind: 'text', name, text: asSeen(text) };
}

/** What a terminal would show in the end: a line that was written over and over, such as a progress bar, as it was left. */
function asSeen(text: string): string {
  const plain = text.replace(TERMINAL_COMMANDS, '');
  if (!plain.includes('\r')) return plain;
  return plain
    .split('\n')
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === '\r') end -= 1;
      return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
    })
    .join('\n');
}

/** Texts stand as one string or as one for each line, line ends included. */
function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((line) => (typeof line === 'string' ? line : '')).join('') : '';
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const MAX_OUTPUT_CHARS = 4000;
const MAX_OUTPUT_LINES = 80;

/** An output as lines; of a long one only its beginning and its end. */
export function outputLines(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  if (text.length <= MAX_OUTPUT_CHARS && lines.length <= MAX_OUTPUT_LINES) return lines;
  const cut = lines.map((line) => cutLine(line, MAX_OUTPUT_CHARS / 4));
  const head = linesWithin(cut, MAX_OUTPUT_CHARS / 2, MAX_OUTPUT_LINES / 2);
  const tail = linesWithin(
    cut.slice(head.length).toReversed(),
    MAX_OUTPUT_CHARS / 2,
    MAX_OUTPUT_LINES / 2,
  ).toReversed();
  const left = lines.length - head.length - tail.length;
  return left === 0 ? [...head, ...tail] : [...head, `[… ${left} lines left out …]`, ...tail];
}

function linesWithin(lines: readonly string[], maxChars: number, maxLines: number): string[] {
  let left = maxChars;
  const end = lines.findIndex((line, index) => {
    left -= line.length + 1;
    return left < 0 || index >= maxLines;
  });
  return lines.slice(0, end === -1 ? lines.length : end);
}

/** Not in the middle of a character of two units. */
function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const isPair = /[\ud800-\udbff]/.test(line.charAt(maxChars - 1));
  const end = isPair ? maxChars - 1 : maxChars;
  return `${line.slice(0, end)}[… ${line.length - end} characters left out …]`;
}
