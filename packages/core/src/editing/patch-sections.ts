import { isBeginOfPatch, isEndOfPatch, type SourceLine } from './patch-source.js';
import { PATCH_EXAMPLE, type PatchFault } from './patch.js';

/** What a patch says of one file, its lines not yet read. */
export interface Section {
  readonly kind: 'add' | 'delete' | 'update';
  readonly path: string;
  readonly movedTo?: string;
  readonly at: number;
  /** Named in the way of a unified diff. */
  readonly unified: boolean;
  readonly body: SourceLine[];
}

interface Header extends Omit<Section, 'body' | 'unified'> {
  /** Index of the first line after it. */
  readonly next: number;
}

const FILE = /^\*{3}\s*(add|create|new|delete|remove|update|modify|edit|change)(?:\s+file)?\s*:\s*(.*)$/i;
const MOVE = /^\*{3}\s*(?:move|rename)d?(?:\s+file)?\s+to\s*:\s*(.*)$/i;
const END_OF_FILE = /^\*{3}\s*end of file\b/i;
const GIT_LINE =
  /^(?:diff --git |index [0-9a-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |rename (?:from|to) |Index: |={20,}$)/;
/** What may stand after the end of a patch: the end of a fence, of a here-document, of a quoted argument. */
const CLOSING = /^\s*(?:`{3,}|~{3,}|[A-Z_]{2,}|["')\]}]+)?\s*$/;

export function isEndOfFile(text: string): boolean {
  return END_OF_FILE.test(text);
}

export function isFault(found: object): found is PatchFault {
  return 'message' in found;
}

export function fault(at: number, what: string): PatchFault {
  return { at, message: `Line ${at} of the patch: ${what}` };
}

/** The patch cut into what it says of each file. */
export function patchSections(lines: readonly SourceLine[]): Section[] | PatchFault {
  const sections: Section[] = [];
  let ended = false;
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    const current = sections.at(-1);
    const header = readHeader(lines, index, ended ? undefined : current);
    if (header !== undefined) {
      if (isFault(header)) return header;
      const { next, ...section } = header;
      sections.push({ ...section, unified: !line.text.startsWith('*'), body: [] });
      ended = false;
      index = next;
      continue;
    }
    index += 1;
    if (isEndOfPatch(line.text)) ended = true;
    else if (isBeginOfPatch(line.text)) ended = false;
    else if (ended || current === undefined) {
      if (CLOSING.test(line.text)) continue;
      return ended ? afterEnd(line) : beforeStart(line);
    } else if (line.text.startsWith('***') && !isEndOfFile(line.text)) return unknownHeader(line);
    else current.body.push(line);
  }
  return sections.length > 0 ? sections : fault(lines[0]?.at ?? 1, `there is no file in it. ${example()}`);
}

function example(): string {
  return `Send it in this form:\n${PATCH_EXAMPLE}`;
}

function beforeStart({ at, text }: SourceLine): PatchFault {
  if (/\\n\*\*\*|\\n@@/.test(text)) {
    return fault(at, 'line breaks are written as the two characters \\n. Send real line breaks.');
  }
  return fault(at, `a file must be named first (*** Update File: path, *** Add File: path …). ${example()}`);
}

function afterEnd({ at, text }: SourceLine): PatchFault {
  return fault(at, `something follows *** End Patch: ${quote(text)}. Put it before the end, or leave it out.`);
}

function unknownHeader({ at, text }: SourceLine): PatchFault {
  const known = 'Add File, Delete File, Update File, Move to, End of File, End Patch';
  return fault(
    at,
    `${quote(text)} is not known. A line that begins with *** is one of: ${known}. A line of a file needs "+", "-" or a blank before it.`,
  );
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80).replace(/[\uD800-\uDBFF]$/, '')}…` : text);
}

function readHeader(
  lines: readonly SourceLine[],
  index: number,
  current: Section | undefined,
): Header | PatchFault | undefined {
  const line = lines[index];
  if (line === undefined) return undefined;
  const file = FILE.exec(line.text);
  if (file !== null) return readFileHeader(lines, index, file);
  const move = MOVE.exec(line.text);
  if (move !== null) {
    return fault(line.at, `*** Move to belongs right below *** Update File: with the path of the file.`);
  }
  return isUnifiedHeader(lines, index, current) ? readUnifiedHeader(lines, index) : undefined;
}

const KINDS: Readonly<Record<string, Section['kind']>> = {
  add: 'add',
  create: 'add',
  new: 'add',
  delete: 'delete',
  remove: 'delete',
};

