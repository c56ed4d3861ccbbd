// What an edit planner makes of the cases: one verdict for each, and their sums by class.

/**
 * `landed` the meant content · `refused` as it must, for a reason that fits · `reason` refused as it must, for another
 * reason · `missed` refused although the change is clear · `wrong` other content, or any where it must be refused.
 */
export const VERDICTS = ['landed', 'refused', 'reason', 'missed', 'wrong'];

/** Judges every case. `plan` is a function from an edit request to an edit plan. */
export function scoreCorpus(cases, plan) {
  return cases.map((one) => scoreCase(one, plan));
}

export function scoreCase(one, plan) {
  const before = performance.now();
  const result = plan(one.request);
  const milliseconds = performance.now() - before;
  const miss = result.outcome === 'failed' && result.failure.reason === 'not-found' ? result.failure.miss : undefined;
  const causes = one.acceptable.find(({ refused }) => refused !== undefined)?.causes ?? [];
  return {
    ...one,
    ...judge(one, result),
    milliseconds,
    /** Whether the cause was named where the case says which; undefined where it does not. */
    causeNamed: miss === undefined || causes.length === 0 ? undefined : causes.includes(miss.cause),
    /** Whether a suggested old text applies when it is sent back; undefined where none was made. */
    repaired: miss?.suggestion === undefined ? undefined : sendBack(one, result, miss.suggestion, plan),
  };
}

function judge({ acceptable }, result) {
  const wantsContent = acceptable[0].content !== undefined;
  const refusals = acceptable.filter(({ refused }) => refused !== undefined);
  if (result.outcome === 'edit') {
    const found = acceptable.findIndex(({ content }) => content === result.newContent);
    const got = `${result.steps.map(({ tier }) => tier).join(', ')}: landed`;
    return { verdict: found === -1 ? 'wrong' : 'landed', preferred: found === 0, content: result.newContent, got };
  }
  const { failure, step } = result;
  const cause = failure.reason === 'not-found' ? ` (${failure.miss.cause})` : '';
  const got = `step ${step}: ${failure.reason}${cause}`;
  if (refusals.length === 0) return { verdict: 'missed', preferred: false, got };
  const fits = refusals.some(({ refused }) => refused.length === 0 || refused.includes(failure.reason));
  return { verdict: fits ? 'refused' : 'reason', preferred: fits && !wantsContent, got };
}

/** True when the step that failed goes through with the suggested old text in place of its own. */
function sendBack({ request }, { step }, suggestion, plan) {
  const steps = request.steps.map((asked, index) => (index === step ? { ...asked, oldText: suggestion } : asked));
  const again = plan({ ...request, steps });
  return again.outcome === 'edit' || again.step > step;
}

/** The sums of one set of scores. */
export function sumUp(scores) {
  const count = (test) => scores.filter(test).length;
  const verdicts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, count((one) => one.verdict === verdict)]));
  const mustLand = scores.filter(({ acceptable }) => acceptable[0].content !== undefined);
  return {
    cases: scores.length,
    ...verdicts,
    /** Of the cases whose preferred outcome is content, those that came to an accepted content. */
    shouldLand: mustLand.length,
    didLand: mustLand.filter(({ verdict }) => verdict === 'landed').length,
    suggested: count(({ repaired }) => repaired !== undefined),
    repaired: count(({ repaired }) => repaired === true),
    causes: count(({ causeNamed }) => causeNamed !== undefined),
    causesNamed: count(({ causeNamed }) => causeNamed === true),
    milliseconds: scores.reduce((sum, one) => sum + one.milliseconds, 0),
  };
}

/** The sums by class, in the order of the classes. */
export function sumByGroup(scores) {
  const groups = [...new Set(scores.map(({ group }) => group))];
  return groups.map((group) => ({ group, ...sumUp(scores.filter((one) => one.group === group)) }));
}
