import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { Failure, systemErrorCode } from '../util/failure.js';
import type { Pin, Pinner } from './pin.js';
import { withSeparator } from '../util/paths-below.js';

/** As many links as Linux itself follows in one path. */
const MAX_LINKS = 40;

/** A folder below which paths may be touched: canonical, and as the user spelled it. */
export interface WalkRoot {
  readonly path: string;
  readonly spellings: readonly string[];
}

/** For the path of an existing folder. */
export function toWalkRoot(path: string): WalkRoot {
  const canonical = realpathSync.native(path);
  return { path: canonical, spellings: [...new Set([canonical, path])] };
}

export function asWalkRoot(canonical: string): WalkRoot {
  return { path: canonical, spellings: [canonical] };
}

/** The root in which a path lies as it is spelled. */
export function rootOf(path: string, roots: readonly WalkRoot[]): WalkRoot | undefined {
  return matchRoot(path, roots)?.root;
}

/** Where a walk ended. The caller closes `parent` and `object`. */
export interface Walked {
  readonly root: WalkRoot;
  /** Canonical path of the object, or of where it would be. */
  readonly path: string;
  /** The held parent folder; the root's own pin when the root itself was asked for. */
  readonly parent: Pin;
  /** The held object; undefined when it does not exist. */
  readonly object: Pin | undefined;
  /** Names below `parent` that lead to the object; more than one when folders are missing on the way. */
  readonly names: readonly string[];
  /** The path ends in a slash or in `/.`: it speaks of a folder, be it there or not. */
  readonly asksForFolder: boolean;
}

interface Located {
  readonly root: WalkRoot;
  readonly segments: string[];
}

/**
 * Follows a path from a root, component by component, each held before the next is looked at. Links are
 * followed by hand, so that one which leads out of every root ends the walk: null. `..` means what the
 * kernel means by it, the parent of where one really is.
 * @throws Failure `invalid_path`, `permission_denied`
 */
export function walkPath(path: string, roots: readonly WalkRoot[], pinner: Pinner): Walked | null {
  let budget = MAX_LINKS;
  let located = locate(path, roots);
  while (located !== undefined) {
    const step = walkFrom(located, pinner, budget);
    if (step.kind === 'done') return step.walked;
    budget = step.linksLeft;
    located = locate(step.path, roots);
  }
  return null;
}

type Step =
  | { readonly kind: 'done'; readonly walked: Walked }
  | { readonly kind: 'moved'; readonly path: string; readonly linksLeft: number };

function walkFrom({ root, segments }: Located, pinner: Pinner, links: number): Step {
  const stack: { pin: Pin; name: string }[] = [{ pin: pinner.root(root.path), name: '' }];
  const closeAll = (): void => stack.forEach(({ pin }) => pin.close());
  const currentPath = (): string => pathOf(root.path, stack);
  const pending = segments;
  let linksLeft = links;
  try {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const top = stack.at(-1);
      if (top === undefined) continue;
      // Also for `file/` and `file/.`, which the kernel does not take for the file either.
      if (!top.pin.stat.isDirectory()) throw notAFolder(currentPath());
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (stack.length === 1) {
          closeAll();
          return { kind: 'moved', path: dirname(root.path) + sep + pending.join(sep), linksLeft };
        }
        stack.pop()?.pin.close();
        continue;
      }
      const child = enter(pinner, top.pin, name, currentPath);
      if (child === undefined) {
        const asksForFolder = isNoName(pending.at(-1));
        const names = [name, ...pending.filter((segment) => !isNoName(segment))];
        if (names.includes('..'))
          throw new Failure(
            'invalid_path',
            `Path leads through a folder that does not exist: ${currentPath()}${sep}${name}`,
          );
        stack.slice(0, -1).forEach(({ pin }) => pin.close());
        return {
          kind: 'done',
          walked: {
            root,
            path: join(currentPath(), ...names),
            parent: top.pin,
            object: undefined,
            names,
            asksForFolder,
          },
        };
      }
      if (!child.stat.isSymbolicLink()) {
        stack.push({ pin: child, name });
        continue;
      }
      child.close();
      if (--linksLeft < 0)
        throw new Failure('invalid_path', `Too many symbolic links in ${currentPath()}${sep}${name}`);
      const target = readlinkSync(`${top.pin.at}/${name}`);
      if (target.startsWith(sep)) {
        // Joined as text: `join` would resolve `..` before links are followed, which the kernel does not.
        const path = [target, ...pending].join(sep);
        closeAll();
        return { kind: 'moved', path, linksLeft };
      }
      pending.unshift(...target.split(sep));
    }
    const object = stack.at(-1);
    const parent = stack.at(-2) ?? object;
    if (object === undefined || parent === undefined)
      throw new Failure('invalid_path', `Path could not be followed: ${root.path}`);
    stack.slice(0, -2).forEach(({ pin }) => pin.close());
    return {
      kind: 'done',
      walked: {
        root,
        path: currentPath(),
        parent: parent.pin,
        object: object.pin,
        names: [object.name],
        asksForFolder: object.pin.stat.isDirectory(),
      },
    };
  } catch (thrown) {
    closeAll();
    throw thrown;
  }
}

