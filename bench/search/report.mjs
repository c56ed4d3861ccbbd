// Interleaved runs, medians, and one line for each row.

const NAME_WIDTH = 48;

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Prints rows; remembers whether any result was wrong. */
export function createReport({ only, runs }) {
  let wrongs = 0;
  let over = 0;
  const unsteady = new Set();
  const say = (name, words, isMet) => {
    if (isMet === false) over += 1;
    const verdict = isMet === undefined ? '' : isMet ? '  OK' : '  OVER';
    console.log(`${name.padEnd(NAME_WIDTH)} ${words}${verdict}`);
  };
  return {
    runs,
    /** Whether a row is asked for. */
    wants: (name) => only === undefined || name.includes(only),
    title: (text) => console.log(`\n${text}`),
    say,
    /** What differs from the oracle, with and without an accepted reason. */
    truth(name, { wrong, named }, more = '') {
      wrongs += wrong.length;
      const reasons = [...named].map(([reason, files]) => `${files} ${reason}`);
      const verdict = wrong.length === 0 ? 'equal' : `${wrong.length} WRONG: ${wrong.slice(0, 5).join('; ')}`;
      console.log(`${name.padEnd(NAME_WIDTH)} ${[verdict, ...reasons].join(', ')}${more}`);
    },
    /** A run that tells something else than the one that was compared; said once for each row. */
    unsteady(name, words) {
      if (unsteady.has(name)) return;
      unsteady.add(name);
      wrongs += 1;
      console.log(`${name.padEnd(NAME_WIDTH)} WRONG: ${words}`);
    },
    /** `ours` and `bare` give ms; `reach` is the greatest ratio that is aimed at. The first round warms up. */
    async race(name, { ours, bare, reach, baseline, rounds = runs, warmUps = 1 }) {
      const times = { ours: [], bare: [] };
      for (let round = -warmUps; round < rounds; round += 1) {
        const [mine, theirs] = [await ours(), await bare()];
        if (round < 0) continue;
        times.ours.push(mine);
        times.bare.push(theirs);
      }
      const [mine, theirs] = [median(times.ours), median(times.bare)];
      const ratio = mine / theirs;
      const place = `${mine.toFixed(0).padStart(6)} ms ${ratio.toFixed(2).padStart(6)} x ${baseline} (${theirs.toFixed(0)} ms; reach ${reach} x)`;
      say(name, place, ratio <= reach);
    },
    /** @returns how many results were wrong */
    finish() {
      console.log(
        `\n${wrongs === 0 ? 'All results as the oracle has them' : `${wrongs} WRONG RESULTS`}; ${over} rows over their reach.`,
      );
      return wrongs;
    },
  };
}
