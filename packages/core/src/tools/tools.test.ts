import { describe, expect, it } from 'vitest';
import {
  BaseDeclarativeTool,
  BaseTool,
  BaseToolInvocation,
  Kind,
  RunInvocation,
  ToolError,
  ToolErrorType,
  toParts,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  type ToolResultDisplay,
  type UpdateOutput,
} from './tools.js';
import type { Effect } from '../effects/effect.js';

interface GreetParams {
  readonly name: string;
  readonly times?: number;
}

class GreetInvocation extends BaseToolInvocation<GreetParams, ToolResult> {
  getDescription(): string {
    return `greet ${this.params.name}`;
  }
  override toolLocations(): ToolLocation[] {
    return [{ path: `/greetings/${this.params.name}`, line: 1 }];
  }
  override async shouldConfirmExecute(signal: AbortSignal): Promise<ToolCallConfirmationDetails | false> {
    signal.throwIfAborted();
    return this.params.name === 'boss' ? { type: 'info', title: 'Confirm Greeting', prompt: 'boss' } : false;
  }
  async execute(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const times = this.params.times ?? 1;
    for (let step = 0; step < times; step++) {
      signal.throwIfAborted();
      if (updateOutput) updateOutput({ status: `Step ${step + 1}/${times}`, progress: step / times });
    }
    return { llmContent: ['Success: hello ', { text: this.params.name }], returnDisplay: '**hello**' };
  }
}

class GreetTool extends BaseDeclarativeTool<GreetParams, ToolResult> {
  static readonly Name = 'greet';
  constructor() {
    super('greet', 'Greet', 'Greets somebody.', Kind.Read, {
      type: 'object',
      properties: { name: { type: 'string', description: 'Whom' }, times: { type: 'integer', minimum: 1 } },
      required: ['name'],
    });
  }
  protected override validateToolParamValues({ name }: GreetParams): string | { code: string; message: string } | null {
    if (name === 'nobody') return { code: 'path_not_in_workspace', message: 'there is no nobody' };
    return name.length === 0 ? 'name must not be empty' : null;
  }
  protected createInvocation(params: GreetParams): ToolInvocation<GreetParams, ToolResult> {
    return new GreetInvocation(params);
  }
}

const never = new AbortController().signal;

