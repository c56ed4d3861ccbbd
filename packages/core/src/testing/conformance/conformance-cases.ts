import {
  ConformanceError,
  type ConformanceCase,
  type ConformanceOptions,
  type ConformanceResult,
  type ToolSubject,
} from './conformance-types.js';
import { buildFaults, descriptionFaults, exampleFaults, refusalFaults, schemaCase } from './declared-cases.js';
import {
  abortFaults,
  effectFaults,
  outputFaults,
  parameterFaults,
  printFaults,
  resultFaults,
  updateFaults,
} from './running-cases.js';
import { parallelFaults } from './parallel-case.js';
import type { Examined } from './examined.js';

type Case = (examined: Examined) => Promise<readonly string[]>;

/** In this order; each looks at one thing, and is not disturbed by what another one finds. */
const CASES: readonly (readonly [name: string, find: Case])[] = [
  ['the parameters are a sound, closed schema with descriptions', schemaCase],
  ['every example is valid', exampleFaults],
  ['wrong parameters are refused, never thrown', refusalFaults],
  ['a call is described in one line', descriptionFaults],
  ['building, describing and stating effects does nothing', buildFaults],
  ['every valid call ends with a sound result, and never throws', resultFaults],
  ['a cancelled call ends within a second', abortFaults],
  ['what it does is what its effects say', effectFaults],
  ['parameters are left as they are', parameterFaults],
  ['calls side by side do not disturb each other', parallelFaults],
  ['results are of a size that can be handled', outputFaults],
  ['nothing is written to the console', printFaults],
  ['nothing is reported after the end', updateFaults],
];

/** What a tool that others rely on holds to, for any test runner: a case for each promise. */
export function conformanceCases(subject: ToolSubject, options: ConformanceOptions = {}): readonly ConformanceCase[] {
  return CASES.map(([name, find]) => ({
    name,
    run: async () => {
      const problems = await find({ subject, options });
      if (problems.length > 0) throw new ConformanceError(problems);
    },
  }));
}

/** The same as data. Never throws. */
export async function checkTool(
  subject: ToolSubject,
  options: ConformanceOptions = {},
): Promise<readonly ConformanceResult[]> {
  const results: ConformanceResult[] = [];
  for (const { name, run } of conformanceCases(subject, options))
    results.push({ name, problems: await problemsOf(run) });
  return results;
}

async function problemsOf(run: () => Promise<void>): Promise<readonly string[]> {
  try {
    await run();
    return [];
  } catch (thrown) {
    if (thrown instanceof ConformanceError) return thrown.problems;
    return [`The case could not be run: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
  }
}
