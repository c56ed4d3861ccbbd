import { errorMessage } from '../../util/failure.js';
import { validateAgainst } from '../../schema/validate.js';
import type { BaseTool } from '../../tools/tools.js';
import { attempt, built, withBench, type Bench } from './bench.js';
import { forEachExample, type Examined } from './examined.js';
import type { Seen } from './observer.js';
import { schemaFaults } from './schema-faults.js';
import { wrongParams } from './wrong-params.js';

export async function schemaCase({ subject, options }: Examined): Promise<readonly string[]> {
  return withBench(subject, options, async ({ tool }) => [
    ...(tool.description.trim() === '' ? ['The tool has no description.'] : []),
    ...schemaFaults(tool.schema, tool.description),
  ]);
}

export async function exampleFaults(examined: Examined): Promise<readonly string[]> {
  const { subject, options } = examined;
  const isNone = await withBench(subject, options, async (bench) => bench.examples().length === 0);
  if (isNone) return ['There is no example: give `examples`, so that the tool can be tried.'];
  return forEachExample(examined, async ({ tool }, params) => {
    try {
      const refused = tool.validateToolParams(params);
      if (refused !== null) return [`it is refused: ${refused}`];
      tool.build(params);
      return [];
    } catch (thrown) {
      return [`it cannot be built: ${errorMessage(thrown)}`];
    }
  });
}

export async function refusalFaults({ subject, options }: Examined): Promise<readonly string[]> {
  return withBench(subject, options, async (bench) => {
    const { tool } = bench;
    const faults = new Set<string>();
    for (const params of wrongParams(tool.schema, bench.examples()[0])) {
      for (const fault of await refusalFault(bench, params)) faults.add(fault);
    }
    return Array.from(faults);
  });
}

async function refusalFault(bench: Bench, value: unknown): Promise<readonly string[]> {
  const { tool } = bench;
  // Models send anything; the types hold for what was checked.
  const params = value as object;
  const shown = (JSON.stringify(params) ?? 'undefined').slice(0, 80);
  let refused: unknown;
  try {
    refused = tool.validateToolParams(params);
  } catch (thrown) {
    return [`Checking ${shown} throws: ${errorMessage(thrown)}`];
  }
  if (refused !== null && (typeof refused !== 'string' || refused.trim() === ''))
    return [`Checking ${shown} gives neither null nor a message.`];
  if (refused === null) return isRefusedBySchema(tool, params) ? [`${shown} is let through, against the schema.`] : [];
  try {
    const { returned } = await attempt(bench, tool.invoke(params));
    const { error } = (returned ?? {}) as { readonly error?: { readonly message?: unknown } };
    return typeof error?.message === 'string'
      ? []
      : [`A call with ${shown} is refused, and yet has no error as its result.`];
  } catch (thrown) {
    return [`A call with ${shown} throws: ${errorMessage(thrown)}`];
  }
}

function isRefusedBySchema(tool: BaseTool, params: object): boolean {
  try {
    return validateAgainst(tool.readySchema, params) !== null;
  } catch {
    return false;
  }
}

const LONGEST_TITLE = 500;

export async function descriptionFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async ({ tool }, params) => {
    try {
      const title: unknown = built(tool, params)?.getDescription() ?? 'x';
      if (typeof title !== 'string' || title.trim() === '') return ['getDescription() gives no text.'];
      if (/[\n\r\u2028\u2029]/.test(title))
        return [`getDescription() gives more than one line: ${JSON.stringify(title.slice(0, 80))}`];
      return title.length > LONGEST_TITLE
        ? [`getDescription() gives ${title.length} characters; more than ${LONGEST_TITLE} nobody reads.`]
        : [];
    } catch (thrown) {
      return [`getDescription() throws: ${errorMessage(thrown)}`];
    }
  });
}

/** Whatever happens before anybody agreed to the call. */
export async function buildFaults(examined: Examined): Promise<readonly string[]> {
  return forEachExample(examined, async (bench, params) => {
    const before = await bench.picture();
    const seen: Seen[] = [];
    const faults: string[] = [];
    await bench.observer.run(
      (each) => seen.push(each),
      async () => {
        const invocation = built(bench.tool, params);
        for (const look of ['toolLocations', 'effects'] as const) {
          try {
            await invocation?.[look]?.();
          } catch (thrown) {
            faults.push(`${look}() throws: ${errorMessage(thrown)}`);
          }
        }
        try {
          invocation?.getDescription();
        } catch {
          // Another case tells.
        }
      },
    );
    const did = seen.flatMap((each): string[] => {
      if (each.kind === 'run') return [`it starts ${each.program}`];
      if (each.kind === 'fetch') return [`it reaches ${each.host}`];
      if (each.kind !== 'write' && each.kind !== 'delete') return [];
      return bench.isKeptForIt(each.path) ? [] : [`it ${each.kind === 'write' ? 'writes' : 'deletes'} ${each.path}`];
    });
    const changes = (await bench.changesSince(before)).map(
      ({ kind, path }) => `it ${kind === 'write' ? 'writes' : 'deletes'} ${path}`,
    );
    return [...faults, ...new Set([...did, ...changes].map((what) => `before the call runs, ${what}.`))];
  });
}
