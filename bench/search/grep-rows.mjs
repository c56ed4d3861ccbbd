// `grep_search` against `rg -c`, which tells everything that the tool counts: matching lines of every file.
import { compareCounts, grepCounts } from './compare.mjs';
import { homeThatKnows, inFreshProcess, PREPARED_MS } from './fresh.mjs';
import { countArgs, countsOf, ripgrep } from './ripgrep.mjs';
import { call, javascriptGrep, learnNothing, openSystem, settle, takes } from './tools.mjs';

const FIRST_REACH = 1.25;
const KNOWN_REACH = 1;
const MEMORY_REACH_MB = 80;
const LIVE_REACH_MS = 200;
const JAVASCRIPT_REACH = 8;
const QUICK_MODEL_MS = 3_000;
/** Rows of first calls of a process, and how long its session has to prepare itself. */
const FIRST_CALLS = [
  ['first', undefined],
  ['first of a session', PREPARED_MS],
  ['first of a session, after 3 s', QUICK_MODEL_MS],
];
const KNOWN_PROJECT = 'first, known project';

/** `place`: `{ label, root, isGit, patterns: [[name, pattern]] }`. */
export async function grepRows(report, context, place) {
  for (const [name, pattern] of place.patterns) {
    const label = (kind) => `grep ${name}, ${kind} (${place.label})`;
    const args = { pattern };
    const bare = async () => (await ripgrep(countArgs(pattern), place)).ms;
    const laterCalls = [
      ['repeated', learnNothing, FIRST_REACH],
      ['learned', undefined, place.isGit ? 1 : FIRST_REACH],
    ];
    const calls = [...FIRST_CALLS, [KNOWN_PROJECT], ...laterCalls];
    if (!['compared', ...calls.map(([kind]) => kind)].some((kind) => report.wants(label(kind)))) continue;
    const truth = await compare(report, context, place, { name: label('compared'), pattern });
    for (const [kind, begins] of FIRST_CALLS) {
      if (!report.wants(label(kind))) continue;
      await report.race(label(kind), {
        ours: async () => checked(report, label(kind), truth, (await fresh({ ...context, begins }, place, args)).first),
        bare,
        baseline: 'rg -c',
        reach: FIRST_REACH,
        rounds: Math.min(5, report.runs),
      });
    }
    const known = label(KNOWN_PROJECT);
    const home = report.wants(known) ? await homeThatKnows(context, place.root) : undefined;
    if (home !== undefined)
      await report.race(known, {
        ours: async () => {
          const { first } = await fresh({ ...context, home, keepsHome: true }, place, args);
          return checked(report, known, truth, first);
        },
        bare,
        baseline: 'rg -c',
        reach: KNOWN_REACH,
        rounds: Math.min(5, report.runs),
      });
    for (const [kind, prepare, reach] of laterCalls) {
      if (!report.wants(label(kind))) continue;
      const system = await openSystem({ ...context, root: place.root });
      try {
        await prepare?.(system);
        await call(system, 'grep_search', args);
        if (prepare === undefined) await settle(system);
        const ours = async () => {
          const { ms, data } = await call(system, 'grep_search', args);
          return checked(report, label(kind), truth, { ms, ...data });
        };
        await report.race(label(kind), { ours, bare, baseline: 'rg -c', reach });
      } finally {
        await system.close();
      }
    }
  }
}

const fresh = (context, { root }, args, times = 1) =>
  inFreshProcess({ ...context, root, tool: 'grep_search', args, times });

/** Every run must tell what was compared. */
function checked(report, name, truth, { ms, total, fileCount }) {
  if (total !== truth.total || fileCount !== truth.fileCount)
    report.unsteady(name, `${total} in ${fileCount} files, before ${truth.total} in ${truth.fileCount}`);
  return ms;
}

async function compare(report, context, place, { name, pattern, grep }) {
  const system = await openSystem({ ...context, root: place.root });
  try {
    const hasPages = takes(system, 'grep_search', 'output_mode');
    const search = grep === undefined ? (args) => call(system, 'grep_search', args) : await grep(system);
    const ours = await grepCounts(search, pattern, { root: place.root, hasPages });
    const found = compareCounts(ours, await countsOf(pattern, place), { root: place.root, hasPages });
    const extent = `  ${ours.total.toLocaleString('en-US')} lines in ${ours.fileCount.toLocaleString('en-US')} files`;
    report.truth(name, found, hasPages ? extent : `${extent}, only totals compared`);
    return ours;
  } finally {
    await system.close();
  }
}

/** Memory and the first live result of the search with the most matches, in processes of their own. */
export async function grepMemoryRows(report, context, place) {
  const [name, pattern] = place.patterns.find(([one]) => one === 'common');
  for (const [kind, begins] of [
    ['memory', undefined],
    ['memory in a session', PREPARED_MS],
  ]) {
    const label = `grep ${name}, ${kind} (${place.label})`;
    if (!report.wants(label)) continue;
    const { first, peakMb, heldMb, childMb } = await fresh({ ...context, begins, weighs: true }, place, { pattern }, 3);
    const words = `${peakMb.toFixed(0).padStart(6)} MB above rest at the peak of 3 searches, ${first.peakMb.toFixed(0)} of the first (reach ${MEMORY_REACH_MB}), ${heldMb.toFixed(0)} MB held when learned, rg itself ${childMb.toFixed(0)} MB`;
    report.say(label, words, peakMb <= MEMORY_REACH_MB);
  }
  for (const [kind, begins] of [
    ['first live result', undefined],
    ['first live result in a session', PREPARED_MS],
  ]) {
    const live = `grep ${name}, ${kind} (${place.label})`;
    if (!report.wants(live)) continue;
    const { first, last } = await fresh({ ...context, begins }, place, { pattern }, 2);
    const told = ({ firstUpdate, ms }) =>
      firstUpdate === undefined ? `none in ${ms.toFixed(0)} ms` : `${firstUpdate.toFixed(0)} ms of ${ms.toFixed(0)}`;
    const isMet = [first, last].every(({ firstUpdate = Infinity }) => firstUpdate <= LIVE_REACH_MS);
    report.say(live, `first search ${told(first)}, second ${told(last)} (reach ${LIVE_REACH_MS} ms)`, isMet);
  }
}

/** The JavaScript engine, which must find the same. */
export async function javascriptRows(report, context, place) {
  const label = (name) => `grep ${name}, JavaScript engine (${place.label})`;
  for (const [name, pattern] of place.patterns) {
    if (!report.wants(label(name))) continue;
    const grep = async (system) => javascriptGrep({ ...context, system });
    const truth = await compare(report, context, place, { name: `${label(name)}, compared`, pattern, grep });
    const system = await openSystem({ ...context, root: place.root });
    try {
      await learnNothing(system);
      const search = await grep(system);
      await report.race(label(name), {
        ours: async () => {
          const { ms, data } = await search({ pattern });
          return checked(report, label(name), truth, { ms, ...data });
        },
        bare: async () => (await ripgrep(countArgs(pattern), place)).ms,
        baseline: 'rg -c',
        reach: JAVASCRIPT_REACH,
        rounds: Math.min(3, report.runs),
      });
    } finally {
      await system.close();
    }
  }
}
