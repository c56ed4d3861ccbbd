// Replays recorded edits and patches: those that landed there must land here with the same bytes.
import { reportFailedEdit } from '../../packages/core/dist/output/edit-report.js';
import { parsePatch } from '../../packages/core/dist/editing/parse-patch.js';
import { planEdits } from '../../packages/core/dist/editing/plan-edits.js';
import { planPatch } from '../../packages/core/dist/editing/plan-patch.js';
import { filesBefore } from './patched-files.mjs';
import { readRecords } from './records.mjs';

/** The share of edits, in percent, that must land with the recorded result. */
const LANDED = 99.9;
const MAX_SHOWN = 160;

const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
const shorten = (text) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

function planOf(text, { old_string: oldText, new_string: newText, replace_all: replaceAll = false }) {
  return planEdits({ text, steps: [{ oldText, newText, replaceAll }] });
}

function reportOf({ failure }) {
  return reportFailedEdit({
    path: 'FILE',
    failure,
    expected: undefined,
    edit: 1,
    edits: 1,
    readTool: 'read_file',
    writeTool: 'write_file',
  });
}

/** Replays edits that landed; the literal replacement is the expected result. */
export async function replayEdits(folder) {
  let count = 0;
  let right = 0;
  const wrong = [];
  const refused = [];
  for await (const { id, before, input } of readRecords(folder, 'edits')) {
    count += 1;
    const { old_string: old, new_string: renewed, replace_all: all } = input;
    const meant = all === true ? before.split(old).join(renewed) : before.replace(old, () => renewed);
    const plan = planOf(before, input);
    if (plan.outcome === 'failed') refused.push(`${id}: ${shorten(reportOf(plan).split('\n')[0])}`);
    else if (plan.newContent === meant) right += 1;
    else wrong.push(id);
  }
  const isBelow = (100 * right) / Math.max(1, count) < LANDED;
  return {
    rows: [
      `edits that landed: ${right} of ${count} right (${share(right, count)}), ${refused.length} refused, ${wrong.length} wrong`,
      ...refused.map((line) => `  refused ${line}`),
    ],
    failures: [
      ...(isBelow ? [`Fewer than ${LANDED} % of the recorded edits land as they did.`] : []),
      ...wrong.map((id) => `The edit ${id} writes other bytes than it did.`),
    ],
  };
}

/** Replays edits that were refused there. Counts the causes reported here, and the suggestions that apply. */
export async function replayMisses(folder) {
  const groups = new Map();
  let count = 0;
  let useless = 0;
  for await (const { input, before, state, error } of readRecords(folder, 'misses')) {
    count += 1;
    const text = before ?? state;
    const { said, isUseless } = text === null ? { said: 'the file is not recorded' } : answerOf(text, input);
    if (isUseless === true) useless += 1;
    const there = /not found|Found \d+ matches|not been read|modified since/.exec(error)?.[0] ?? 'other';
    const group = `${there.replace(/\d+/, 'N')} → ${said}`;
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const listed = [...groups].toSorted(([, one], [, other]) => other - one);
  return {
    rows: [
      `edits that were refused: ${count}, by what was said there and what is said here`,
      ...listed.map(([group, amount]) => `${String(amount).padStart(5)}  ${group}`),
    ],
    failures: useless === 0 ? [] : [`${useless} texts that are said to apply do not.`],
  };
}

function answerOf(text, input) {
  const plan = planOf(text, input);
  if (plan.outcome === 'edit') return { said: `lands (${plan.steps[0].tier})` };
  const suggestion = plan.failure.miss?.suggestion;
  const first = reportOf(plan)
    .split('\n')[0]
    .replace(/^old_string was not found in FILE; nothing was changed\. ?/, 'not found. ')
    .replace(/\d+(?:, \d+)+|\d+/g, 'N');
  const said = shorten(first) + (suggestion === undefined ? '' : ' + the old_string to send');
  const isUseless = suggestion !== undefined && planOf(text, { ...input, old_string: suggestion }).outcome !== 'edit';
  return { said, isUseless };
}

/** Replays patches on files that are rebuilt from the patch and the recorded diff. */
export async function replayPatches(folder) {
  let landed = 0;
  let right = 0;
  let refusedThere = 0;
  const unknown = [];
  const others = [];
  for await (const { id, patch: text, ok, changes } of readRecords(folder, 'patches')) {
    if (!ok) {
      refusedThere += 1;
      continue;
    }
    landed += 1;
    const parsed = parsePatch(text);
    if (!parsed.ok) {
      others.push(`${id}: ${parsed.fault.message.split('\n')[0]}`);
      continue;
    }
    const files = filesBefore(parsed.patch, changes);
    if (files === undefined) {
      unknown.push(id);
      continue;
    }
    const fault = faultOf(parsed.patch, files);
    if (fault === undefined) right += 1;
    else others.push(`${id}: ${fault}`);
  }
  return {
    rows: [
      `patches that landed: ${right} of ${landed} land as they did, ${others.length} do not; ` +
        `of ${unknown.length} the file cannot be put together again`,
      ...others.map((line) => `  ${shorten(line)}`),
      `patches that were refused: ${refusedThere}, their files are not recorded`,
    ],
    failures: others.length === 0 ? [] : [`${others.length} recorded patches do not land as they did.`],
  };
}

/** `files`: by path, what was there and what came of it; null: no file. */
function faultOf(patch, files) {
  const now = [...files].map(([path, { before }]) => [
    path,
    before === null ? null : { text: before, trustHints: true },
  ]);
  const plan = planPatch({ patch, keyOf: (path) => path, files: new Map(now) });
  if (!plan.ok) return plan.problems.map((one) => `${one.reason} ${one.lost?.located.found ?? ''}`).join('; ');
  const proposed = new Map(plan.files.map((file) => [file.path, file.proposed]));
  const resultOf = (path, before) => (proposed.has(path) ? proposed.get(path) : before);
  const wrong = [...files].filter(([path, { before, after }]) => resultOf(path, before) !== after);
  return wrong.length === 0 ? undefined : 'other bytes';
}
