// How edits as models make them fare: `node bench/edits.mjs [--list] [--class WORD]`. Needs a build. Exit code 1 when any is wrong.
import { parseArgs } from 'node:util';
import { planExactly, planTrimmed } from './edit-corpus/naive-planners.mjs';
import { readCorpus } from './edit-corpus/read-cases.mjs';
import { scoreCorpus, sumByGroup, sumUp } from './edit-corpus/score.mjs';
import { showFailure } from './edit-corpus/show-failure.mjs';
import { planEdits } from '../packages/core/dist/editing/plan-edits.js';

const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, class: { type: 'string', default: '' } },
});
const cases = readCorpus().filter(({ group }) => group.includes(values.class));
// Once unmeasured, so that the time is that of a warm process.
scoreCorpus(cases, planEdits);
const scores = scoreCorpus(cases, planEdits);
const total = sumUp(scores);

const COLUMNS = ['cases', 'landed', 'refused', 'reason', 'missed', 'wrong'];
const share = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function row(label, sums) {
  const counts = COLUMNS.map((column) => String(sums[column]).padStart(9)).join('');
  const repaired = (sums.suggested === 0 ? '–' : `${sums.repaired}/${sums.suggested}`).padStart(10);
  const causes = (sums.causes === 0 ? '–' : `${sums.causesNamed}/${sums.causes}`).padStart(9);
  const time = (sums.milliseconds / sums.cases).toFixed(3).padStart(10);
  return `${label.padEnd(28)}${counts}${repaired}${causes}${time}`;
}

console.log(
  `${'class'.padEnd(28)}${COLUMNS.map((column) => column.padStart(9)).join('')}${'repaired'.padStart(10)}${'causes'.padStart(9)}${'ms/edit'.padStart(10)}`,
);
for (const sums of sumByGroup(scores)) console.log(row(sums.group, sums));
console.log(row('all', total));
console.log(
  `\nOf ${total.shouldLand} clear changes ${share(total.didLand, total.shouldLand)} landed; ` +
    `wrong ${share(total.wrong, total.cases)}; right (landed or refused as it must) ` +
    `${share(total.landed + total.refused + total.reason, total.cases)}.`,
);
console.log(
  `"reason": refused as it must, with another reason than the case names. "repaired": suggestions that apply.\n`,
);
const naivePlanners = [
  { label: 'exact only', planner: planExactly },
  { label: 'lines trimmed, block replaced', planner: planTrimmed },
];
for (const { label, planner } of naivePlanners) {
  const naive = sumUp(scoreCorpus(cases, planner));
  console.log(
    `For comparison, ${label}: ${share(naive.didLand, naive.shouldLand)} landed, ` +
      `${naive.wrong} wrong (${share(naive.wrong, naive.cases)}).`,
  );
}

if (values.list) {
  const failing = scores.filter((one) => ['wrong', 'missed', 'reason'].includes(one.verdict) || one.repaired === false);
  for (const one of failing) console.log(`\n${showFailure(one)}`);
}
process.exitCode = total.wrong > 0 ? 1 : 0;
