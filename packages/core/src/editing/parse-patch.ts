import { patchLines, type SourceLine } from './patch-source.js';
import { fault, isEndOfFile, isFault, patchSections, quote, type Section } from './patch-sections.js';
import {
  isContext,
  PATCH_EXAMPLE,
  type FilePatch,
  type Hunk,
  type Patch,
  type PatchFault,
  type PatchLine,
} from './patch.js';

export type ParsedPatch =
  { readonly ok: true; readonly patch: Patch } | { readonly ok: false; readonly fault: PatchFault };

/** What a person or a model has written as a patch: the patch format, or a unified diff. `printPatch` is the way back. */
export function parsePatch(text: string): ParsedPatch {
  const sections = patchSections(patchLines(text));
  if (isFault(sections)) return { ok: false, fault: sections };
  const patch: FilePatch[] = [];
  for (const section of sections) {
    const file = readSection(section);
    if (isFault(file)) return { ok: false, fault: file };
    patch.push(file);
  }
  return { ok: true, patch };
}

function readSection(section: Section): FilePatch | PatchFault {
  const { kind, path, movedTo, at, body } = section;
  if (kind === 'delete') return readDelete(section);
  if (kind === 'add') {
    const content = readContent(section);
    return typeof content === 'string' ? { kind, path, content, at } : content;
  }
  const hunks = readHunks(body);
  if (isFault(hunks)) return hunks;
  if (hunks.length === 0 && movedTo === undefined) {
    return fault(at, `no lines to change follow. Show what changes in ${path}:\n${PATCH_EXAMPLE}`);
  }
  const [first] = hunks;
  if (first !== undefined && movedTo === undefined && hunks.every(isContext)) {
    return fault(first.at, 'this hunk changes nothing. Mark the lines that go with "-" and the new ones with "+".');
  }
  return { kind, path, at, hunks, ...(movedTo === undefined ? {} : { movedTo }) };
}

/** The lines that go may be listed; they are of no matter. */
function readDelete({ path, at, body }: Section): FilePatch | PatchFault {
  const other = body.find(({ text }) => text.trim() !== '' && !/^(?:[-\\]|@@)/.test(text) && !isEndOfFile(text));
  if (other === undefined) return { kind: 'delete', path, at };
  return fault(other.at, `${quote(other.text)} stands below *** Delete File:, which takes no lines.`);
}

function readContent({ path, body }: Section): string | PatchFault {
  const lines = withoutBlankEnd(body.filter(({ text }) => !text.startsWith('@@') && !isEndOfFile(text)));
  // Without any sign the whole is meant as it stands.
  const signed = lines.some(({ text }) => text.startsWith('+'));
  if (!signed) return lines.map(({ text }) => `${text}\n`).join('');
  const pieces: string[] = [];
  let open = false;
  for (const { text, at } of lines) {
    open = text.startsWith(OPEN_MARK);
    if (open) continue;
    if (text !== '' && !text.startsWith('+')) {
      return fault(at, `every line of the new file ${path} must begin with "+": ${quote(text)} does not.`);
    }
    pieces.push(text.slice(1));
  }
  return pieces.join('\n') + (open ? '' : '\n');
}

/** As in `\ No newline at end of file`; a word that begins with a backslash is a line of the file. */
const OPEN_MARK = '\\ ';

function withoutBlankEnd(lines: readonly SourceLine[]): readonly SourceLine[] {
  return lines.slice(0, lines.findLastIndex(({ text }) => text !== '') + 1);
}

interface Draft {
  anchors: string[];
  hint: number | undefined;
  lines: (PatchLine & { readonly bare: boolean })[];
  at: number | undefined;
}

function emptyDraft(): Draft {
  return { anchors: [], hint: undefined, lines: [], at: undefined };
}

function readHunks(body: readonly SourceLine[]): Hunk[] | PatchFault {
  const hunks: Hunk[] = [];
  let draft = emptyDraft();
  let problem: PatchFault | undefined;
  const close = (endOfFile: boolean): void => {
    const hunk = finishHunk(draft, endOfFile);
    if (hunk !== undefined && isFault(hunk)) problem ??= hunk;
    else if (hunk !== undefined) hunks.push(hunk);
    draft = emptyDraft();
  };
  for (const { text, at } of body) {
    if (text.startsWith('@@')) {
      if (draft.lines.some((line) => !line.bare)) close(false);
      else draft.lines = [];
      readHead(text, draft);
      draft.at ??= at;
    } else if (isEndOfFile(text)) close(true);
    else if (text.startsWith(OPEN_MARK)) markOpen(draft);
    else {
      // A blank line above all hunks only parts them from the name of the file.
      if (draft.at === undefined && text === '') continue;
      draft.at ??= at;
      draft.lines.push(readLine(text));
    }
  }
  close(false);
  return problem ?? hunks;
}

const NUMBERS = /^-(\d+)(?:,\d+)?(?:\s+\+\d+(?:,\d+)?)?\s*(?:@@+|$)(.*)$/;
const LINE_NUMBER = /^(?:lines?\s+)?(\d+)(?:\s*[-,–]\s*\d+)?$/i;

function readHead(text: string, draft: Draft): void {
  const head = text.replace(/^@@+/, '').trim();
  const numbers = NUMBERS.exec(head);
  const rest = (numbers?.[2] ?? head).replace(/(?:^|\s)@@+$/, '').trim();
  const lineNumber = numbers === null ? LINE_NUMBER.exec(rest)?.[1] : numbers[1];
  if (lineNumber !== undefined) draft.hint = Number(lineNumber);
  if (numbers === null && lineNumber !== undefined) return;
  if (rest !== '' && rest !== '...' && rest !== '…') draft.anchors.push(rest);
}

/** A line without a sign is context: of an empty line the blank is often lost, of others the whole column. */
function readLine(text: string): Draft['lines'][number] {
  if (text.startsWith('+')) return { kind: 'added', text: text.slice(1), bare: false };
  if (text.startsWith('-')) return { kind: 'removed', text: text.slice(1), bare: false };
  return { kind: 'same', text: text.startsWith(' ') ? text.slice(1) : text, bare: text === '' };
}

function markOpen(draft: Draft): void {
  const last = draft.lines.pop();
  if (last !== undefined) draft.lines.push({ ...last, open: true });
}

function finishHunk({ anchors, hint, lines: drafted, at }: Draft, endOfFile: boolean): Hunk | PatchFault | undefined {
  const lines = drafted
    .slice(0, drafted.findLastIndex((line) => !line.bare || line.open === true) + 1)
    .map(({ kind, text, open }): PatchLine => ({ kind, text, ...(open === true ? { open } : {}) }));
  if (at === undefined) return undefined;
  if (lines.length === 0) {
    return fault(at, 'no lines follow this @@. Put the lines that change below it, or leave it out.');
  }
  return { anchors, lines, endOfFile, at, ...(hint === undefined ? {} : { hint }) };
}
