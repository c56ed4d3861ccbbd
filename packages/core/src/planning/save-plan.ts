import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorMessage, Failure, systemErrorCode } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';

/** Where approved plans are kept. */
export interface PlanPlace {
  /** Absolute: made when it is first needed. */
  readonly folder: string;
  /** Canonical: the folder has to lie within it, wherever links lead. Absent: it may lie anywhere. */
  readonly within?: string;
}

/**
 * Makes a file of the project, with the folders that it takes, so that it can be taken back like every other change.
 * @throws Failure `file_changed` where there is one already
 */
export type MakeFile = (file: string, content: string) => Promise<unknown>;

export type SavedPlan = { readonly file: string } | { readonly problem: string };

const SLUG_CHARS = 48;
const MOST_NAMESAKES = 100;

/**
 * Where the setting says that plans go: below the first root when it is relative, and only there; an absolute folder, or one
 * in the home (`~/`), as it is. Pure.
 */
export function planPlace(
  setting: string | undefined,
  places: { readonly standard: string; readonly root: string; readonly home: string },
): PlanPlace {
  const wanted = setting?.trim() ?? '';
  if (wanted === '') return { folder: places.standard };
  if (wanted === '~' || wanted.startsWith('~/')) return { folder: join(places.home, wanted.slice(1)) };
  if (isAbsolute(wanted)) return { folder: wanted };
  return { folder: resolve(places.root, wanted), within: places.root };
}

interface SavePlanOptions {
  readonly place: PlanPlace;
  readonly now: Date;
  /** For a place within the project. */
  readonly makeFile: MakeFile;
}

/** Writes a plan into a file of its own: nothing that is there is ever changed. Never rejects. */
export async function savePlan(text: string, { place, now, makeFile }: SavePlanOptions): Promise<SavedPlan> {
  const { folder, within } = place;
  try {
    if (within !== undefined && !isWithin(await leadsTo(folder), within))
      return { problem: `${folder} leads out of ${within}` };
    const make = within === undefined ? makePrivateFile : makeFile;
    const content = text.endsWith('\n') ? text : `${text}\n`;
    for (let count = 1; count <= MOST_NAMESAKES; count++) {
      const file = join(folder, `${fileName(text, now)}${count === 1 ? '' : `-${count}`}.md`);
      try {
        await make(file, content);
        return { file };
      } catch (thrown) {
        if (!isThereAlready(thrown)) throw thrown;
      }
    }
    return { problem: `${folder} has too many plans of this name` };
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  }
}

/** Outside of every project: no undo reaches it, and nobody else reads it. */
async function makePrivateFile(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { flag: 'wx', mode: 0o600 });
}

function isThereAlready(thrown: unknown): boolean {
  return systemErrorCode(thrown) === 'EEXIST' || (thrown instanceof Failure && thrown.code === 'file_changed');
}

/** By when it was approved and by its first words. Pure. */
export function fileName(text: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const line = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const slug = line
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? `${time}-plan` : `${time}-${slug}`;
}

/** Where a path leads of which the end need not exist. */
async function leadsTo(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const above = dirname(path);
    if (systemErrorCode(thrown) !== 'ENOENT' || above === path) throw thrown;
    return join(await leadsTo(above), basename(path));
  }
}
