import type { LoadedSettings } from '@tenon/core';

export type FolderTrust = LoadedSettings['trust'];
type Entry = FolderTrust['entries'][number];

const STATES: Readonly<Record<Entry['state'], string>> = {
  trusted: 'trusted',
  refused: 'refused',
  changed: 'changed since you decided: + is new, - is gone',
  new: 'new',
};

/** What one entry says, below its name; what changed since it was decided on is marked. Pure. */
export function entryLines({ id, state, lines, before }: Entry): readonly string[] {
  const head = `${id} (${STATES[state]})`;
  if (before === undefined) return [head, ...lines.map((line) => `    ${line}`)];
  const gone = before.filter((line) => !lines.includes(line));
  const shown = lines.map((line) => `  ${before.includes(line) ? ' ' : '+'} ${line}`);
  const isSame = gone.length === 0 && lines.every((line) => before.includes(line));
  return [
    head,
    ...shown,
    ...gone.map((line) => `  - ${line}`),
    ...(isSame ? ['    (other parts of the file changed)'] : []),
  ];
}
