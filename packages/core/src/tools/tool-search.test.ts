import { describe, expect, it } from 'vitest';
import { ToolOffer } from './deferral/tool-offer.js';
import { ToolRegistry } from './tool-registry.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from './tools.js';

class SomeTool extends BaseDeclarativeTool<object, ToolResult> {
  override readonly from: string | undefined;

  constructor(name: string, from?: string, description = '') {
    super(name, name, description, Kind.Other, { type: 'object', properties: { value: { type: 'string' } } });
    this.from = from;
  }

  protected createInvocation(): ToolInvocation<object, ToolResult> {
    throw new Error('not called here');
  }
}

const NAME = 'tool_search';
const names = (offer: ToolOffer): string[] => offer.forModel().map(({ name }) => name);

function registryOf(...tools: SomeTool[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.registerTool(tool);
  return registry;
}

const github = (count: number): SomeTool[] =>
  Array.from(
    { length: count },
    (_, index) => new SomeTool(`github__tool_${index}`, 'github', `Does the thing ${index}`),
  );

async function search(registry: ToolRegistry, params: object): Promise<{ answer: Answer; text: string }> {
  const tool = registry.getTool(NAME);
  if (tool === undefined) throw new Error('no search is offered');
  expect(await tool.build(params).effects?.()).toEqual([]);
  const { llmContent } = await tool.build(params).execute(new AbortController().signal);
  const text = typeof llmContent === 'string' ? llmContent : '';
  return { answer: JSON.parse(text) as Answer, text };
}

interface Answer {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: object }[];
  readonly note?: string;
}

describe('tools behind the search', () => {
  it('are none while all fit: no search is offered then', () => {
    const registry = registryOf(new SomeTool('own'), ...github(3));
    const offer = new ToolOffer(registry);
    expect(names(offer)).toEqual(['own', 'github__tool_0', 'github__tool_1', 'github__tool_2']);
    expect(registry.getTool(NAME)).toBeUndefined();
  });

  it('are all of others when these do not fit; found and called ones come behind, and stay', async () => {
    const registry = registryOf(new SomeTool('own'), ...github(400), new SomeTool('lookup', 'discovered', 'Looks up'));
    const offer = new ToolOffer(registry);
    expect(names(offer)).toEqual(['own', NAME]);
    expect(registry.getTool(NAME)?.description).toContain('github (400), discovered (1).');
    const { answer } = await search(registry, { query: 'tool_7' });
    expect(answer.tools[0]).toEqual({
      name: 'github__tool_7',
      description: 'Does the thing 7',
      parameters: registry.getTool('github__tool_7')?.schema,
    });
    const found = answer.tools.map(({ name }) => name);
    expect(found.length).toBeLessThanOrEqual(5);
    expect(names(offer)).toEqual(['own', NAME, ...found]);
    offer.note(['lookup', 'mcp__github__tool_300', 'own', 'nothing', NAME]);
    expect(names(offer)).toEqual(['own', NAME, ...found, 'lookup', 'github__tool_300']);
    // A server that goes and comes back has its place again.
    registry.removeTool('lookup');
    expect(names(offer)).toEqual(['own', NAME, ...found, 'github__tool_300']);
    registry.registerTool(new SomeTool('lookup', 'discovered', 'Looks up'));
    registry.registerTool(new SomeTool('late'));
    expect(names(offer)).toEqual(['own', NAME, ...found, 'lookup', 'github__tool_300', 'late']);
  });

  it('are only those that come later, when what was offered fitted', () => {
    const registry = registryOf(new SomeTool('own'), ...github(2));
    const offer = new ToolOffer(registry, 1000);
    const before = names(offer);
    for (let index = 0; index < 50; index += 1) registry.registerTool(new SomeTool(`big__${index}`, 'big'));
    expect(names(offer)).toEqual([...before, NAME]);
    for (let index = 0; index < 50; index += 1) registry.removeTool(`big__${index}`);
    registry.registerTool(new SomeTool('small__a', 'small'));
    expect(names(offer)).toEqual([...before, NAME, 'small__a']);
  });

  it('are none where the search itself is not wanted', () => {
    const registry = new ToolRegistry({ without: [NAME] });
    for (const tool of github(30)) registry.registerTool(tool);
    const offer = new ToolOffer(registry, 10);
    expect(names(offer)).toHaveLength(30);
  });
});

describe('tool_search', () => {
  it('finds by name, and says which there is not', async () => {
    const registry = registryOf(...github(30));
    const offer = new ToolOffer(registry, 10);
    offer.forModel();
    const { answer } = await search(registry, {
      query: 'select: github__tool_3,tool_4 mcp__github__tool_5,tool_3,gone',
    });
    expect(answer.tools.map(({ name }) => name)).toEqual(['github__tool_3', 'github__tool_4', 'github__tool_5']);
    expect(answer.note).toBe('There is no tool named gone.');
    expect(names(offer)).toEqual([NAME, 'github__tool_3', 'github__tool_4', 'github__tool_5']);
  });

  it('says so when nothing is found', async () => {
    const registry = registryOf(...github(3));
    new ToolOffer(registry, 0).forModel();
    const { answer } = await search(registry, { query: 'weather' });
    expect(answer).toEqual({ tools: [], note: expect.stringContaining('Try other words') as string });
  });

  it('keeps its answer within bounds as whole declarations, and names what did not fit', async () => {
    const registry = registryOf(
      ...Array.from({ length: 10 }, (_, index) => new SomeTool(`s__big_${index}`, 's', `big ${'x'.repeat(15_000)}`)),
    );
    const offer = new ToolOffer(registry, 10);
    offer.forModel();
    const { answer, text } = await search(registry, { query: 'big', limit: 10 });
    expect(answer.tools).toHaveLength(2);
    expect(text.length).toBeLessThan(41_000);
    expect(answer.note).toContain('select:s__big_2,s__big_3');
    expect(names(offer)).toEqual([NAME, 's__big_0', 's__big_1']);
  });

  it('has a short description, however many servers there are, and the same one while they are the same', () => {
    const registry = registryOf(
      ...Array.from({ length: 300 }, (_, index) => new SomeTool(`server${index}__t`, `server${index}`)),
    );
    const offer = new ToolOffer(registry, 10);
    offer.forModel();
    const before = registry.getTool(NAME);
    expect(before?.description.length).toBeLessThan(1000);
    expect(before?.description).toMatch(/ and \d+ more servers\.$/);
    offer.note(['server9__t']);
    offer.forModel();
    expect(registry.getTool(NAME)).toBe(before);
  });
});
