import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otherToolsHint } from './find-tool.js';
import { offersTool } from './offered-tools.js';
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

const names = (registry: ToolRegistry): string[] => registry.getAllTools().map((tool) => tool.name);

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

  it('takes a tool out, and gives it its place back when it comes again', () => {
    const registry = new ToolRegistry();
    for (const name of ['a', 'b', 'c']) registry.registerTool(new NamedTool(name));
    expect(registry.removeTool('b')).toBe(true);
    expect([registry.removeTool('b'), registry.removeTool('z')]).toEqual([false, false]);
    expect(registry.getTool('b')).toBeUndefined();
    expect(names(registry)).toEqual(['a', 'c']);
    registry.registerTool(new NamedTool('d'));
    registry.registerTool(new NamedTool('b'));
    expect(names(registry)).toEqual(['a', 'b', 'c', 'd']);
    expect(registry.getToolsForModel().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keeps the order of any tools that stay, whatever comes and goes (property)', () => {
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e'), isRemoved: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const registry = new ToolRegistry();
        for (const { name, isRemoved } of steps) {
          const before = names(registry);
          if (isRemoved) registry.removeTool(name);
          else registry.registerTool(new NamedTool(name));
          const after = names(registry);
          expect(after.includes(name)).toBe(!isRemoved);
          expect(after.filter((each) => each !== name)).toEqual(before.filter((each) => each !== name));
        }
      }),
    );
  });

  it('gives up the places of tools that are gone when there are very many', () => {
    const registry = new ToolRegistry();
    registry.registerTool(new NamedTool('first'));
    registry.registerTool(new NamedTool('second'));
    registry.removeTool('first');
    for (let index = 0; index < 20_000; index += 1) {
      registry.registerTool(new NamedTool(`t${index}`));
      registry.removeTool(`t${index}`);
    }
    registry.registerTool(new NamedTool('first'));
    expect(names(registry)).toEqual(['second', 'first']);
  });

  it('tells its listeners of every change until they leave', () => {
    const registry = new ToolRegistry({ without: ['out'] });
    let heard = 0;
    const leave = registry.onChange(() => {
      heard += 1;
    });
    registry.registerTool(new NamedTool('a'));
    registry.registerTool(new NamedTool('a'));
    registry.removeTool('a');
    registry.removeTool('a');
    registry.registerTool(new NamedTool('out'));
    expect(heard).toBe(3);
    leave();
    leave();
    registry.registerTool(new NamedTool('a'));
    expect(heard).toBe(3);
  });

  it('finds the tool of a server by its other spelling, and by its own name where one server has it', () => {
    const registry = new ToolRegistry();
    for (const name of ['edit', 'git__log', 'hub__search', 'wiki__search', 'mcp__odd', 'files__edit', 'files__glob'])
      registry.registerTool(new NamedTool(name));
    const found = (name: string): string | undefined => registry.findTool(name)?.name;
    expect(['git__log', 'mcp__git__log', 'log', 'mcp__odd'].map(found)).toEqual([
      'git__log',
      'git__log',
      'git__log',
      'mcp__odd',
    ]);
    expect(['search', 'mcp__git', 'mcp__log', 'mcp__edit', 'it__log', '', '__log'].map(found)).toEqual(
      Array.from({ length: 7 }),
    );
    // A built-in tool that is not offered stays away, whatever a server has.
    expect([found('edit'), found('glob'), found('mcp__files__glob')]).toEqual(['edit', undefined, 'files__glob']);
    expect(registry.getTool('mcp__git__log')).toBeUndefined();
  });

  it('lets in what is offered only, early or late', () => {
    const offered = { without: ['srv__*', 'mcp__other', 'edit', 'lookup'] };
    const registry = new ToolRegistry(offered);
    const all = ['edit', 'read_file', 'srv__a', 'other__b', 'others__c', 'lookup', 'mcp__edit', 'x__edit'];
    for (const name of all) registry.registerTool(new NamedTool(name));
    expect(names(registry)).toEqual(['read_file', 'others__c', 'mcp__edit', 'x__edit']);
  });
});

describe('which tools are offered', () => {
  it('limits the built-in ones by a list of their names, and those of servers where it names some', () => {
    const all = ['read_file', 'edit', 'tool_search', 'other_tool', 'srv__a', 'srv__b', 'x__y'];
    const left = (only: readonly string[], without: readonly string[] = []): string[] =>
      all.filter(offersTool({ only, without }));
    expect(left(['edit'])).toEqual(['edit', 'tool_search', 'other_tool', 'srv__a', 'srv__b', 'x__y']);
    expect(left(['edit', 'srv__a'])).toEqual(['edit', 'tool_search', 'other_tool', 'srv__a']);
    expect(left(['edit', 'mcp__srv'])).toEqual(['edit', 'tool_search', 'other_tool', 'srv__a', 'srv__b']);
    expect(left(['edit', 'mcp__*'], ['mcp__x__y'])).toEqual(['edit', 'tool_search', 'other_tool', 'srv__a', 'srv__b']);
    expect(left([], ['mcp__*', 'tool_search'])).toEqual(['other_tool']);
    expect(left([], ['a', 'b', 'edit'])).toEqual(['tool_search', 'other_tool', 'x__y']);
  });
});

describe('the hint at a name that no tool has', () => {
  const tools = (...list: string[]): { name: string }[] => list.map((name) => ({ name }));

  it('names what may be meant', () => {
    expect(otherToolsHint('search', tools('a__search', 'b__search'))).toBe('It may be one of a__search, b__search.');
    expect(otherToolsHint('mcp__c__search', tools('a__search', 'b__search'))).toContain('a__search, b__search');
    for (const [peer, own] of [
      ['Read', 'read_file'],
      ['bash', 'run_shell_command'],
      ['Bash', 'run_shell_command'],
      ['Write', 'write_file'],
      ['LS', 'list_directory'],
      ['MultiEdit', 'edit'],
    ] as const)
      expect(otherToolsHint(peer, tools('edit', own))).toBe(`Here it is called ${own}.`);
    expect(otherToolsHint('Read', tools('edit'))).toBe('The tools are edit.');
    expect(otherToolsHint('raed_file', tools('read_file', 'edit'))).toBe('The nearest names are read_file.');
    expect(otherToolsHint('zzzzzz', tools('read_file', 'edit', 'a__b'))).toBe(
      'The tools are read_file, edit and 1 of servers.',
    );
  });

  it('is short, however many tools there are', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `s__t${index}`);
    expect(otherToolsHint('zzzzzz', tools(...many)).length).toBeLessThan(300);
    const plain = Array.from({ length: 10_000 }, (_, index) => `tool_number_${index}`);
    expect(otherToolsHint('?', tools(...plain)).length).toBeLessThan(1500);
    expect(otherToolsHint('x', tools(...many.map((_, index) => `s${index}__x`))).length).toBeLessThan(1500);
  });
});
