import type { StructuredPatchHunk } from 'diff';
import { decodeText } from '../files/text-codec.js';
import { hunksBetween, unifiedDiff } from '../files/unified-diff.js';
import type { FileState } from './journal-entry.js';
import type { RevertStep } from './plan-revert.js';

/** How one file changed, for people and for `patch`. */
export interface DescribedChange {
  readonly change: 'created' | 'modified' | 'deleted';
  /** A unified diff with its header; absent when there is none to show, and `note` says why. */
  readonly diff?: string;
  /** Lines; absent when they were not counted. */
  readonly added?: number;
  readonly removed?: number;
  /** What the diff cannot say: another mode, no text, too large, no longer kept. */
  readonly note?: string;
}

export interface ChangeToDescribe {
  /** As it is to be shown, with `/`. */
  readonly name: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly content: (hash: string) => Promise<Buffer | undefined>;
}

const MOST_DIFFED_BYTES = 4 * 1024 * 1024;

export async function describeChange(input: ChangeToDescribe): Promise<DescribedChange> {
  const { before, after } = input;
  const change = changeWord(input);
  const mode = modeNote(before, after);
  const texts = await textsOf(input);
  if ('note' in texts) return { change, note: [texts.note, mode].filter((note) => note !== '').join('; ') };
  const hunks = await hunksBetween(texts.before, texts.after);
  const count = (sign: string): number => hunks.flatMap(({ lines }) => lines).filter((l) => l.startsWith(sign)).length;
  return {
    change,
    added: count('+'),
    removed: count('-'),
    ...(hunks.length === 0 ? {} : { diff: await patchOf(input, texts, hunks) }),
    ...(mode === '' ? {} : { note: mode }),
  };
}

export function changeWord({ before, after }: RevertStep): DescribedChange['change'] {
  if (before.kind === 'missing') return 'created';
  return after.kind === 'missing' ? 'deleted' : 'modified';
}

function modeNote(before: FileState, after: FileState): string {
  if (before.kind === 'missing' || after.kind === 'missing' || before.mode === after.mode) return '';
  return `mode ${before.mode.toString(8)} → ${after.mode.toString(8)}`;
}

interface Texts {
  readonly before: string;
  readonly after: string;
}

async function textsOf({ name, before, after, content }: ChangeToDescribe): Promise<Texts | { readonly note: string }> {
  const sizes = [before, after].map((state) => (state.kind === 'missing' ? 0 : state.bytes));
  const shownSizes = `${sizes[0] ?? 0} → ${sizes[1] ?? 0} bytes`;
  if (sizes.some((bytes) => bytes > MOST_DIFFED_BYTES)) return { note: `too large to be compared, ${shownSizes}` };
  const texts: string[] = [];
  for (const state of [before, after]) {
    const bytes = state.kind === 'missing' ? Buffer.alloc(0) : await content(state.hash);
    if (bytes === undefined) return { note: `its content is not kept, ${shownSizes}` };
    try {
      texts.push((await decodeText(bytes, name)).text);
    } catch {
      return { note: `not a text file, ${shownSizes}` };
    }
  }
  return { before: texts[0] ?? '', after: texts[1] ?? '' };
}

function patchOf(
  { name, before, after }: ChangeToDescribe,
  texts: Texts,
  hunks: readonly StructuredPatchHunk[],
): Promise<string> {
  const nameOf = (side: 'a' | 'b', state: FileState): string =>
    state.kind === 'missing' ? '/dev/null' : `${side}/${name}`;
  const [oldName, newName] = [nameOf('a', before), nameOf('b', after)];
  return unifiedDiff({ ...texts, oldName, newName, oldHeader: undefined, newHeader: undefined, hunks });
}
