import { checkSchema } from '../schema/check-schema.js';
import { Failure } from '../util/failure.js';
import type { BaseTool } from './tools.js';

/** A tool as models are told about it (S22). */
export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

/** The tools of one agent, in the order they were registered (S128, S129). */
export class ToolRegistry {
  // A Map, not an object: `toString` and `__proto__` are just names here.
  private readonly tools = new Map<string, BaseTool>();

  /**
   * Adds a tool; one of the same name is replaced.
   * @throws Failure `invalid_tool_schema` when the schema does not compile: validation is never skipped.
   */
  registerTool(tool: BaseTool): void {
    const problems = checkSchema(tool.schema);
    if (problems.length > 0) {
      throw new Failure(
        'invalid_tool_schema',
        `Tool "${tool.name}" was not registered: its parameter schema is not valid JSON Schema. ${problems.join(' ')}`,
      );
    }
    this.tools.set(tool.name, tool);
  }

  getTool(name: string): BaseTool | undefined {
    return this.tools.get(name);
  }

  getAllTools(): BaseTool[] {
    return Array.from(this.tools.values());
  }

  getToolsForModel(): FunctionDeclaration[] {
    return this.getAllTools().map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.schema,
    }));
  }
}
