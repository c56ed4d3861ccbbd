import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { canonicalPath } from '../util/real-path.js';
import type { ExtensionPlace } from '../util/extension-place.js';
import { isWithin } from '../util/paths-below.js';
import type { ContextPlace } from './memory-types.js';

export interface PlaceFacts {
  /** Canonical. */
  readonly roots: readonly string[];
  /** Tenon's own folder; undefined where there is none. */
  readonly home: string | undefined;
  readonly userHome: string | undefined;
  /** Extensions that bring context files, with the names of these. */
  readonly extensions?: readonly ContextExtension[];
}

export interface ContextExtension extends ExtensionPlace {
  readonly names: readonly string[];
}

const MOST_ABOVE = 64;

/**
 * Where context files are looked for when a session begins, from the farthest to the nearest: Tenon's own folder, extensions, the
 * folders above the roots as far as the repository or the user's home goes, the roots.
 */
export function contextPlaces({ roots, home, userHome, extensions = [] }: PlaceFacts): ContextPlace[] {
  const places: ContextPlace[] = [];
  const own = home === undefined ? undefined : canonicalPath(home);
  if (own !== undefined) places.push({ folder: own, role: 'global', boundary: own });
  for (const { folder, origin, within, names } of extensions)
    places.push({ folder, role: origin === 'user' ? 'extension' : 'root', boundary: within, names });
  const canonicalHome = userHome === undefined ? undefined : canonicalPath(userHome);
  places.push(...roots.flatMap((root) => placesAbove(root, canonicalHome)));
  places.push(...roots.map((root): ContextPlace => ({ folder: root, role: 'root', boundary: root })));
  const known = new Map<string, ContextPlace>();
  // A root that lies in another, or above it, is told as what it is nearest to.
  for (const place of places.toReversed()) if (!known.has(place.folder)) known.set(place.folder, place);
  return [...known.values()].toReversed();
}

/**
 * The folders between a root and the top of its repository, or of the user's home where it is in none. What other users of
 * the machine put above it is not read: a `.git` of theirs makes no repository, and a file of theirs is left out.
 */
function placesAbove(root: string, userHome: string | undefined): ContextPlace[] {
  const owners = ownersOf(root);
  const above: string[] = [];
  let folder = root;
  for (let steps = 0; steps < MOST_ABOVE; steps += 1) {
    const isTopOfRepository = isOwned(join(folder, '.git'), owners);
    if (isTopOfRepository || folder === userHome) {
      const [top = root] = above;
      const boundary = (each: string): string => (isTopOfRepository ? top : each);
      return above.map((each) => ({
        folder: each,
        role: 'ancestor',
        boundary: boundary(each),
        ...(owners.size === 0 ? {} : { owners }),
      }));
    }
    const parent = dirname(folder);
    if (parent === folder) return [];
    folder = parent;
    above.unshift(folder);
  }
  return [];
}

/** Empty where files have no owners. */
function ownersOf(root: string): ReadonlySet<number> {
  const self = process.getuid?.();
  if (self === undefined) return new Set();
  const { uid } = lstatSync(root);
  return new Set([self, uid, 0]);
}

function isOwned(path: string, owners: ReadonlySet<number>): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (owners.size === 0 || owners.has(stat.uid));
}

/** Folders whose content others wrote who do not work on the project. */
const FOREIGN: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bower_components',
  'site-packages',
  'vendor',
  'third_party',
  '.venv',
]);

/** The folders from a root down to a file, without the root itself; none where others' code begins. Pure. */
export function placesDownTo(path: string, roots: readonly string[]): ContextPlace[] {
  const root = roots
    .filter((each) => isWithin(path, each))
    .toSorted((one, other) => other.length - one.length)
    .at(0);
  if (root === undefined || path === root) return [];
  const names = relative(root, dirname(path)).split(sep);
  if (names[0] === '' || names.some((name) => FOREIGN.has(name))) return [];
  return names.map((_, index) => ({
    folder: join(root, ...names.slice(0, index + 1)),
    role: 'folder',
    boundary: root,
  }));
}
