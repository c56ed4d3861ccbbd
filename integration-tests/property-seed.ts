// Set-up of every test file: generated cases are the same in each run, so that a failure is that of the change at hand.
// `TENON_TEST_SEED=random` looks for new ones; any number repeats those of that seed.
import fc from 'fast-check';

const wanted = process.env['TENON_TEST_SEED'] ?? '1';
if (wanted !== 'random') {
  const seed = Number(wanted);
  if (!Number.isInteger(seed)) throw new Error(`TENON_TEST_SEED is "${wanted}": a whole number or "random" is needed.`);
  fc.configureGlobal({ seed });
}
