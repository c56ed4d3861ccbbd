import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Effect } from '../../effects/effect.js';
import { toParts } from '../../tools/tools.js';
import { soundResult } from '../../scheduler/sound-result.js';
import { errorMessage } from '../../util/failure.js';
import { isObject } from '../../util/is-object.js';
import { sleep } from '../../util/abort.js';
import { attempt, built, statedBy, withBench, type Attempt, type Bench, type Invocation } from './bench.js';
import { forEachExample, type Examined } from './examined.js';
import { plainHost, undeclared } from './judge-seen.js';
import type { Seen } from './observer.js';
import { unstatedRuns } from './seen-programs.js';

const MOST_MS = 1_000;
const SOON_MS = 100;
const MEGABYTE = 1024 * 1024;
const LARGEST_RESULT = 16 * MEGABYTE;
/** So much later what goes on after its end is seen. */
const LATER_MS = 300;
/** After so many milliseconds calls are cancelled, each by itself. */
const MOMENTS = [1, 20, 150];

/** Runs an example; undefined where it cannot be built. */
async function runExample(bench: Bench, params: object, { options }: Examined): Promise<Attempt | undefined> {
  const invocation = built(bench.tool, params);
  if (invocation === undefined) return undefined;
  await statedBy(bench.tool, invocation);
  return attempt(bench, invocation, { limit: options.callMs });
}

export async function resultFaults(examined: Examined): Promise<readonly string[]> {
  const failures: string[] = [];
  let hasSucceeded = false;
  const faults = await forEachExample(examined, async (bench, params) => {
    const done = await runExample(bench, params, examined);
    if (done === undefined) return [];
    const found = resultFault(done);
    const error = errorOf(done.returned);
    if (error === undefined) hasSucceeded = true;
    else failures.push(error);
    return found;
  });
  if (faults.length > 0 || hasSucceeded || failures.length === 0) return faults;
  return [`No example succeeds, so that nothing of the tool is seen. The first one says: ${failures[0] ?? ''}`];
}

function resultFault({ isEnded, thrown, returned, ms }: Attempt): readonly string[] {
  if (!isEnded) return [`it has not ended after ${Math.round(ms / 1000)} seconds.`];
  if (thrown !== undefined)
    return [`execute() throws, where a failure is a result with an \`error\`: ${errorMessage(thrown)}`];
  const sound = soundResult(returned, 'it');
  if (sound.error !== undefined && errorOf(returned) === undefined)
    return ['the result has no `llmContent` of texts and parts.'];
  const { error, returnDisplay, data } = returned as Readonly<Record<string, unknown>>;
  const isError = isObject(error) && typeof error['message'] === 'string' && typeof error['type'] === 'string';
  return [
    ...(error !== undefined && !isError
      ? ['the `error` of the result has no `message` and `type` that are texts.']
      : []),
    ...(returnDisplay !== undefined && sound.returnDisplay === undefined
      ? ['no door can show the `returnDisplay` of the result.']
      : []),
    ...(data !== undefined && sound.data === undefined
      ? ['the `data` of the result is nothing that JSON can hold.']
      : []),
  ];
}

function errorOf(returned: unknown): string | undefined {
  if (!isObject(returned) || !isObject(returned['error'])) return undefined;
  return String(returned['error']['message']);
}

export async function abortFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const before = built(bench.tool, params);
    if (before === undefined) return [];
    return [...(await abortedBefore(bench, params)), ...(await abortedDuring(examined, params))];
  });
}

/** It may as well end with what it found, as long as it did nothing. */
async function abortedBefore(bench: Bench, params: object): Promise<readonly string[]> {
  const invocation = built(bench.tool, params);
  if (invocation === undefined) return [];
  await statedBy(bench.tool, invocation);
  const picture = await bench.picture();
  const done = await attempt(bench, invocation, { signal: AbortSignal.abort(), limit: MOST_MS });
  if (!isInTime(done, MOST_MS)) return ['cancelled before it starts, it has not ended after a second.'];
  const changes = await bench.changesSince(picture);
  const began = done.seen.filter(({ kind }) => kind === 'run' || kind === 'fetch');
  if (changes.length === 0 && began.length === 0) return [];
  return ['cancelled before it starts, it does its work all the same.'];
}

/** What holds everything up lets no timer tell that it is late. */
function isInTime({ isEnded, ms }: Attempt, limit: number): boolean {
  return isEnded && ms <= limit + SOON_MS;
}

async function abortedDuring({ subject, options }: Examined, params: object): Promise<readonly string[]> {
  for (const moment of MOMENTS) {
    const fault = await withBench(subject, options, async (bench) => {
      // Its example is another one in each bench, where paths stand in it.
      const wanted = bench.examples();
      const same = wanted.find((each) => Object.keys(each).join() === Object.keys(params).join()) ?? wanted[0];
      const invocation = same === undefined ? undefined : built(bench.tool, same);
      return invocation === undefined ? undefined : abortFault(bench, invocation, moment);
    });
    if (fault !== undefined) return [`cancelled ${moment} ms after its start, ${fault}.`];
  }
  return [];
}

