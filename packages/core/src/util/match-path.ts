/** One name is judged by a function; `**` stands for any number of names, also none. */
export type PathStep = '**' | ((name: string) => boolean);

/** A judge of paths: are their names, in order, what the steps say? Time O(names × steps), however many `**` there are. */
export function pathMatcher(steps: readonly PathStep[]): (names: readonly string[]) => boolean {
  const distinct = steps.filter((step, index) => step !== '**' || steps[index - 1] !== '**');
  return (names) => matchPath(distinct, names);
}

function matchPath(steps: readonly PathStep[], names: readonly string[]): boolean {
  // Which steps may come next; one more place than steps, for the end.
  let states = closure(steps, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const state of states) {
      const step = steps[state];
      if (step === '**') next.add(state);
      else if (step?.(name) === true) next.add(state + 1);
    }
    if (next.size === 0) return false;
    states = closure(steps, next);
  }
  return states.has(steps.length);
}

function closure(steps: readonly PathStep[], states: Set<number>): Set<number> {
  // A set that grows while it is walked is walked to its new end.
  for (const state of states) if (steps[state] === '**') states.add(state + 1);
  return states;
}
