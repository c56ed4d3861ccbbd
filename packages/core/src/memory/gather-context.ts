import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { SAVED_NAME, type ContextNames } from './context-names.js';
import type { ReadContext } from './context-reader.js';
import { findImports } from './find-imports.js';
import type { ContextFile, ContextPlace, GatheredContext, LeftOutFile } from './memory-types.js';

/** How deep imports may lead, and how many files all of them together may bring. */
export const MAX_IMPORT_DEPTH = 5;
export const MAX_IMPORTS = 64;

export interface GatherOptions {
  readonly places: readonly ContextPlace[];
  readonly names: Pick<ContextNames, 'names' | 'instead'>;
  readonly userHome: string | undefined;
  readonly read: (path: string, place: ContextPlace) => Promise<ReadContext>;
  /** Files that were told before, by their canonical path: they are not told again. */
  readonly known?: ReadonlySet<string>;
}

interface Gathering extends GatherOptions {
  readonly files: ContextFile[];
  readonly leftOut: LeftOutFile[];
  /** Canonical paths. */
  readonly seen: Set<string>;
  imports: number;
}

/** A file that is followed, and those that led to it. */
interface Step {
  readonly path: string;
  readonly text: string;
  readonly place: ContextPlace;
  /** Canonical; the file itself is the last. */
  readonly way: readonly string[];
}

/** Reads the context files of these places and what they import (S140). Every file comes once, however often it is named. */
export async function gatherContext(options: GatherOptions): Promise<GatheredContext> {
  const gathering: Gathering = { ...options, files: [], leftOut: [], seen: new Set(options.known), imports: 0 };
  for (const place of options.places) await gatherPlace(gathering, place);
  return { files: gathering.files, leftOut: gathering.leftOut };
}

async function gatherPlace(gathering: Gathering, place: ContextPlace): Promise<void> {
  const { names, instead } = gathering.names;
  if (place.names !== undefined) {
    for (const name of place.names) await gatherFile(gathering, place, name, new Map());
    return;
  }
  const isGlobal = place.role === 'global';
  let found = 0;
  const texts = new Map<string, string>();
  for (const name of isGlobal ? new Set([SAVED_NAME, ...names]) : names)
    found += await gatherFile(gathering, place, name, texts);
  if (isGlobal) return;
  for (const name of instead) {
    if (found > 0) return;
    found += await gatherFile(gathering, place, name, texts);
  }
}

/** 1 when there is such a file. `texts`: those of the same folder, and the name of each. */
async function gatherFile(
  gathering: Gathering,
  place: ContextPlace,
  name: string,
  texts: Map<string, string>,
): Promise<0 | 1> {
  const path = join(place.folder, name);
  const read = await gathering.read(path, place);
  if (read.kind === 'missing') return 0;
  if (read.kind === 'refused') {
    gathering.leftOut.push({ path, why: read.why });
    return 1;
  }
  const { real, text } = read;
  if (gathering.seen.has(real)) return 1;
  gathering.seen.add(real);
  const same = texts.get(text);
  if (same !== undefined) {
    gathering.leftOut.push({ path, why: `it says the same as ${same}`, isHarmless: true });
    return 1;
  }
  texts.set(text, name);
  if (text.trim() === '') return 1;
  gathering.files.push({ path, role: place.role, text, bytes: Buffer.byteLength(text) });
  await followImports(gathering, { path, text, place, way: [real] });
  return 1;
}

async function followImports(gathering: Gathering, step: Step): Promise<void> {
  for (const { path: named, isClear } of findImports(step.text)) {
    const path = targetOf(named, step.path, gathering.userHome);
    const leaveOut = (why: string): void => void gathering.leftOut.push({ path, importedBy: step.path, why });
    const read = await gathering.read(path, step.place);
    if (read.kind === 'missing') {
      if (isClear) leaveOut('there is no such file');
    } else if (read.kind === 'refused') {
      // `@/components` is how some projects name their own modules.
      if (isClear || existsSync(path)) leaveOut(read.why);
    } else if (step.way.includes(read.real)) leaveOut('it is imported in a circle');
    else if (!gathering.seen.has(read.real)) {
      if (step.way.length > MAX_IMPORT_DEPTH) leaveOut(`imports lead ${MAX_IMPORT_DEPTH} files deep at most`);
      else if (gathering.imports >= MAX_IMPORTS) leaveOut(`${MAX_IMPORTS} files are imported at most`);
      else await takeImport(gathering, step, path, read);
    }
  }
}

async function takeImport(
  gathering: Gathering,
  { place, way, path: importedBy }: Step,
  path: string,
  { real, text }: { readonly real: string; readonly text: string },
): Promise<void> {
  gathering.seen.add(real);
  gathering.imports += 1;
  gathering.files.push({ path, role: place.role, text, bytes: Buffer.byteLength(text), importedBy });
  await followImports(gathering, { path, text, place, way: [...way, real] });
}

function targetOf(named: string, from: string, userHome: string | undefined): string {
  if (named.startsWith('~/') && userHome !== undefined) return join(userHome, named.slice(2));
  return isAbsolute(named) ? resolve(named) : resolve(dirname(from), named);
}
