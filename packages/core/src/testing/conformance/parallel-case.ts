import { conflict } from '../../effects/conflicts.js';
import type { Effect } from '../../effects/effect.js';
import { isObject } from '../../util/is-object.js';
import { attempt, built, statedBy, withBench, type Bench, type Invocation } from './bench.js';
import { forEachExample, type Examined } from './examined.js';

/** Each example so often, where its calls may run side by side. */
const TIMES = 3;

/** Calls that may run at the same time give what they give alone. */
export async function parallelFaults(examined: Examined): Promise<readonly string[]> {
  const alone = [await oneByOne(examined), await oneByOne(examined)] as const;
  const { subject, options } = examined;
  return withBench(subject, options, async (bench) => {
    const calls = await callsOf(bench);
    const ends = await Promise.all(
      calls.map(async ({ index, invocation }) => ({
        index,
        answer: answerOf(await attempt(bench, invocation, { limit: options.callMs }), bench),
      })),
    );
    const faults = ends.flatMap(({ index, answer }) => {
      const [first, second] = [alone[0][index], alone[1][index]];
      if (first === undefined || second === undefined || !hasSucceeded(first)) return [];
      // What differs by itself, as a time does, cannot be compared.
      const isSame = first === second ? answer === first : hasSucceeded(answer);
      return isSame
        ? []
        : [
            `Example ${index + 1}: beside other calls it gives ${answer.slice(0, 120)}, and alone ${first.slice(0, 120)}.`,
          ];
    });
    return [...new Set(faults)];
  });
}

async function oneByOne(examined: Examined): Promise<readonly string[]> {
  const answers: string[] = [];
  await forEachExample(examined, async (bench, params, index) => {
    const invocation = built(bench.tool, params);
    if (invocation !== undefined) {
      await statedBy(bench.tool, invocation);
      answers[index] = answerOf(await attempt(bench, invocation, { limit: examined.options.callMs }), bench);
    }
    return [];
  });
  return answers;
}

interface Call {
  readonly index: number;
  readonly invocation: Invocation;
  readonly effects: readonly Effect[];
}

/** Of all examples, several times, those that the scheduler would let run side by side. */
async function callsOf(bench: Bench): Promise<readonly Call[]> {
  const chosen: Call[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    for (const [index, params] of bench.examples().entries()) {
      const invocation = built(bench.tool, params);
      if (invocation === undefined) continue;
      const effects = await statedBy(bench.tool, invocation);
      if (!chosen.some((other) => conflict(effects, other.effects))) chosen.push({ index, invocation, effects });
    }
  }
  return chosen;
}

const FAILED = 'no result';

/** What it said, but for where it was. */
function answerOf({ returned }: { readonly returned?: unknown }, { root, outside }: Bench): string {
  if (!isObject(returned)) return FAILED;
  const { llmContent, error } = returned;
  try {
    return JSON.stringify([error === undefined ? 'ok' : 'failed', llmContent])
      .replaceAll(root, '<root>')
      .replaceAll(outside, '<outside>');
  } catch {
    return FAILED;
  }
}

function hasSucceeded(answer: string): boolean {
  return answer.startsWith('["ok"');
}
