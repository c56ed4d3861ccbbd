import { getEventListeners } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import { contentHash } from '../files/write-handle.js';
import { WorkspaceGate } from '../files/workspace-gate.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { Rule } from '../policy/rule.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  RunInvocation,
  ToolConfirmationOutcome,
  type ToolCallConfirmationDetails,
  type ToolInvocation,
  type ToolResult,
  type UpdateOutput,
} from '../tools/tools.js';
import type { ApprovalAnswer, ApprovalRequest, Approver } from './approval.js';
import type { CallEvent } from './call-events.js';
import type { CallRequest } from './prepare-call.js';
import { CallStops } from './call-stop.js';
import { runCalls } from './scheduler.js';
import { DEFAULT_OUTPUT_LIMITS, NO_AGENT, type SchedulerServices } from './services.js';

interface StepParams {
  readonly reads?: string;
  readonly writes?: string;
  readonly text?: string;
  readonly ms?: number;
  readonly deaf?: boolean;
}

let base: string;
let root: string;
let timeline: string[];
/** How often effects were asked for. */
let stated = 0;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-scheduler-')));
  root = join(base, 'ws');
  mkdirSync(root);
  mkdirSync(join(base, 'tmp'));
  timeline = [];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A tool whose effects and duration are its parameters. */
