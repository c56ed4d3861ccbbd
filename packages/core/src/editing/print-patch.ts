import type { FilePatch, Hunk, Patch, PatchLine } from './patch.js';

const NO_LINE_END = '\\ No newline at end of file';
const SIGNS: Readonly<Record<PatchLine['kind'], string>> = { same: ' ', removed: '-', added: '+' };

/** The canonical form of a patch: parsed, it is the same patch again. Ends with a line feed. */
export function printPatch(patch: Patch): string {
  return ['*** Begin Patch', ...patch.flatMap(fileLines), '*** End Patch', ''].join('\n');
}

function fileLines(file: FilePatch): string[] {
  if (file.kind === 'delete') return [`*** Delete File: ${file.path}`];
  if (file.kind === 'add') return [`*** Add File: ${file.path}`, ...contentLines(file.content)];
  const moved = file.movedTo === undefined ? [] : [`*** Move to: ${file.movedTo}`];
  return [`*** Update File: ${file.path}`, ...moved, ...file.hunks.flatMap(hunkLines)];
}

function contentLines(content: string): string[] {
  if (content === '') return [];
  const lines = content.split('\n').map((line) => `+${line}`);
  return content.endsWith('\n') ? lines.slice(0, -1) : [...lines, NO_LINE_END];
}

function hunkLines({ anchors, hint, lines, endOfFile }: Hunk): string[] {
  const heads = [...(hint === undefined ? [] : [`@@ -${hint} @@`]), ...anchors.map((anchor) => `@@ ${anchor}`)];
  return [
    ...(heads.length === 0 ? ['@@'] : heads),
    ...lines.flatMap(({ kind, text, open }) => [SIGNS[kind] + text, ...(open === true ? [NO_LINE_END] : [])]),
    ...(endOfFile ? ['*** End of File'] : []),
  ];
}
