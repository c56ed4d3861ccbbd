import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as core from './index.js';
import {
  ApprovalMode,
  BaseDeclarativeTool,
  BaseToolInvocation,
  createToolSystem,
  defineTool,
  getCorrectedFileContent,
  Kind,
  ToolConfirmationOutcome,
  ToolRegistry,
  type CallEvent,
  type ToolInvocation,
  type ToolResult,
  type ToolSystem,
  type ToolSystemOptions,
  type UpdateOutput,
} from './index.js';
import { createFakeApprover, createTempConfig, createTempWorkspace, type TempWorkspace } from './testing/index.js';

// What documents A to E say, tried by someone who knows only their text and the public names.

interface WordParams {
  word: string;
}

const SCHEMA = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };

/** Exactly the members that document A's interface lists as required. */
class BareInvocation implements ToolInvocation<WordParams, ToolResult> {
  readonly #word: string;
  constructor({ word }: WordParams) {
    this.#word = word;
  }
  getDescription(): string {
    return `say ${this.#word}`;
  }
  async execute(): Promise<ToolResult> {
    return { llmContent: `said ${this.#word}` };
  }
}

class BareTool extends BaseDeclarativeTool<WordParams, ToolResult> {
  constructor() {
    super('say', 'Say', 'Says a word.', Kind.Other, SCHEMA);
  }
  protected createInvocation(params: WordParams): ToolInvocation<WordParams, ToolResult> {
    return new BareInvocation(params);
  }
}

class StepsInvocation extends BaseToolInvocation<WordParams, ToolResult> {
  getDescription(): string {
    return 'steps';
  }
  override async shouldConfirmExecute(): Promise<false> {
    return false;
  }
  async execute(_signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    if (updateOutput) updateOutput({ status: 'Step 1/2', progress: 0.5 });
    return { llmContent: 'done', returnDisplay: '**done**' };
  }
}

class StepsTool extends BaseDeclarativeTool<WordParams, ToolResult> {
  constructor(name: string, isOutputMarkdown: boolean, canUpdateOutput: boolean) {
    super(name, name, 'Works in steps.', Kind.Other, SCHEMA, isOutputMarkdown, canUpdateOutput);
  }
  protected createInvocation(params: WordParams): ToolInvocation<WordParams, ToolResult> {
    return new StepsInvocation(params);
  }
}

const shout = defineTool<WordParams>({
  name: 'shout',
  description: 'Shouts a word.',
  parameters: SCHEMA,
  effects: () => [],
  execute: ({ word }, { root }) => `${word.toUpperCase()} in ${path.basename(root)}`,
});

describe('the tools system', () => {
  let workspace: TempWorkspace;
  const toClose: ToolSystem[] = [];
  beforeAll(async () => {
    workspace = await createTempWorkspace({ 'work/a.txt': 'one\n', 'home/.keep': '' });
  });
  afterEach(async () => {
    for (const system of toClose.splice(0)) await system.close();
  });
  afterAll(() => workspace.remove());

  async function system(options: Partial<ToolSystemOptions> = {}): Promise<ToolSystem> {
    const made = await createToolSystem({
      roots: [workspace.path('work')],
      tenonHome: workspace.path('home'),
      userHome: workspace.path('home'),
      approvalMode: ApprovalMode.DEFAULT,
      rules: [],
      environment: {},
      ...options,
    });
    toClose.push(made);
    return made;
  }

  async function run(made: ToolSystem, toolName: string, args: object = { word: 'hi' }): Promise<CallEvent[]> {
    const events: CallEvent[] = [];
    const call = { callId: '1', toolName, argumentsText: JSON.stringify(args) };
    for await (const event of made.runCalls([call], new AbortController().signal)) events.push(event);
    return events;
  }

  it('runs an invocation that has only what document A requires of one (S32, S35, S37)', async () => {
    const { approver, requests } = createFakeApprover([ToolConfirmationOutcome.ProceedOnce]);
    const events = await run(await system({ extraTools: () => [new BareTool()], approver }), 'say');
    expect(requests).toMatchObject([{ toolName: 'say', description: 'say hi' }]);
    expect(events.at(0)).toMatchObject({ type: 'tool-call-start', args: { word: 'hi' } });
    expect(events.at(-1)).toMatchObject({ status: 'success', content: [{ text: 'said hi' }] });
  });

  it('takes what defineTool returns wherever it takes a tool (S4, S49, S136)', async () => {
    const made = await system({ extraTools: () => [shout] });
    expect((await run(made, 'shout')).at(-1)).toMatchObject({ content: [{ text: 'HI in work' }] });
    made.config.getToolRegistry().registerTool({ ...shout, name: 'shout_too' });
    expect((await run(made, 'shout_too')).at(-1)).toMatchObject({ content: [{ text: 'HI in work' }] });
    const refused = 'Tool "shout" was not registered: defineTool needs the registry of a Config.';
    expect(() => new ToolRegistry().registerTool(shout)).toThrow(refused);
  });

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('isOutputMarkdown %s and canUpdateOutput %s do what they say (S27, S43)', async (isMarkdown, canUpdate) => {
    const events = await run(
      await system({ extraTools: () => [new StepsTool('steps', isMarkdown, canUpdate)] }),
      'steps',
    );
    expect(events.some(({ type }) => type === 'tool-call-update')).toBe(canUpdate);
    const end = events.find((event) => event.type === 'tool-call-end');
    expect([end?.display, end?.isMarkdown]).toEqual(['**done**', isMarkdown ? true : undefined]);
  });

  it('exports the class of every tool that it registers (S13, S14, S19)', async () => {
    const exported: ReadonlySet<unknown> = new Set(Object.values(core));
    const tools = (await system()).config.getToolRegistry().getAllTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter((tool) => !exported.has(tool.constructor)).map(({ name }) => name)).toEqual([]);
    for (const name of ['DiscoveredTool', 'DiscoveredMCPTool', 'ToolSearchTool', 'McpResourceTool'])
      expect(core).toHaveProperty(name);
  });

  it('exports getCorrectedFileContent, whose original content is a text also where there is no file (S57)', async () => {
    const { config, workspace: own, remove } = await createTempConfig({ entries: { 'a.txt': 'one\r\n' } });
    try {
      expect(await getCorrectedFileContent(config, own.path('a.txt'), 'two\n')).toEqual({
        originalContent: 'one\r\n',
        correctedContent: 'two\r\n',
      });
      expect(await getCorrectedFileContent(config, own.path('new.txt'), 'two\n')).toEqual({
        originalContent: '',
        correctedContent: 'two\n',
      });
    } finally {
      await remove();
    }
  });
});
