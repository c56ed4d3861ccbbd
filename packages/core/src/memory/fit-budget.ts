import { missingLine, type SectionFacts, type ShownFile } from './memory-section.js';
import type { ContextFile, ContextRole, ShownAs } from './memory-types.js';

export interface Fitted {
  /** At most `maxBytes` of UTF-8. */
  readonly text: string;
  /** In the order of the files. */
  readonly shown: readonly { readonly file: ContextFile; readonly as: ShownAs }[];
}

export interface FitOptions {
  readonly files: readonly ContextFile[];
  readonly maxBytes: number;
  readonly isTrusted: boolean;
  readonly render: (facts: SectionFacts) => string;
}

/** Below, the beginning of a file says nothing. */
const LEAST_CUT_BYTES = 256;

/** Who is told first when not all can be: the user's own words, then what is nearest to the work. */
const ORDER: Readonly<Record<ContextRole, number>> = { global: 0, root: 1, folder: 1, ancestor: 2, extension: 3 };

/**
 * As many whole files as there is room for, those that are looked for by name before those that they import; then, of the
 * first that has no room, its beginning by whole lines. What is missing is named in the text. Pure.
 */
export function fitBudget({ files, maxBytes, isTrusted, render }: FitOptions): Fitted {
  const chosen = new Map<ContextFile, ShownFile>();
  const facts = (more: readonly ShownFile[] = []): SectionFacts => {
    const all = new Map([...chosen, ...more.map((one) => [one.file, one] as const)]);
    return {
      shown: files.flatMap((file) => all.get(file) ?? []),
      leftOut: files.filter((file) => !all.has(file)),
      isTrusted,
    };
  };
  const fits = (one: ShownFile): boolean => Buffer.byteLength(render(facts([one]))) <= maxBytes;
  const whole = files.map((file): ShownFile => ({ file, text: file.text, isWhole: true }));
  const all = render(facts(whole));
  if (Buffer.byteLength(all) <= maxBytes) return { text: all, shown: files.map((file) => ({ file, as: 'whole' })) };
  let isCut = false;
  const ordered = inOrder(whole);
  for (const group of [ordered.filter((one) => !isImport(one)), ordered.filter(isImport)]) {
    const missing: ContextFile[] = [];
    for (const one of group) {
      if (fits(one)) chosen.set(one.file, one);
      else missing.push(one.file);
    }
    const [first] = missing;
    const part = first === undefined || isCut ? undefined : beginningThatFits(first, fits);
    isCut ||= first !== undefined;
    if (part !== undefined) chosen.set(part.file, part);
  }
  const shown = files.map((file) => ({ file, as: shownAs(chosen.get(file)) }));
  const text = render(facts());
  if (Buffer.byteLength(text) <= maxBytes) return { text, shown };
  // Nothing was chosen: even to name what is missing takes more.
  const short = missingLine(files.length);
  return { text: Buffer.byteLength(short) <= maxBytes ? short : '', shown };
}

function isImport({ file }: ShownFile): boolean {
  return file.importedBy !== undefined;
}

function inOrder(files: readonly ShownFile[]): ShownFile[] {
  // Of the folders above a root the nearest comes first.
  const place = ({ role }: ContextFile, index: number): number => (role === 'ancestor' ? -index : index);
  return files
    .map((one, index) => ({ one, rank: ORDER[one.file.role], place: place(one.file, index) }))
    .toSorted((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ one }) => one);
}

/** As many lines as there is room for; undefined when that is next to nothing. */
function beginningThatFits(file: ContextFile, fits: (one: ShownFile) => boolean): ShownFile | undefined {
  const lines = file.text.split('\n');
  const part = (count: number): ShownFile => ({
    file,
    text: count === 0 ? '' : `${lines.slice(0, count).join('\n')}\n`,
    isWhole: false,
  });
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(part(middle))) low = middle;
    else high = middle - 1;
  }
  const best = part(low);
  return Buffer.byteLength(best.text) >= LEAST_CUT_BYTES && fits(best) ? best : undefined;
}

function shownAs(shown: ShownFile | undefined): ShownAs {
  if (shown === undefined) return 'left out';
  return shown.isWhole ? 'whole' : 'cut';
}
