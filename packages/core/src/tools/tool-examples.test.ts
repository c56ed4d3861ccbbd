import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { TodoWriteTool } from './todoWrite.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from './tools.js';

let temp: TempConfig;
beforeAll(async () => {
  temp = await createTempConfig();
});
afterAll(() => temp.remove());

const exampleIn = (problem: string | null): unknown => {
  const [, text] = / A (?:shortest )?valid example: (.*)$/s.exec(problem ?? '') ?? [];
  return text === undefined ? undefined : JSON.parse(text);
};

describe('the example in a message about parameters', () => {
  it('is one that the tool itself takes (S23)', () => {
    const tools = temp.config.getToolRegistry().getAllTools();
    expect(tools.length).toBeGreaterThan(20);
    const refused = tools.flatMap((tool) => {
      const example = exampleIn(tool.validateToolParams({ 'no such parameter': 1 }));
      if (example === undefined) return [`${tool.name}: none`];
      const problem = tool.validateToolParams(Object(example));
      return problem === null ? [] : [`${tool.name} ${JSON.stringify(example)}: ${problem}`];
    });
    // Without skills there is nothing that it takes.
    expect(refused).toEqual(['skill: none']);
  });

  it('empties no list', () => {
    const tool = new TodoWriteTool(temp.config);
    const problem = tool.validateToolParams(Object({ todos: ['Dig'] }));
    expect(exampleIn(problem)).toEqual({ todos: [{ content: expect.stringMatching(/\w/), status: 'pending' }] });
  });

  it('is left out where the shortest is refused and the tool brings none', () => {
    class Picky extends BaseDeclarativeTool<{ n: number }, ToolResult> {
      constructor() {
        super('picky', 'Picky', '', Kind.Other, {
          type: 'object',
          properties: { n: { type: 'number' } },
          required: ['n'],
        });
      }
      protected override validateToolParamValues({ n }: { n: number }): string | null {
        return n > 41 ? null : 'n is too small.';
      }
      protected createInvocation(): ToolInvocation<{ n: number }, ToolResult> {
        throw new Error('not called');
      }
    }
    expect(new Picky().validateToolParams(Object({ n: '' }))).not.toContain('example');
  });
});