describe('the contract of a tool', () => {
  const tool = new GreetTool();

  it('stands on BaseTool, with name, display name, description, schema and kind (S10, S11, S12, S14, S15, S26, S27)', () => {
    expect(tool).toBeInstanceOf(BaseTool);
    expect(tool).toBeInstanceOf(BaseDeclarativeTool);
    expect(tool).toMatchObject({ name: 'greet', displayName: 'Greet', description: 'Greets somebody.', kind: 'read' });
    expect(tool.parameterSchema).toBe(tool.schema);
    expect([tool.isOutputMarkdown, tool.canUpdateOutput]).toEqual([false, false]);
  });

  it('has the three kinds of the specification, by their values (S12, S31)', () => {
    expect(Kind).toMatchObject({ Read: 'read', Edit: 'edit', Other: 'other' });
  });

  it('checks the schema first and then its own rules (S28, S30)', () => {
    expect(tool.validateToolParams({ name: 'x' })).toBeNull();
    expect(tool.validateToolParams({ name: '' })).toBe('name must not be empty');
    expect(tool.validateToolParams({ name: '', times: 0 })).toContain('/times');
  });

  it('builds an invocation that holds the parameters and throws for bad ones (S29, S36)', () => {
    expect(tool.build({ name: 'x' }).params).toEqual({ name: 'x' });
    expect(() => tool.build({ name: '' })).toThrow(ToolError);
  });

  it('invokes without throwing: bad parameters give the error as the result (S37, S40)', async () => {
    const result = await tool.invoke({ name: '' }).execute(never);
    expect(result.error).toEqual({ message: 'name must not be empty', type: 'invalid_tool_params' });
    expect(result.llmContent).toBe('name must not be empty');
  });

  it('passes the code of a refusal on, and the message alone where only that is asked for', async () => {
    expect(tool.validateToolParams({ name: 'nobody' })).toBe('there is no nobody');
    expect((await tool.invoke({ name: 'nobody' }).execute(never)).error).toEqual({
      message: 'there is no nobody',
      type: 'path_not_in_workspace',
    });
    expect(() => tool.build({ name: 'nobody' })).toThrow(expect.objectContaining({ code: 'path_not_in_workspace' }));
  });

  it('describes, locates, confirms and executes (S32, S33, S34, S35, S46)', async () => {
    const invocation = tool.invoke({ name: 'boss' });
    expect(invocation.getDescription()).toBe('greet boss');
    expect(invocation.toolLocations?.()).toEqual([{ path: '/greetings/boss', line: 1 }]);
    expect(await invocation.shouldConfirmExecute?.(never)).toMatchObject({ type: 'info' });
    expect(await tool.invoke({ name: 'x' }).shouldConfirmExecute?.(never)).toBe(false);
    expect((await invocation.execute(never)).returnDisplay).toBe('**hello**');
  });

  it('offers the same steps on the tool itself, for given parameters (S25, S30)', async () => {
    expect(tool.getDescription({ name: 'x' })).toBe('greet x');
    expect(await tool.shouldConfirmExecute({ name: 'boss' }, never)).toMatchObject({ title: 'Confirm Greeting' });
    expect((await tool.execute({ name: '' }, never)).error?.type).toBe(ToolErrorType.INVALID_TOOL_PARAMS);
  });

  it('reports progress to whoever listens, and to nobody otherwise (S43)', async () => {
    const seen: ToolResultDisplay[] = [];
    await tool.invoke({ name: 'x', times: 2 }).execute(never, (output) => seen.push(output));
    expect(seen).toEqual([
      { status: 'Step 1/2', progress: 0 },
      { status: 'Step 2/2', progress: 0.5 },
    ]);
    expect((await tool.invoke({ name: 'x', times: 2 }).execute(never)).error).toBeUndefined();
  });

  it('returns text, a part, or a mixed list (S38, S41)', async () => {
    expect(toParts((await tool.invoke({ name: 'x' }).execute(never)).llmContent)).toEqual([
      { text: 'Success: hello ' },
      { text: 'x' },
    ]);
    const image = { inlineData: { data: 'AA==', mimeType: 'image/png' } };
    expect(toParts(image)).toEqual([image]);
    expect(toParts('text')).toEqual([{ text: 'text' }]);
  });
});

describe('a tool that throws', () => {
  class Throwing extends RunInvocation<{ readonly what: unknown }> {
    getDescription(): string {
      return 'throws';
    }
    effects(): Effect[] {
      return [];
    }
    protected async run(): Promise<ToolResult> {
      throw this.params.what;
    }
  }
  const outcome = (what: unknown, signal = never): Promise<ToolResult> => new Throwing({ what }).execute(signal);

  it('ends in an error result with the code of what was thrown (S40, S46)', async () => {
    expect((await outcome(new ToolError('file_not_found', 'gone'))).error).toEqual({
      message: 'gone',
      type: 'file_not_found',
    });
    expect((await outcome(new Error('odd'))).error).toEqual({ message: 'odd', type: 'execution_failed' });
    expect((await outcome(undefined)).error?.message).toBe('undefined');
  });

  it('is cancelled when its signal was (S42)', async () => {
    const controller = new AbortController();
    controller.abort();
    expect((await outcome(new Error('odd'), controller.signal)).error?.type).toBe('cancelled');
  });
});

describe('building of what the schema was found to accept', () => {
  it('asks the rules beyond the schema, and refuses as `build` does', () => {
    const tool = new GreetTool();
    expect(tool.buildValid({ name: 'you' }).params).toEqual({ name: 'you' });
    const refused = { code: 'path_not_in_workspace', message: 'there is no nobody' };
    expect(() => tool.buildValid({ name: 'nobody' })).toThrow(expect.objectContaining(refused));
    expect(() => tool.buildValid({ name: '' })).toThrow('name must not be empty');
  });

  it('asks a tool that checks or builds in a way of its own', () => {
    class Strict extends GreetTool {
      override validateToolParams({ name }: GreetParams): string | null {
        return name === 'you' ? 'not you' : null;
      }
    }
    class Builder extends GreetTool {
      override build(params: GreetParams): ToolInvocation<GreetParams, ToolResult> {
        return super.build({ ...params, times: 2 });
      }
    }
    expect(() => new Strict().buildValid({ name: 'you' })).toThrow('not you');
    expect(new Builder().buildValid({ name: 'you' }).params).toEqual({ name: 'you', times: 2 });
  });
});
