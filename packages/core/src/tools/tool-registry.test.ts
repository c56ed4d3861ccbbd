import { describe, expect, it } from 'vitest';
import { ToolRegistry } from './tool-registry.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from './tools.js';

class NamedTool extends BaseDeclarativeTool<object, ToolResult> {
  constructor(name: string, schema: object = { type: 'object' }, description = '') {
    super(name, name, description, Kind.Other, schema);
  }
  protected createInvocation(): ToolInvocation<object, ToolResult> {
    throw new Error('not called here');
  }
}

describe('ToolRegistry', () => {
  it('adds, finds and lists tools, and tells the model about them in order (S16, S22, S128)', () => {
    const registry = new ToolRegistry();
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const [first, second] = [new NamedTool('first', schema, 'one'), new NamedTool('second')];
    registry.registerTool(first);
    registry.registerTool(second);
    expect(registry.getTool('first')).toBe(first);
    expect(registry.getTool('third')).toBeUndefined();
    expect(registry.getAllTools()).toEqual([first, second]);
    expect(registry.getToolsForModel()[0]).toEqual({ name: 'first', description: 'one', parameters: schema });
  });

  it('replaces a tool by another of its name, in its place (S129)', () => {
    const registry = new ToolRegistry();
    registry.registerTool(new NamedTool('same'));
    registry.registerTool(new NamedTool('other'));
    const replacement = new NamedTool('same');
    registry.registerTool(replacement);
    expect(registry.getTool('same')).toBe(replacement);
    expect(registry.getAllTools().map((tool) => tool.name)).toEqual(['same', 'other']);
  });

  it.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('takes %s for just a name', (name) => {
    const registry = new ToolRegistry();
    expect(registry.getTool(name)).toBeUndefined();
    const tool = new NamedTool(name);
    registry.registerTool(tool);
    expect(registry.getTool(name)).toBe(tool);
  });

  it('refuses a tool whose schema does not compile, with the reason', () => {
    const registry = new ToolRegistry();
    const broken = new NamedTool('broken', { type: 'object', properties: { a: { type: 'strng' } } });
    expect(() => registry.registerTool(broken)).toThrow(/Tool "broken" was not registered.*\/properties\/a\/type/s);
    expect(registry.getAllTools()).toEqual([]);
  });
});
