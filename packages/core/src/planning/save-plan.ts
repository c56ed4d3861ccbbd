import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { isWithin } from '../util/paths-below.js';

/** Where approved plans are kept. */
export interface PlanPlace {
  /** Absolute: made when it is first needed. */
  readonly folder: string;
  /** Canonical: the folder has to lie within it, wherever links lead. Absent: it may lie anywhere. */
  readonly within?: string;
}

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

/** Writes a plan into a file of its own: nothing that is there is ever changed. Never rejects. */
export async function savePlan(text: string, { folder, within }: PlanPlace, now: Date): Promise<SavedPlan> {
  try {
    if (within !== undefined && !isWithin(await leadsTo(folder), within))
      return { problem: `${folder} leads out of ${within}` };
    await mkdir(folder, { recursive: true, mode: within === undefined ? 0o700 : 0o777 });
    const content = text.endsWith('\n') ? text : `${text}\n`;
    const mode = within === undefined ? 0o600 : 0o666;
    for (let count = 1; count <= MOST_NAMESAKES; count++) {
      const file = join(folder, `${fileName(text, now)}${count === 1 ? '' : `-${count}`}.md`);
      try {
        await writeFile(file, content, { flag: 'wx', mode });
        return { file };
      } catch (thrown) {
        if (systemErrorCode(thrown) !== 'EEXIST') throw thrown;
      }
    }
    return { problem: `${folder} has too many plans of this name` };
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  }
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
