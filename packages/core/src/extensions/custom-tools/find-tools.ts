import { subjectOf } from '../../policy/tool-aliases.js';
import type { ToolRuntime } from '../../runtime.js';
import { checkSchema } from '../../schema/check-schema.js';
import { BaseTool, Kind } from '../../tools/tools.js';
import { errorMessage } from '../../util/failure.js';
import { isObject } from '../../util/is-object.js';
import { DefinedTool } from '../../tools/defined/defined-tool.js';
import type { Exports } from './module-loader.js';
import { isDefinition } from '../../tools/defined/tool-definition.js';

/** What every provider takes. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST_DESCRIPTION = 20_000;

export interface FoundTools {
  readonly tools: readonly BaseTool[];
  /** Sentences without the file. */
  readonly problems: readonly string[];
}

/** The tools among what a module exports: instances and classes of tools, and definitions. Runs their constructors; never throws. */
export function toolsIn(exports: Exports, runtime: ToolRuntime): FoundTools {
  const tools: BaseTool[] = [];
  const problems: string[] = [];
  for (const [name, value] of exportedValues(exports)) {
    try {
      const tool = toolOf(value, runtime);
      if (tool === undefined) continue;
      const problem = toolProblem(tool);
      if (problem === undefined) tools.push(tool);
      else problems.push(`"${name}" cannot be used: ${problem}`);
    } catch (thrown) {
      problems.push(`"${name}" cannot be made: ${errorMessage(thrown)}`);
    }
  }
  // A class beside an instance of it is the same tool.
  const classes = new Set(
    exportedValues(exports).flatMap(([, value]) => (value instanceof BaseTool ? [value.constructor] : [])),
  );
  const isTwice = (tool: BaseTool): boolean => classes.has(tool.constructor) && !Object.values(exports).includes(tool);
  const kept = tools.filter((tool) => tool instanceof DefinedTool || !isTwice(tool));
  if (kept.length > 0 || problems.length > 0) return { tools: kept, problems };
  const names = exportedValues(exports).map(([name]) => name);
  const had = names.length === 0 ? 'nothing' : `no tool (but ${names.slice(0, 5).join(', ')})`;
  return {
    tools,
    problems: [
      `it exports ${had}. A tool is what defineTool() of @tenon/core returns, or a class that extends BaseDeclarativeTool. A file that others only import belongs in a folder below, or gets a name that begins with "_"`,
    ],
  };
}

/** Each value once, whatever it is called. */
function exportedValues(exports: Exports): readonly (readonly [string, unknown])[] {
  const seen = new Set<unknown>();
  const values: [string, unknown][] = [];
  const take = (name: string, value: unknown): void => {
    if (!seen.has(value)) values.push([name, value]);
    seen.add(value);
  };
  // In CommonJS the definition may be the module.
  if (isDefinition(exports)) take('module.exports', exports);
  else for (const name of Object.keys(exports)) take(name, exports[name]);
  // In a default export of a CommonJS module there may be several.
  return values;
}

function toolOf(value: unknown, runtime: ToolRuntime): BaseTool | undefined {
  if (value instanceof BaseTool) return value;
  if (isToolClass(value)) return new value(runtime);
  return isDefinition(value) ? new DefinedTool(value, runtime) : undefined;
}

type ToolClass = new (runtime: ToolRuntime) => BaseTool;

function isToolClass(value: unknown): value is ToolClass {
  return typeof value === 'function' && value.prototype instanceof BaseTool;
}

const KINDS: ReadonlySet<unknown> = new Set(Object.values(Kind));

/** Why a tool cannot be offered; undefined when it can. */
export function toolProblem(tool: BaseTool): string | undefined {
  const { name, displayName, description, kind, schema } = tool as Readonly<Record<keyof BaseTool, unknown>>;
  if (typeof name !== 'string' || !PLAIN.test(name))
    return `its name ${JSON.stringify(name)} is not made of 1 to 64 letters, digits, "_" and "-"`;
  const subject = subjectOf(name);
  if (name.includes('__') || subject.by !== 'tool' || subject.prefix || subject.name !== name)
    return `its name "${name}" means something else in rules`;
  if (typeof description !== 'string' || description.trim() === '') return 'it has no description';
  if (description.length > LONGEST_DESCRIPTION)
    return `its description has more than ${LONGEST_DESCRIPTION} characters`;
  if (typeof displayName !== 'string' || displayName.trim() === '') return 'its displayName is no text';
  if (!KINDS.has(kind)) return `its kind ${JSON.stringify(kind)} is none of ${Array.from(KINDS).join(', ')}`;
  if (!isObject(schema)) return 'its parameters are no JSON Schema';
  const problems = checkSchema(schema);
  return problems.length === 0 ? undefined : `its parameters are no sound JSON Schema. ${problems.join(' ')}`;
}