function readFileHeader(
  lines: readonly SourceLine[],
  index: number,
  [, verb = '', name = '']: RegExpExecArray,
): Header | PatchFault {
  const at = lines[index]?.at ?? 0;
  const kind = KINDS[verb.toLowerCase()] ?? 'update';
  const path = plainPath(name);
  if (path === '') return fault(at, `the path is missing. Write it on the same line: *** Update File: src/a.ts`);
  let next = index + 1;
  const move = MOVE.exec(lines[next]?.text ?? '');
  const movedTo = move === null ? undefined : plainPath(move[1] ?? '');
  if (movedTo !== undefined) next += 1;
  if (movedTo !== undefined && (kind !== 'update' || movedTo === '')) {
    return fault(at + 1, '*** Move to needs a new path and stands below *** Update File: only.');
  }
  // The names again, in the way of a unified diff.
  if (kind === 'update' && isNamePair(lines, next) && isHead(lines, next + 2)) next += 2;
  return { kind, path, at, next, ...(movedTo === undefined ? {} : { movedTo }) };
}

/** Without the quotes or backticks around it. */
function plainPath(name: string): string {
  const trimmed = name.trim();
  return /^(["'`]).+\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

function isNamePair(lines: readonly SourceLine[], index: number): boolean {
  return /^--- \S/.test(lines[index]?.text ?? '') && /^\+\+\+ \S/.test(lines[index + 1]?.text ?? '');
}

/**
 * A removed line `-- x` looks like the name of a file. Inside a section it counts as one only with the other name
 * and a hunk below it, and never inside a section that the patch format itself has named.
 */
function isUnifiedHeader(lines: readonly SourceLine[], index: number, current: Section | undefined): boolean {
  if (/^(?:diff --git |Index: )/.test(lines[index]?.text ?? '')) return true;
  if (/^={20,}$/.test(lines[index]?.text ?? '') && isNamePair(lines, index + 1)) return true;
  if (!isNamePair(lines, index)) return false;
  if (current === undefined) return true;
  return current.unified && isHead(lines, index + 2);
}

function isHead(lines: readonly SourceLine[], index: number): boolean {
  return lines[index]?.text.startsWith('@@') === true;
}

function readUnifiedHeader(lines: readonly SourceLine[], index: number): Header | PatchFault {
  const at = lines[index]?.at ?? 0;
  const said = new Map<string, string>();
  let next = index;
  for (; GIT_LINE.test(lines[next]?.text ?? ''); next += 1) {
    const [, key = '', value = ''] =
      /^(rename from|rename to|new file|deleted file|diff --git) ?(.*)$/.exec(lines[next]?.text ?? '') ?? [];
    if (said.has(key) && key === 'diff --git') break;
    said.set(key, value);
  }
  const [from, to] = [said.get('rename from'), said.get('rename to')];
  if (!isNamePair(lines, next)) return readBareGit(said, at, next);
  const [oldName, newName] = [nameIn(lines[next]), nameIn(lines[next + 1])];
  next += 2;
  if (from !== undefined && to !== undefined) return { kind: 'update', path: from, movedTo: to, at, next };
  if (oldName === '/dev/null') return { kind: 'add', path: newName.replace(/^b\//, ''), at, next };
  if (newName === '/dev/null') return { kind: 'delete', path: oldName.replace(/^a\//, ''), at, next };
  const marked = oldName.startsWith('a/') && newName.startsWith('b/');
  const [before, after] = marked ? [oldName.slice(2), newName.slice(2)] : [oldName, newName];
  if (before === after) return { kind: 'update', path: after, at, next };
  return fault(at, `the names differ: ${before}, ${after}. To move a file, send *** Update File: and *** Move to:.`);
}

/** A change of a file that has no lines: it is only moved, or it is empty. */
function readBareGit(said: ReadonlyMap<string, string>, at: number, next: number): Header | PatchFault {
  const [from, to] = [said.get('rename from'), said.get('rename to')];
  if (from !== undefined && to !== undefined) return { kind: 'update', path: from, movedTo: to, at, next };
  const [, path = ''] = /^a\/.* b\/(.*)$/.exec(said.get('diff --git') ?? '') ?? [];
  if (path !== '' && said.has('new file')) return { kind: 'add', path, at, next };
  if (path !== '' && said.has('deleted file')) return { kind: 'delete', path, at, next };
  return fault(at, 'the lines "--- a/path" and "+++ b/path" are missing. Name the file: *** Update File: path');
}

/** Without the time that some put behind a tab. */
function nameIn(line: SourceLine | undefined): string {
  return plainPath((line?.text ?? '').slice(4).replace(/\t.*$/, ''));
}
