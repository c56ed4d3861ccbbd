import { isPathEffect, type Effect, type PathEffect } from './effect.js';

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
  // What is left is a program, or something unknown, against anything: it may touch any file.
  return true;
}

/** Effects that nothing else on this machine can see: fetching, delegating (its calls are judged themselves), reading the clock. */
function isInert(effect: Effect): boolean {
  return effect.kind === 'fetch' || effect.kind === 'delegate' || (effect.kind === 'run' && effect.readOnly);
}

function changes(effect: Effect): boolean {
  return effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'run' || effect.kind === 'unknown';
}

function pathsConflict(a: PathEffect, b: PathEffect): boolean {
  if (a.kind === 'read' && b.kind === 'read') return false;
  return reaches(a, b.path) || reaches(b, a.path);
}

/** A delete reaches everything below its path; so does a tree. A write may make the folders above it, which a tree sees. */
function reaches(effect: PathEffect, path: string): boolean {
  if (effect.path === path) return true;
  const below = path.startsWith(effect.path.endsWith('/') ? effect.path : `${effect.path}/`);
  return below && (effect.scope === 'tree' || effect.kind === 'delete');
}
