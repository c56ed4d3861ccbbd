import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import { Failure } from '../util/failure.js';
import { withSeparator } from '../util/paths-below.js';

/** Linux' O_PATH, which Node does not name: a descriptor that only holds an object, without opening it. */
const O_PATH = 0o10000000;

/**
 * One object of the file system, held so that renames and links swapped in afterwards change nothing.
 * `at` is a path for system calls that leads to the held object itself, whatever its name points to by now.
 */
export interface Pin {
  readonly at: string;
  readonly stat: Stats;
  close(): void;
}

export interface Pinner {
  root(path: string): Pin;
  /** The entry `name` of a held folder; a link is held itself, never followed. @throws the system's error */
  child(parent: Pin, name: string): Pin;
  /** Called on a descriptor that was just opened through `pin.at`, with the canonical path that was judged. @throws Failure */
  verify(pin: Pin, opened: Stats, path: string): void;
}

/** Holds by descriptor: `/proc/self/fd/N/name` gives Node the semantics of `openat`. */
const descriptorPinner: Pinner = {
  root: (path) => pinDescriptor(path, constants.O_DIRECTORY),
  child: (parent, name) => pinDescriptor(`${parent.at}/${name}`, 0),
  verify: (pin, opened, path) => sameObject(pin, opened, path),
};

function pinDescriptor(path: string, extraFlags: number): Pin {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW | extraFlags);
  return { at: `/proc/self/fd/${fd}`, stat: fstatSync(fd), close: () => closeSync(fd) };
}

/** Where descriptors have no path: open, then compare with what was judged. Narrows the race, does not close it. */
const comparingPinner: Pinner = {
  root: (path) => ({ at: path, stat: lstatSync(path), close: () => undefined }),
  child: (parent, name) => {
    const at = withSeparator(parent.at) + name;
    return { at, stat: lstatSync(at), close: () => undefined };
  },
  verify: (pin, opened, path) => {
    sameObject(pin, opened, path);
    if (realpathSync.native(pin.at) !== path) throw swapped(path);
  },
};

function sameObject(pin: Pin, opened: Stats, path: string): void {
  if (opened.dev !== pin.stat.dev || opened.ino !== pin.stat.ino) throw swapped(path);
}

function swapped(path: string): Failure {
  return new Failure('file_changed', `The path changed while it was being opened: ${path}. Try the call again.`);
}

/** The strongest way of holding that this system has. */
export function systemPinner(): Pinner {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? descriptorPinner : comparingPinner;
}

export const pinners = { descriptor: descriptorPinner, comparing: comparingPinner };

/** Marks a file that has other names (hard links). */
export function otherNames(object: Pin | undefined): { readonly hasOtherNames?: true } {
  return object?.stat.isFile() === true && object.stat.nlink > 1 ? { hasOtherNames: true } : {};
}
