import { count } from '../util/count.js';
import type { Fitted } from './fit-budget.js';
import type { GatheredContext, LeftOutFile, MemoryNotice } from './memory-types.js';

const MOST_NAMED = 8;

/** What the person is told of context files at the start of a session; nothing where there are none. Pure. */
export function describeFound({
  files,
  leftOut,
  shown,
  isTrusted,
}: GatheredContext & Pick<Fitted, 'shown'> & { readonly isTrusted: boolean }): readonly MemoryNotice[] {
  const notices: MemoryNotice[] = [];
  if (files.length > 0) {
    const ofProject = files.some(({ role }) => role !== 'global' && role !== 'extension');
    const trust =
      !isTrusted && ofProject
        ? '. This folder is not trusted: what its files say is told as information, not as instructions'
        : '';
    notices.push({ level: 'info', text: `Context: ${listed(files.map(({ path }) => path))}${trust}.` });
  }
  const short = shown.filter(({ as }) => as !== 'whole').map(({ file, as }) => `${file.path} (${as})`);
  if (short.length > 0)
    notices.push({ level: 'warning', text: `Context files take more than context.maxMemoryBytes: ${listed(short)}.` });
  return [...notices, ...leftOut.filter(isLoss).map(leftOutNotice)];
}

/** What changed since they were last read. Pure. */
export function describeNews(before: GatheredContext, now: GatheredContext): readonly MemoryNotice[] {
  const old = new Map(before.files.map(({ path, text }) => [path, text]));
  const paths = new Set(now.files.map(({ path }) => path));
  const changed = now.files.filter(({ path, text }) => old.has(path) && old.get(path) !== text);
  const lists = [
    ['changed, and is read again', changed.map(({ path }) => path)],
    ['is new, and is read', [...paths].filter((path) => !old.has(path))],
    ['is gone', [...old.keys()].filter((path) => !paths.has(path))],
  ] as const;
  const known = new Set(before.leftOut.map(keyOf));
  return [
    ...lists.flatMap(([what, which]): MemoryNotice[] =>
      which.length === 0 ? [] : [{ level: 'info', text: `Context that ${what}: ${listed(which)}.` }],
    ),
    ...now.leftOut.filter((file) => isLoss(file) && !known.has(keyOf(file))).map(leftOutNotice),
  ];
}

function isLoss({ isHarmless }: LeftOutFile): boolean {
  return isHarmless !== true;
}

function leftOutNotice({ path, importedBy, why }: LeftOutFile): MemoryNotice {
  const from = importedBy === undefined ? '' : `, which ${importedBy} imports,`;
  return { level: 'warning', text: `The context file ${path}${from} is left out: ${why}.` };
}

function keyOf({ path, importedBy = '', why }: LeftOutFile): string {
  return [path, importedBy, why].join('\0');
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more <= 0 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${count(more, 'more file')}`;
}
