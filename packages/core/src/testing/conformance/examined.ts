import { withBench, type Bench } from './bench.js';
import type { ConformanceOptions, ToolSubject } from './conformance-types.js';

export interface Examined {
  readonly subject: ToolSubject;
  readonly options: ConformanceOptions;
}

/** What is wrong with each example, each in folders of its own. */
export async function forEachExample(
  { subject, options }: Examined,
  find: (bench: Bench, params: object, index: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  let count = 1;
  for (let index = 0; index < count; index += 1) {
    const faults = await withBench(subject, options, async (bench) => {
      const examples = bench.examples();
      count = examples.length;
      const params = examples[index];
      return params === undefined ? [] : find(bench, params, index);
    });
    found.push(...faults.map((fault) => `Example ${index + 1}: ${fault}`));
  }
  return found;
}
