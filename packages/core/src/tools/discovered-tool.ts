import { createHash } from 'node:crypto';
import type { CallContext } from '../effects/call-context.js';
import { DISCOVERED, type Effect } from '../effects/effect.js';
import type { CleanDefinition } from '../mcp/catalog/clean-definition.js';
import { plainOutput } from '../process/plain-output.js';
import { joinWords } from '../util/split-words.js';
import { describeRun } from './discovery/describe-run.js';
import { runProgram, type ProgramPlace } from '../process/run-program.js';
import { runWatched, type WatchedRun } from './run-watched.js';
import {
  BaseDeclarativeTool,
  Kind,
  RunInvocation,
  type ToolExecuteConfirmationDetails,
  type ToolResult,
  type UpdateOutput,
} from './tools.js';

type Arguments = Readonly<Record<string, unknown>>;

/** How a discovered tool is run: the words before its name, where, and its limits. */
export interface DiscoveredToolHost extends ProgramPlace {
  readonly argv: readonly [string, ...string[]];
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly runtime: WatchedRun['runtime'];
}

type Definition = Pick<CleanDefinition, 'serverName' | 'title' | 'description' | 'inputSchema' | 'hash'>;

/** A tool that the discovery command declared and the call command runs (S130, S131). */
export class DiscoveredTool extends BaseDeclarativeTool<Arguments, ToolResult> {
  override readonly from: string = DISCOVERED;
  /** As the call command knows it. */
  readonly ownName: string;
  readonly #host: DiscoveredToolHost;
  readonly #definition: string;

  constructor(
    name: string,
    { serverName, title, description, inputSchema, hash }: Definition,
    host: DiscoveredToolHost,
  ) {
    super(name, title, description, Kind.Other, inputSchema, false, true);
    this.ownName = serverName;
    this.#host = host;
    this.#definition = createHash('sha256')
      .update(JSON.stringify([hash, host.argv]))
      .digest('hex');
  }

  protected createInvocation(params: Arguments): DiscoveredToolInvocation {
    return new DiscoveredToolInvocation(params, this.ownName, this.#host, this.#definition);
  }
}

class DiscoveredToolInvocation extends RunInvocation<Arguments> {
  readonly #name: string;
  readonly #host: DiscoveredToolHost;
  readonly #definition: string;

  constructor(params: Arguments, name: string, host: DiscoveredToolHost, definition: string) {
    super(params);
    this.#name = name;
    this.#host = host;
    this.#definition = definition;
  }

  getDescription(): string {
    return `${this.#name} ${JSON.stringify(this.params)}`;
  }

  effects(): readonly Effect[] {
    const reason = 'a discovery command says nothing of what its tools touch';
    return [
      { kind: 'foreign', from: DISCOVERED, tool: this.#name, does: 'unknown', reason, definition: this.#definition },
    ];
  }

  async confirmationDetails(): Promise<ToolExecuteConfirmationDetails> {
    const command = `${joinWords(this.#words())}\nwith this on its input:\n${JSON.stringify(this.params, undefined, 2)}`;
    return { type: 'exec', title: `Call the discovered tool ${this.#name}`, command, directory: this.#host.folder };
  }

  protected async run(signal: AbortSignal, updateOutput?: UpdateOutput, context?: CallContext): Promise<ToolResult> {
    const { runtime } = this.#host;
    return runWatched(async () => this.#call(signal, updateOutput), { runtime, signal, context });
  }

  async #call(signal: AbortSignal, updateOutput?: UpdateOutput): Promise<ToolResult> {
    const onOutput =
      updateOutput === undefined ? {} : { onOutput: (newest: string): void => updateOutput(plainOutput(newest)) };
    const argv = this.#words();
    const run = await runProgram({ ...this.#host, argv, input: JSON.stringify(this.params), ...onOutput }, signal);
    return describeRun(run, this.#host);
  }

  #words(): [string, ...string[]] {
    const [program, ...args] = this.#host.argv;
    return [program, ...args, this.#name];
  }
}
