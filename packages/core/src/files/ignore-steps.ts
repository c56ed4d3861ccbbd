import type { PathStep } from '../util/match-path.js';
import { segmentMatcher, type Segment } from '../util/match-segment.js';

/** The steps of a pattern that judges whole paths. */
export function pathSteps(segments: readonly Segment[]): PathStep[] {
  const steps: PathStep[] = [];
  for (const segment of segments) {
    if (!segment.isGlobstar) steps.push(segmentMatcher(segment));
    else if (steps.at(-1) !== '**') steps.push('**');
  }
  // `a/**` is what lies in `a`, not `a` itself.
  if (steps.at(-1) === '**') steps.push(() => true);
  return steps;
}

/** Which steps may judge the next name, ascending. None: nothing below can match. */
export type Places = readonly number[];

export function firstPlaces(steps: readonly PathStep[]): Places {
  return steps[0] === '**' ? [0, 1] : [0];
}

/** The places after one more name on the way down. Time O(places), whatever the pattern. */
export function nextPlaces(steps: readonly PathStep[], places: Places, name: string): Places {
  const next: number[] = [];
  // Places come in ascending order, and so does what they lead to.
  const add = (place: number): void => {
    if (next.length === 0 || place > (next.at(-1) ?? 0)) next.push(place);
  };
  for (const place of places) {
    const step = steps[place];
    const follows = step === '**' ? place : place + 1;
    // The last step judges an entry; what lies below that entry is no match of its own.
    if (typeof step === 'function' && (follows === steps.length || !step(name))) continue;
    add(follows);
    // `**` may stand for nothing; no other follows it right away.
    if (steps[follows] === '**') add(follows + 1);
  }
  return next;
}