class StepTool extends BaseDeclarativeTool<StepParams, ToolResult> {
  readonly #gate: WorkspaceGate;
  constructor(gate: WorkspaceGate) {
    const properties = {
      reads: { type: 'string' },
      writes: { type: 'string' },
      text: { type: 'string' },
      ms: { type: 'number' },
      deaf: { type: 'boolean' },
    };
    const schema = { type: 'object', properties, additionalProperties: false };
    super('step', 'Step', 'one step', Kind.Other, schema, false, true);
    this.#gate = gate;
  }
  protected createInvocation(params: StepParams): ToolInvocation<StepParams, ToolResult> {
    return new StepInvocation(params, this.#gate);
  }
}

class StepInvocation extends RunInvocation<StepParams> {
  readonly #gate: WorkspaceGate;
  #seen: string | undefined;
  constructor(params: StepParams, gate: WorkspaceGate) {
    super(params);
    this.#gate = gate;
  }
  getDescription(): string {
    return JSON.stringify(this.params);
  }
  effects(): Effect[] {
    const { reads, writes } = this.params;
    stated += 1;
    return [
      ...(reads === undefined ? [] : [{ kind: 'read', ...this.#place(reads) } as const]),
      ...(writes === undefined ? [] : [{ kind: 'write', ...this.#place(writes) } as const]),
    ];
  }
  #place(name: string): { path: string; requested: string; zone: 'workspace' } {
    const { path, requested } = this.#gate.resolve(join(root, name));
    return { path, requested, zone: 'workspace' };
  }
  async confirmationDetails(): Promise<ToolCallConfirmationDetails> {
    const path = join(root, this.params.writes ?? '');
    const bytes = await this.#gate.withTarget(path, (target) => target.readExisting());
    this.#seen = contentHash(bytes);
    const originalContent = bytes === null ? null : bytes.toString();
    return { type: 'edit', title: 'Step', fileDiff: '', originalContent, newContent: this.params.text ?? '' };
  }
  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const label = this.params.writes ?? this.params.reads ?? 'nothing';
    timeline.push(`start ${label}`);
    updateOutput?.({ status: 'started' });
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, this.params.ms ?? 0);
      if (this.params.deaf !== true) signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
    if (this.params.writes !== undefined) {
      const text = Buffer.from(this.params.text ?? '');
      await this.#gate.withTarget(join(root, this.params.writes), (target) => target.replace(text, this.#seen));
    }
    timeline.push(`end ${label}`);
    return { llmContent: `done ${label}` };
  }
}

/** Hands on the signal that its calls get. */
class SignalTool extends BaseDeclarativeTool<object, ToolResult> {
  readonly #take: (signal: AbortSignal) => void;
  constructor(take: (signal: AbortSignal) => void) {
    super('signal', 'Signal', 'takes its signal', Kind.Other, { type: 'object' });
    this.#take = take;
  }
  protected createInvocation(params: object): ToolInvocation<object, ToolResult> {
    return {
      params,
      getDescription: () => 'signal',
      effects: () => [],
      execute: async (signal) => {
        this.#take(signal);
        return { llmContent: 'taken' };
      },
    };
  }
}

interface Bench {
  readonly services: SchedulerServices;
  readonly asked: ApprovalRequest[];
  readonly granted: [readonly string[], string][];
}

function bench(
  answers?: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>,
  mode: ApprovalMode = ApprovalMode.DEFAULT,
  rules: Rule[] = [],
): Bench {
  const gate = new WorkspaceGate({
    roots: [root],
    tempDir: join(base, 'tmp'),
    ignore: new IgnoreRules(QWEN_IGNORE, [root]),
  });
  const registry = new ToolRegistry();
  registry.registerTool(new StepTool(gate));
  const asked: ApprovalRequest[] = [];
  const granted: [readonly string[], string][] = [];
  const approver: Approver = async (request) => {
    asked.push(request);
    return (await answers?.(request)) ?? { outcome: ToolConfirmationOutcome.Cancel };
  };
  const sessionRules = [...rules];
  const services: SchedulerServices = {
    caller: () => NO_AGENT,
    registry,
    gate,
    policyContext: () => ({ mode, rules: sessionRules, roots: [root], home: base }),
    grant: async (texts, scope) => {
      granted.push([texts, scope]);
      sessionRules.push(...texts.map((text): Rule => ({ list: 'allow', text, origin: 'this session' })));
    },
    approver: answers === undefined ? undefined : approver,
    spill: async (text) => {
      const file = join(base, 'tmp', 'spill.txt');
      writeFileSync(file, text);
      return file;
    },
    limits: DEFAULT_OUTPUT_LIMITS,
  };
  return { services, asked, granted };
}

const step = (params: StepParams, callId = JSON.stringify(params)): CallRequest => ({
  callId,
  toolName: 'step',
  argumentsText: JSON.stringify(params),
});

type End = Extract<CallEvent, { type: 'tool-call-end' }>;

async function ends(
  calls: readonly CallRequest[],
  { services }: Bench,
  signal = new AbortController().signal,
): Promise<End[]> {
  const found: End[] = [];
  for await (const event of runCalls(calls, services, signal)) if (event.type === 'tool-call-end') found.push(event);
  return found;
}

const textOf = (end: End | undefined): string =>
  (end?.content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
const once = { outcome: ToolConfirmationOutcome.ProceedOnce } as const;

describe('the life of a call', () => {
  it('goes through look-up, validation, approval, execution and response, and every call ends once (S5, S21, S25)', async () => {
    const made = bench(() => once);
    const events: string[] = [];
    for await (const event of runCalls(
      [step({ writes: 'a', text: 'x' }, 'c1')],
      made.services,
      new AbortController().signal,
    )) {
      events.push(event.type);
    }
    expect(events).toEqual([
      'tool-call-start',
      'approval-request',
      'approval-answer',
      'tool-call-update',
      'tool-call-end',
    ]);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('x');
  });

  it('looks once at what a call would do, and anew where a call that is still at work may have changed it', async () => {
    writeFileSync(join(root, 'a'), 'x');
    stated = 0;
    await ends([step({ reads: 'a' })], bench());
    expect(stated).toBe(1);
    await ends([step({ reads: 'a', ms: 20 }, '1'), step({ reads: 'a' }, '2')], bench());
    expect(stated).toBe(4);
  });

  it('leaves nothing behind on the signal, and aborts nothing that has ended', async () => {
    const { signal } = new AbortController();
    const made = bench();
    const aborted: unknown[] = [];
    made.services.registry.registerTool(
      new SignalTool((own) => own.addEventListener('abort', () => aborted.push(own))),
    );
    const call = { callId: 'c', toolName: 'signal', argumentsText: '{}' };
    for (let round = 0; round < 20; round++) await ends([call, step({ reads: 'a' })], made, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(aborted).toEqual([]);
  });

  it('answers an unknown tool with the nearest names, and names such as toString are just names', async () => {
    const made = bench();
    const [first, second] = await ends(
      [
        { callId: '1', toolName: 'stepp', argumentsText: '{}' },
        { callId: '2', toolName: 'toString', argumentsText: '{}' },
      ],
      made,
    );
    expect(first?.error?.type).toBe('tool_not_registered');
    expect(textOf(first)).toContain('step');
    expect(second?.error?.type).toBe('tool_not_registered');
  });

  it('refuses parameters that do not fit the schema, with what was expected and a valid example (S23)', async () => {
    const [end] = await ends([{ callId: '1', toolName: 'step', argumentsText: '{"ms":{}}' }], bench());
    expect(end?.error?.type).toBe('invalid_tool_params');
    expect(textOf(end)).toContain('/ms');
    const [cut] = await ends(
      [{ callId: '1', toolName: 'step', argumentsText: '{"writes":"a","text":"unfin' }],
      bench(),
    );
    expect(cut?.error?.type).toBe('invalid_tool_params');
    expect(textOf(cut)).toContain('cut');
  });

  it('shows a call that is not valid by what was sent, in one line, from its start to its end', async () => {
    const titlesOf = async (toolName: string, argumentsText: string): Promise<unknown[]> => {
      const titles: unknown[] = [];
      const calls = [{ callId: '1', toolName, argumentsText }];
      for await (const event of runCalls(calls, bench().services, new AbortController().signal)) {
        if (event.type === 'tool-call-start') titles.push(event.displayName, event.title);
        if (event.type === 'tool-call-end') titles.push(event.title);
      }
      return titles;
    };
    expect(await titlesOf('step', '{\n  "ms": {}\n}')).toEqual(['Step', '{ "ms": {} }', '{ "ms": {} }']);
    expect(await titlesOf('stepp', '{"ms":1}')).toEqual(['stepp', '{"ms":1}', '{"ms":1}']);
    expect(await titlesOf('stepp', ' ')).toEqual(['stepp', 'without arguments', 'without arguments']);
    const [, long] = await titlesOf('step', `{"text": "${'é'.repeat(1_000)}`);
    expect(long).toMatch(/^\{"text": "é{80,}…$/);
    expect(Buffer.byteLength(String(long))).toBeLessThanOrEqual(200);
  });

  it('tells the model about a repair', async () => {
    const [end] = await ends([{ callId: '1', toolName: 'step', argumentsText: '{"ms":"5"}' }], bench());
    expect(end?.status).toBe('success');
    expect(textOf(end)).toContain('`ms` was the string "5", read as 5');
  });
});

describe('side by side', () => {
  it('runs calls that do not conflict together, and those on one file in the order of the model', async () => {
    const made = bench(() => once, ApprovalMode.AUTO_EDIT);
    await ends(
      [
        step({ writes: 'a', text: '1', ms: 60 }),
        step({ writes: 'b', ms: 20 }),
        step({ writes: 'a', text: '2' }, 'again'),
        step({ reads: 'b' }),
      ],
      made,
    );
    expect(timeline.slice(0, 2)).toEqual(['start a', 'start b']);
    expect(timeline.indexOf('start b', 2)).toBeGreaterThan(timeline.indexOf('end b'));
    expect(timeline.lastIndexOf('start a')).toBeGreaterThan(timeline.indexOf('end a'));
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('2');
  });

  it('does not let one approval hold up an unrelated call', async () => {
    let answer: (given: ApprovalAnswer) => void = () => undefined;
    const made = bench(() => new Promise((resolve) => (answer = resolve)));
    const finished: string[] = [];
    for await (const event of runCalls(
      [step({ writes: 'a' }, 'asked'), step({ reads: 'b' }, 'free')],
      made.services,
      new AbortController().signal,
    )) {
      if (event.type !== 'tool-call-end') continue;
      finished.push(event.callId);
      if (event.callId === 'free') answer(once);
    }
    expect(finished).toEqual(['free', 'asked']);
  });

  it('looks at a path again after a call that it waited for', async () => {
    mkdirSync(join(base, 'outside'));
    const made = bench(() => once, ApprovalMode.AUTO_EDIT);
    const [first, second] = await ends(
      [step({ writes: 'd/f', ms: 10 }), step({ writes: 'd/f', text: 'x' }, 'second')],
      made,
    );
    expect(first?.status).toBe('success');
    expect(second?.status).toBe('success');
  });
});

describe('approval', () => {
  it('denies what needs approval when nobody can be asked, and names the rule that would allow it', async () => {
    const [end] = await ends([step({ writes: 'a' })], bench());
    expect(end?.status).toBe('denied');
    expect(end?.error?.type).toBe('execution_denied');
    expect(end?.alwaysRules?.length).toBeGreaterThan(0);
    expect(textOf(end)).toContain(JSON.stringify(end?.alwaysRules?.[0]));
  });

  it('passes the words of a person who declines on to the model (S53)', async () => {
    const made = bench(() => ({ outcome: ToolConfirmationOutcome.Cancel, feedback: 'use b instead' }));
    const [end] = await ends([step({ writes: 'a' })], made);
    expect(end?.status).toBe('denied');
    expect(textOf(end)).toContain('use b instead');
    expect(timeline).toEqual([]);
  });

  it('grants always for the session or the project, and does not ask again (S53)', async () => {
    const made = bench(() => ({ outcome: ToolConfirmationOutcome.ProceedAlways }));
    await ends([step({ writes: 'd/a' })], made);
    await ends([step({ writes: 'd/b' })], made);
    expect(made.asked).toHaveLength(1);
    expect(made.granted[0]?.[1]).toBe('session');
    const project = bench(() => ({ outcome: ToolConfirmationOutcome.ProceedAlwaysProject }));
    await ends([step({ writes: 'e/a' })], project);
    expect(project.granted[0]?.[1]).toBe('project');
  });

  it('asks again when what was shown has changed by the time of the answer', async () => {
    writeFileSync(join(root, 'a'), 'before');
    const made = bench((request) => {
      if (!request.changedSinceApproval) writeFileSync(join(root, 'a'), 'changed meanwhile');
      return once;
    });
    const [end] = await ends([step({ writes: 'a', text: 'mine' })], made);
    expect(made.asked.map((request) => request.changedSinceApproval)).toEqual([false, true]);
    expect(made.asked[1]?.details).toMatchObject({ originalContent: 'changed meanwhile' });
    expect(end?.status).toBe('success');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('mine');
  });

  it('asks again when the path leads elsewhere by the time of the answer, and never writes outside', async () => {
    mkdirSync(join(root, 'd'));
    mkdirSync(join(base, 'outside'));
    const made = bench(() => {
      rmSync(join(root, 'd'), { recursive: true });
      symlinkSync(join(base, 'outside'), join(root, 'd'));
      return once;
    });
    const [end] = await ends([step({ writes: 'd/f', text: 'x' })], made);
    expect(end?.error?.type).toBe('path_not_in_workspace');
    expect(() => readFileSync(join(base, 'outside', 'f'))).toThrow('ENOENT');
  });

  it('gives up on a file that changes with every question', async () => {
    let count = 0;
    const made = bench(() => {
      writeFileSync(join(root, 'a'), String(count++));
      return once;
    });
    const [end] = await ends([step({ writes: 'a', text: 'mine' })], made);
    expect(end?.status).toBe('denied');
    expect(readFileSync(join(root, 'a'), 'utf8')).not.toBe('mine');
  });

  it('lets a deny rule win in every mode', async () => {
    const rules: Rule[] = [{ list: 'deny', text: 'Edit(secret/**)', origin: 'test' }];
    const [end] = await ends(
      [step({ writes: 'secret/a' })],
      bench(() => once, ApprovalMode.YOLO, rules),
    );
    expect(end?.status).toBe('denied');
    expect(textOf(end)).toContain('Edit(secret/**)');
  });
});

describe('an answer that is no clear yes', () => {
  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['an unknown outcome', { outcome: 'no' }],
    ['modified, without content', { outcome: 'modify_with_editor' }],
    ['modified, where nothing can be modified', { outcome: 'modify_with_editor', newContent: 'x' }],
  ])('counts as a no: %s', async (_name, answer) => {
    const made = bench(() => answer as unknown as ApprovalAnswer);
    const [end] = await ends([step({ writes: 'a', text: 'x' })], made);
    expect(end?.status).toBe('denied');
    expect(timeline).toEqual([]);
  });

  it('counts as a no when the approver throws at once', async () => {
    const made = bench();
    const approver = (): never => {
      throw new Error('broken approver');
    };
    const [end] = await ends([step({ writes: 'a' })], { ...made, services: { ...made.services, approver } });
    expect(end?.status).toBe('denied');
  });

  it('lets an approved call run when the rule that was granted cannot be saved, and says so', async () => {
    const made = bench(() => ({ outcome: ToolConfirmationOutcome.ProceedAlwaysProject }));
    const grant = async (): Promise<void> => {
      throw new Error('the disk is full');
    };
    const services = { ...made.services, grant };
    const events: CallEvent[] = [];
    for await (const event of runCalls([step({ writes: 'd/a' })], services, new AbortController().signal))
      events.push(event);
    expect(events.find((event) => event.type === 'approval-answer')).toMatchObject({ problem: 'the disk is full' });
    expect(events.at(-1)).toMatchObject({ type: 'tool-call-end', status: 'success' });
  });
});

describe('cancellation', () => {
  it('stops what runs when the reader stops reading, and has ended it by then', async () => {
    const made = bench(() => once, ApprovalMode.AUTO_EDIT);
    for await (const event of runCalls(
      [step({ writes: 'late', ms: 400 })],
      made.services,
      new AbortController().signal,
    )) {
      // Read on until the tool runs; a moment later, stop.
      if (event.type === 'tool-call-update') break;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(timeline).toEqual(['start late']);
  });

  it('does nothing before the first event is asked for, nor when the reader goes before', async () => {
    const made = bench(() => once, ApprovalMode.AUTO_EDIT);
    const { signal } = new AbortController();
    const batch = runCalls([step({ writes: 'a' })], made.services, signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await batch.return?.()).toEqual({ done: true, value: undefined });
    expect(await batch.next()).toEqual({ done: true, value: undefined });
    expect(timeline).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(await ends([], made)).toEqual([]);
  });

  it('stops only the calls of its own batch, also where stops are made ahead', async () => {
    const made = bench(() => once, ApprovalMode.AUTO_EDIT);
    const services = { ...made.services, stops: new CallStops() };
    const signals: AbortSignal[] = [];
    made.services.registry.registerTool(new SignalTool((own) => signals.push(own)));
    const call = { callId: 'c', toolName: 'signal', argumentsText: '{}' };
    await ends([call], { ...made, services });
    const controller = new AbortController();
    const running = ends([step({ writes: 'a', ms: 60_000 })], { ...made, services }, controller.signal);
    await ends([call], { ...made, services });
    controller.abort(new Error('stop'));
    expect((await running).map(({ status }) => status)).toEqual(['cancelled']);
    await ends([call], { ...made, services });
    expect(new Set(signals).size).toBe(3);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  }, 20_000);

  it('warns of no leak, however many calls listen', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on('warning', note);
    const calls = Array.from({ length: 30 }, (_, index) => step({ reads: 'a', ms: 5 }, String(index)));
    expect(await ends(calls, bench())).toHaveLength(30);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('ends every call with a result, whether it runs, waits for another or for an answer (S42)', async () => {
    const made = bench(
      (request) => (request.callId === 'asked' ? new Promise(() => undefined) : once),
      ApprovalMode.DEFAULT,
      [{ list: 'allow', text: 'Edit(/a)', origin: 'test' }],
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('Ctrl-C')), 60);
    const calls = [
      step({ writes: 'a', ms: 5_000 }, 'runs'),
      step({ reads: 'a' }, 'waits'),
      step({ writes: 'b' }, 'asked'),
    ];
    const found = await ends(calls, made, controller.signal);
    expect(found.map((end) => end.callId).sort()).toEqual(['asked', 'runs', 'waits']);
    expect(new Set(found.map((end) => end.status))).toEqual(new Set(['cancelled']));
  });

  it('does not wait for ever for a tool that does not listen', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('Ctrl-C')), 20);
    const startedAt = performance.now();
    const [end] = await ends([step({ reads: 'a', ms: 8_000, deaf: true })], bench(), controller.signal);
    expect(end?.status).toBe('cancelled');
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });
});

describe('tools of authors who state no effects', () => {
  class PlainInvocation extends BaseToolInvocation<{ safe: boolean }, ToolResult> {
    getDescription(): string {
      return 'plain';
    }
    async execute(): Promise<ToolResult> {
      throw new Error('thrown, not returned');
    }
  }
  class JudgingInvocation extends PlainInvocation {
    override async shouldConfirmExecute(): Promise<ToolCallConfirmationDetails | false> {
      if (this.params.safe) return false;
      return {
        type: 'exec',
        title: 'Confirm Dangerous Operation',
        command: 'boom',
        onConfirm: async (outcome) => void timeline.push(outcome),
      };
    }
  }
  class PlainTool extends BaseDeclarativeTool<{ safe: boolean }, ToolResult> {
    readonly #judging: boolean;
    constructor(name: string, kind: Kind, judging: boolean) {
      super(name, name, '', kind, { type: 'object', properties: { safe: { type: 'boolean' } } });
      this.#judging = judging;
    }
    protected createInvocation(params: { safe: boolean }): ToolInvocation<{ safe: boolean }, ToolResult> {
      return this.#judging ? new JudgingInvocation(params) : new PlainInvocation(params);
    }
  }
  const runOne = async (tool: PlainTool, safe: boolean): Promise<{ end: End | undefined; made: Bench }> => {
    const made = bench(() => once);
    made.services.registry.registerTool(tool);
    const [end] = await ends([{ callId: '1', toolName: tool.name, argumentsText: JSON.stringify({ safe }) }], made);
    return { end, made };
  };

  it('does not ask for Read, asks for Edit and Other (S31, S59)', async () => {
    expect((await runOne(new PlainTool('r', Kind.Read, false), true)).made.asked).toHaveLength(0);
    expect((await runOne(new PlainTool('e', Kind.Edit, false), true)).made.asked).toHaveLength(1);
    expect((await runOne(new PlainTool('o', Kind.Other, false), true)).made.asked).toHaveLength(1);
  });

  it('takes the word of a tool that judges its calls itself, and tells it the answer (S24, S51, S52)', async () => {
    expect((await runOne(new PlainTool('j', Kind.Other, true), true)).made.asked).toHaveLength(0);
    const { made } = await runOne(new PlainTool('j', Kind.Other, true), false);
    expect(made.asked[0]?.details).toMatchObject({ type: 'exec', command: 'boom' });
    expect(timeline).toEqual(['proceed_once']);
  });

  it('holds a deny rule against an Edit tool that says of itself that nothing needs confirming', async () => {
    class Writing extends JudgingInvocation {
      override toolLocations(): { path: string }[] {
        return [{ path: join(root, 'docs', 'x') }];
      }
    }
    class WritingTool extends PlainTool {
      protected override createInvocation(params: { safe: boolean }): ToolInvocation<{ safe: boolean }, ToolResult> {
        return new Writing(params);
      }
    }
    const rules: Rule[] = [{ list: 'deny', text: 'Edit(docs/**)', origin: 'test' }];
    const made = bench(() => once, ApprovalMode.AUTO_EDIT, rules);
    made.services.registry.registerTool(new WritingTool('w', Kind.Edit, true));
    const [end] = await ends([{ callId: '1', toolName: 'w', argumentsText: '{"safe":true}' }], made);
    expect(end?.status).toBe('denied');
  });

  it('lets no tool judge itself in plan mode', async () => {
    const made = bench(() => once, ApprovalMode.PLAN);
    made.services.registry.registerTool(new PlainTool('j', Kind.Other, true));
    const [end] = await ends([{ callId: '1', toolName: 'j', argumentsText: '{"safe":true}' }], made);
    expect(end?.status).toBe('denied');
  });

  it.each<[string, Record<string, unknown>]>([
    ['no result at all', { execute: () => undefined }],
    ['a result without content', { execute: async () => ({}) }],
    ['content that is no part', { execute: async () => ({ llmContent: [{ text: 5 }] }) }],
    [
      'a throw before any promise',
      {
        execute: () => {
          throw new Error('at once');
        },
      },
    ],
    [
      'no description',
      {
        getDescription: () => {
          throw new Error('cannot describe');
        },
      },
    ],
    [
      'no locations',
      {
        toolLocations: () => {
          throw new Error('cannot locate');
        },
      },
    ],
    ['no effects', { effects: () => undefined }],
    [
      'effects that throw',
      {
        effects: () => {
          throw new Error('cannot say');
        },
      },
    ],
  ])('ends the call, and no other, of a tool that gives %s', async (_name, broken) => {
    class BrokenTool extends PlainTool {
      protected override createInvocation(params: { safe: boolean }): ToolInvocation<{ safe: boolean }, ToolResult> {
        return Object.assign(new PlainInvocation(params), broken);
      }
    }
    const made = bench(() => once);
    made.services.registry.registerTool(new BrokenTool('broken', Kind.Read, false));
    const calls = [
      { callId: '1', toolName: 'broken', argumentsText: '{"safe":true}' },
      step({ writes: 'fine', text: 'x' }, '2'),
    ];
    const found = await ends(calls, made);
    expect(found.map((end) => `${end.callId} ${end.status}`).toSorted()).toEqual(['1 error', '2 success']);
  });

  it('leaves out data that cannot be written as JSON', async () => {
    class DataTool extends PlainTool {
      protected override createInvocation(params: { safe: boolean }): ToolInvocation<{ safe: boolean }, ToolResult> {
        return Object.assign(new PlainInvocation(params), {
          execute: async () => ({ llmContent: 'ok', data: { n: 1n } }),
        });
      }
    }
    const { end } = await runOne(new DataTool('d', Kind.Read, false), true);
    expect(end?.status).toBe('success');
    expect(end).not.toHaveProperty('data');
  });

  it('makes a result of what a tool throws', async () => {
    const { end } = await runOne(new PlainTool('r', Kind.Read, false), true);
    expect(end?.error).toEqual({ message: 'thrown, not returned', type: 'execution_failed' });
  });
});

describe('the output budget', () => {
  it('bounds every result and keeps all of it in a file', async () => {
    class BigInvocation extends BaseToolInvocation<object, ToolResult> {
      getDescription(): string {
        return 'big';
      }
      async execute(): Promise<ToolResult> {
        return { llmContent: `first\n${'middle\n'.repeat(100_000)}last` };
      }
    }
    class BigTool extends BaseDeclarativeTool<object, ToolResult> {
      constructor() {
        super('big', 'Big', '', Kind.Read, { type: 'object' });
      }
      protected createInvocation(params: object): ToolInvocation<object, ToolResult> {
        return new BigInvocation(params);
      }
    }
    const made = bench();
    made.services.registry.registerTool(new BigTool());
    const [end] = await ends([{ callId: '1', toolName: 'big', argumentsText: '{}' }], made);
    expect(Buffer.byteLength(textOf(end))).toBeLessThanOrEqual(DEFAULT_OUTPUT_LIMITS.maxBytes);
    expect(textOf(end).startsWith('first\n')).toBe(true);
    expect(textOf(end)).toContain(join(base, 'tmp', 'spill.txt'));
    expect(readFileSync(join(base, 'tmp', 'spill.txt'), 'utf8')).toHaveLength(700_010);
  });
});
