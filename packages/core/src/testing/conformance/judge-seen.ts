import { basename } from 'node:path';
import { isPathEffect, type Effect, type PathEffect } from '../../effects/effect.js';
import { isBelow } from '../../tools/defined/is-below.js';
import type { Seen } from './observer.js';

export interface Judged {
  /** Without programs whose start was stated. */
  readonly seen: readonly Seen[];
  readonly effects: readonly Effect[];
  /** Paths whose reading is no business of effects: the tool's own code, Tenon's own folders. */
  readonly isOwn: (path: string) => boolean;
  /** The same of changes. */
  readonly isKeptForIt: (path: string) => boolean;
  /** Addresses of hosts that the effects name. */
  readonly addresses: ReadonlySet<string>;
  /** What was at its place before the call, or is now. */
  readonly isKept: (path: string) => boolean;
}

const LONGEST = 200;

/** What was seen without having been stated: a few words for each, each once. Pure. */
export function undeclared(judged: Judged): string[] {
  const { seen, effects, isOwn, isKeptForIt, addresses, isKept } = judged;
  // Whoever says that it may do anything is asked about with every call: that covers all.
  if (effects.some((effect) => effect.kind === 'unknown' || (effect.kind === 'foreign' && effect.does !== 'reads')))
    return [];
  const found = seen.flatMap((each): string[] => {
    switch (each.kind) {
      case 'read':
        return isOwn(each.path) || readsIt(effects, each.path) ? [] : [`reads ${each.path}`];
      case 'write':
      case 'delete': {
        const isDone =
          isKeptForIt(each.path) || changesIt(effects, { kind: each.kind, path: each.path }, isKept(each.path));
        return isDone ? [] : [`${each.kind === 'write' ? 'writes' : 'deletes'} ${each.path}`];
      }
      case 'run':
        return [`starts ${each.program.slice(0, LONGEST)}`];
      case 'fetch':
        return reachesIt(effects, each.host, addresses) ? [] : [`reaches ${each.host}`];
      case 'print':
        return [];
      default:
        return each satisfies never;
    }
  });
  return [...new Set(found)];
}

function readsIt(effects: readonly Effect[], path: string): boolean {
  // A command reads what it likes; whoever changes a file may look at what it changes.
  return effects.some((effect) => isUnboundRun(effect) || (isPathEffect(effect) && covers(effect, path)));
}

function changesIt(
  effects: readonly Effect[],
  { kind, path }: { readonly kind: 'write' | 'delete'; readonly path: string },
  isKept: boolean,
): boolean {
  return effects.some((effect) => {
    if (isUnboundRun(effect)) return true;
    if (!isPathEffect(effect) || effect.kind === 'read') return false;
    // Replacing a file whole is no deletion; deleting one is no writing.
    if (covers(effect, path) && (effect.kind === kind || (effect.kind === 'write' && isKept))) return true;
    // Folders on the way to it, and what is there only until the new file has its place.
    return effect.kind === 'write' && (isBelow(path, effect.path) || (!isKept && isBesides(effect.path, path)));
  });
}

function isUnboundRun(effect: Effect): boolean {
  return effect.kind === 'run' && !effect.readOnly && effect.isStated !== true;
}

function covers({ path, scope }: PathEffect, touched: string): boolean {
  return path === touched || (scope === 'tree' && isBelow(path, touched));
}

function isBesides(path: string, other: string): boolean {
  return path.slice(0, -basename(path).length) === other.slice(0, -basename(other).length);
}

function reachesIt(effects: readonly Effect[], host: string, addresses: ReadonlySet<string>): boolean {
  return effects.some(
    (effect) =>
      isUnboundRun(effect) ||
      (effect.kind === 'fetch' && (addresses.has(host) || plainHost(effect.host) === plainHost(host))),
  );
}

/** In one form, with or without the brackets that an address has in a URL. Pure. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}
