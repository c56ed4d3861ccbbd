import { isPathEffect, type Effect, type ForeignEffect, type PathEffect } from './effect.js';
import { isWithin } from '../util/paths-below.js';

/**
 * True when two calls must not run side by side, because the order in which they run could be seen.
 * Symmetric. Reads never conflict with reads; what is not known conflicts with everything.
 */
export function conflict(a: readonly Effect[], b: readonly Effect[]): boolean {
  return a.some((left) => b.some((right) => effectsConflict(left, right)));
}

function effectsConflict(a: Effect, b: Effect): boolean {
  if (isInert(a) || isInert(b)) return false;
  // A question may change the mode under which later calls are judged, so what changes things waits for it.
  if (a.kind === 'ask' || b.kind === 'ask') return changes(a) || changes(b);
  if (isPathEffect(a) && isPathEffect(b)) return pathsConflict(a, b);
  if (a.kind === 'foreign') return foreignConflicts(a, b);
  if (b.kind === 'foreign') return foreignConflicts(b, a);
  // What is left is a program, or something unknown, against anything: it may touch any file.
  return true;
}

/** Effects that nothing else on this machine can see: fetching, delegating (its calls are judged themselves), reading the clock. */
function isInert(effect: Effect): boolean {
  if (effect.kind === 'fetch' || effect.kind === 'delegate' || effect.kind === 'secret') return true;
  return effect.kind === 'run' && effect.readOnly;
}

function changes(effect: Effect): boolean {
  if (effect.kind === 'foreign') return !onlyReads(effect);
  return effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'run' || effect.kind === 'unknown';
}

/**
 * One server's calls are made in their order unless both only read; of what another server does, the two are taken to know
 * nothing. A server may lie on this machine, so beside Tenon's own effects it counts as a program that touches any file, or
 * reads any.
 */
function foreignConflicts(call: ForeignEffect, other: Effect): boolean {
  if (other.kind === 'foreign') return call.from === other.from && !(onlyReads(call) && onlyReads(other));
  return changes(other) || !onlyReads(call);
}

function onlyReads({ does }: ForeignEffect): boolean {
  return does === 'reads';
}

/** Equal, or one above the other: a folder that is listed shows what is written in it, and a write may make its folders. */
function pathsConflict(a: PathEffect, b: PathEffect): boolean {
  if (a.kind === 'read' && b.kind === 'read') return false;
  return isWithin(a.path, b.path) || isWithin(b.path, a.path);
}
