import { type Config, ToolError, ToolRegistry } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { MyTool, type MyToolParams } from './my-tool.js';

const signal = new AbortController().signal;

/** Parameters as a model may send them, whatever their type. */
const sent = (params: object): MyToolParams => params as MyToolParams;

describe('MyTool in a registry', () => {
  const tool = new MyTool({} as Config);
  const registry = new ToolRegistry();
  registry.registerTool(tool);

  it('is registered in one line and told to the model as it declares itself (S22, S44, S45, S49)', () => {
    expect(registry.getTool(MyTool.Name)).toBe(tool);
    expect(registry.getToolsForModel()).toEqual([
      { name: 'my_tool', description: 'Description of what my tool does', parameters: tool.schema },
    ]);
    expect(tool.schema).toMatchObject({ type: 'object', required: ['requiredParam'] });
  });

  it('refuses parameters by its schema first, then by its own rule, and runs valid ones (S23, S47, S50)', async () => {
    const bySchema = await tool.invoke(sent({ optionalParam: 'many' })).execute(signal);
    expect(bySchema.error?.message).toContain(
      '`/requiredParam` is required but missing: a string (Description for the model)',
    );
    expect(bySchema.error?.message).toContain('`/optionalParam` (Optional parameter) must be a number');
    const byRule = await tool.invoke({ requiredParam: '' }).execute(signal);
    expect(byRule.error).toEqual({ type: 'invalid_tool_params', message: 'requiredParam must not be empty' });
    expect(() => tool.build({ requiredParam: '' })).toThrow(ToolError);
    const ran = await tool.invoke({ requiredParam: 'test' }).execute(signal);
    expect(ran).toEqual({ llmContent: 'Success: result', returnDisplay: 'result' });
  });

  it('describes a call before it runs (S30, S32)', () => {
    expect(tool.getDescription({ requiredParam: 'test' })).toBe('My tool: test');
  });

  it('is refused when its schema is not sound', () => {
    const broken = new MyTool({} as Config);
    Object.assign(broken.schema, { required: 'requiredParam' });
    expect(() => registry.registerTool(broken)).toThrow('`/required` must be an array of property names');
  });
});