async function abortFault(bench: Bench, invocation: Invocation, moment: number): Promise<string | undefined> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), moment);
  const done = await attempt(bench, invocation, { signal: abort.signal, limit: moment + MOST_MS });
  clearTimeout(timer);
  if (!isInTime(done, moment + MOST_MS)) return 'it has not ended a second later';
  if (!abort.signal.aborted) return undefined;
  const [picture, count] = [await bench.picture(), done.seen.length];
  await sleep(LATER_MS, new AbortController().signal);
  const [change] = await bench.changesSince(picture);
  if (change !== undefined)
    return `it goes on after its end: it ${change.kind === 'write' ? 'writes' : 'deletes'} ${change.path}`;
  for (const each of done.seen.slice(count)) {
    if (each.kind === 'run') return `it goes on after its end: it starts ${each.program}`;
    if (each.kind === 'fetch') return `it goes on after its end: it reaches ${each.host}`;
  }
  return undefined;
}

export async function effectFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const invocation = built(bench.tool, params);
    if (invocation === undefined) return [];
    const effects = await statedBy(bench.tool, invocation);
    const before = await bench.picture();
    const { seen } = await attempt(bench, invocation, { limit: examined.options.callMs });
    // What it has left for later counts too.
    await sleep(SOON_MS, new AbortController().signal);
    const changes = await bench.changesSince(before);
    const after = await bench.picture();
    const { isOwn, isKeptForIt, isOwnProgram, config } = bench;
    const foreign = seen.filter((each) => each.kind !== 'run' || !isOwnProgram(each.program));
    return undeclared({
      seen: [...(await unstatedRuns(foreign, effects, config)), ...changes],
      effects,
      isOwn,
      isKeptForIt,
      addresses: await addressesOf(effects, seen),
      isKept: (path) => before.has(path) || after.has(path),
    }).map((what) => `it ${what}, which its effects do not say.`);
  });
}

/** Where the hosts of effects are, where it matters: a call that looks a name up by itself goes on with its address. */
async function addressesOf(effects: readonly Effect[], seen: readonly Seen[]): Promise<ReadonlySet<string>> {
  if (!seen.some((each) => each.kind === 'fetch' && isIP(each.host) !== 0)) return new Set();
  const hosts = effects.flatMap((effect) => (effect.kind === 'fetch' ? [plainHost(effect.host)] : []));
  const found = await Promise.all(hosts.map(async (host) => lookup(host, { all: true }).catch(() => [])));
  return new Set(found.flat().map(({ address }) => address));
}

export async function parameterFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const given = JSON.stringify(params);
    const invocation = built(bench.tool, params);
    if (invocation === undefined) return [];
    await statedBy(bench.tool, invocation);
    await attempt(bench, invocation, { limit: examined.options.callMs });
    const now = JSON.stringify(params);
    return now === given
      ? []
      : [`its parameters were ${given.slice(0, 100)}, and are ${now.slice(0, 100)} after the call.`];
  });
}

export async function outputFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const done = await runExample(bench, params, examined);
    const size = sizeOf(done?.returned);
    if (size <= LARGEST_RESULT) return [];
    return [
      `its result has ${Math.round(size / MEGABYTE)} MiB. A model gets 64 KiB of it, and the whole of it stays in memory: give a part, and how to get the next.`,
    ];
  });
}

function sizeOf(returned: unknown): number {
  if (soundResult(returned, '').error !== undefined || !isObject(returned)) return 0;
  const parts = toParts(soundResult(returned, '').llmContent);
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : part.inlineData.data.length), 0);
}

export async function printFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const done = await runExample(bench, params, examined);
    const printed = done?.seen.flatMap((each) => (each.kind === 'print' ? [each.text] : [])) ?? [];
    const [first] = printed;
    if (first === undefined) return [];
    return [
      `it writes to the console (${JSON.stringify(first.slice(0, 60))}), where programs read answers. Give it back as a result, or by \`update\`.`,
    ];
  });
}

export async function updateFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const invocation = built(bench.tool, params);
    if (invocation === undefined) return [];
    let hasEnded = false;
    let late = 0;
    const update = (): void => {
      if (hasEnded) late += 1;
    };
    const { isEnded } = await attempt(bench, invocation, { limit: examined.options.callMs, update });
    hasEnded = true;
    if (!isEnded) return [];
    await sleep(SOON_MS, new AbortController().signal);
    return late === 0 ? [] : [`it goes on and reports ${late === 1 ? 'once' : `${late} times`} after its end.`];
  });
}
