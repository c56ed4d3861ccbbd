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
import { estimateTokens } from './output/estimate-tokens.js';
import { ownToolNames } from './testing/own-tools.js';
import { createFakeApprover, createTempConfig, createTempWorkspace, type TempWorkspace } from './testing/index.js';

// Tests documents A to E from their text and the public names alone.

interface WordParams {
  word: string;
}

const SCHEMA = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };

/** An invocation with exactly the members that document A's interface requires. */
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
    for (const made of toClose.splice(0)) await made.close();
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

  it.each([
    ['seq 30000', 30_000],
    ['seq 4000', 4_000],
    ['seq 30000 | sed s/^/漢字/', 30_000],
  ])('gives of a long output no more than a read would, in whole lines with both ends: %s', async (command, last) => {
    const shell = { rules: [{ list: 'allow', text: 'Bash(*)', origin: 'test' }] as const };
    const made = await system({ ...shell, environment: { PATH: '/usr/bin:/bin' } });
    const end = (await run(made, 'run_shell_command', { command })).find((event) => event.type === 'tool-call-end');
    const text = end?.content.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
    expect(estimateTokens(text)).toBeLessThanOrEqual(11_400);
    const lines = text.split('\n');
    const numbers = lines.filter((line) => /^漢?字?\d+$/.test(line)).map((line) => Number(/\d+/.exec(line)?.[0]));
    expect([numbers.at(0), numbers.at(-1)]).toEqual([1, last]);
    expect(numbers.length).toBeGreaterThan(500);
    // No number is cut: each is one more than the one before, except the first after the gap.
    expect(numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1).length).toBeLessThanOrEqual(
      1,
    );
    if (last > 4_000) expect(text).toMatch(/bytes .*(?:in|are in) \S+.* (?:read_file|Open it with)/);
  });

  it('gives of a minified line the first 2,000 characters, and the way to the rest (S73)', async () => {
    const file = workspace.path('work/min.js');
    await workspace.write({ 'work/min.js': `// head\n${'ab;'.repeat(20_000)}\nlast\n` });
    const made = await system();
    const read = async (args: object): Promise<string> => {
      const end = (await run(made, 'read_file', { absolute_path: file, ...args })).at(-1);
      return end?.type === 'tool-call-end' ? end.content.map((part) => ('text' in part ? part.text : '')).join('') : '';
    };
    expect(await read({})).toContain('1→// head\n\n[Lines 1-1 of 3 are shown. To go on, use offset: 1.]');
    const start = await read({ offset: 1 });
    expect(start.length).toBeLessThan(2_300);
    expect(start).toContain('To go on in it, use offset: 1, column: 2000. The next line is offset: 2.');
    expect((await read({ offset: 1, column: 2000 })).length).toBeGreaterThan(20_000);
    expect(await read({ offset: 2 })).toContain('3→last');
    await workspace.write({ 'work/min.js': 'prose in one line '.repeat(1_000) });
    expect((await read({})).length).toBeGreaterThan(17_000);
  });

  it('says once in a session how it read the arguments', async () => {
    const made = await system();
    const notes: boolean[] = [];
    for (let call = 0; call < 3; call += 1) {
      const events = await run(made, 'read_file', {
        file_path: path.join(workspace.path('work'), 'a.txt'),
        limit: 1 + call,
      });
      notes.push(JSON.stringify(events.at(-1)).includes('`file_path` was read as `absolute_path`'));
    }
    expect(notes).toEqual([true, false, false]);
  });

  it.each([
    ['Read', {}, 'Here it is called read_file.'],
    ['bash', {}, 'Here it is called run_shell_command.'],
    ['lsp', { operation: 'references', symbol: 'x' }, 'was the string "references" (did you mean "findReferences"?)'],
    ['job_stop', {}, 'example: {"id":"job-3"}'],
    ['job_output', {}, 'example: {"id":"job-3"}'],
    ['web_fetch', { url: 'notaurl' }, 'This is no address: "notaurl". Write it whole: https://host/path'],
    ['web_fetch', { url: 'example.com/a' }, 'Write https://example.com/a'],
  ])('teaches a model that calls %s with %j', async (name, args, teaching) => {
    expect(JSON.stringify((await run(await system(), name, args)).at(-1)).replaceAll('\\"', '"')).toContain(teaching);
  });

  it('exports the class of every tool that it registers (S13, S14, S19)', async () => {
    const exported: ReadonlySet<unknown> = new Set(Object.values(core));
    const { config } = await system();
    const own = ownToolNames(config);
    expect(own.length).toBeGreaterThan(20);
    const tools = config
      .getToolRegistry()
      .getAllTools()
      .filter(({ name }) => own.includes(name));
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