/** Nothing in it that `join` would have to work out. */
function pathOf(root: string, stack: readonly { readonly name: string }[]): string {
  if (stack.length === 1) return root;
  const names = stack.slice(1).map(({ name }) => name);
  return withSeparator(root) + names.join(sep);
}

function isNoName(segment: string | undefined): boolean {
  return segment === '' || segment === '.';
}

/** The held entry, or undefined when there is none. */
function enter(pinner: Pinner, parent: Pin, name: string, folder: () => string): Pin | undefined {
  try {
    return pinner.child(parent, name);
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT') return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new Failure('permission_denied', `No permission to look into ${folder()}`, { cause: thrown });
    if (code === 'ENAMETOOLONG')
      throw new Failure('invalid_path', `A name in the path is too long for the file system: ${name.slice(0, 40)}…`, {
        cause: thrown,
      });
    throw thrown;
  }
}

function notAFolder(path: string): Failure {
  return new Failure('path_is_not_a_directory', `Not a folder: ${path}. It is a file, so nothing can lie below it.`);
}

/** The root a path starts in, and the rest of the path. A path that is spelled through foreign links is made canonical first. */
function locate(path: string, roots: readonly WalkRoot[]): Located | undefined {
  const direct = matchRoot(path, roots);
  if (direct !== undefined) return direct;
  const { canonical, rest } = canonicalAncestor(path);
  const found = matchRoot(canonical, roots);
  return found === undefined ? undefined : { root: found.root, segments: [...found.segments, ...rest] };
}

function matchRoot(path: string, roots: readonly WalkRoot[]): Located | undefined {
  let best: (Located & { length: number }) | undefined;
  for (const root of roots) {
    for (const spelling of root.spellings) {
      const prefix = withSeparator(spelling);
      if (path !== spelling && !path.startsWith(prefix)) continue;
      if (best === undefined || spelling.length > best.length) {
        best = { root, segments: path.slice(prefix.length).split(sep), length: spelling.length };
      }
    }
  }
  return best;
}

/** The deepest existing ancestor with all links followed as the kernel follows them, and the names below it. */
function canonicalAncestor(path: string): { canonical: string; rest: string[] } {
  const top = parse(path).root;
  const segments = path
    .slice(top.length)
    .split(sep)
    .filter((segment) => !isNoName(segment));
  // What a slash at the end asks for must not get lost.
  const last = isNoName(path.split(sep).at(-1)) ? [''] : [];
  for (let count = segments.length; count > 0; count--) {
    try {
      const canonical = realpathSync.native(top + segments.slice(0, count).join(sep));
      return { canonical, rest: [...segments.slice(count), ...last] };
    } catch {
      // Missing or not allowed: try a shorter one.
    }
  }
  return { canonical: top, rest: [...segments, ...last] };
}
