import { RequestError, type PromptResponse, type SessionUpdate } from '@agentclientprotocol/sdk';
import { errorMessage, whenAborted, type Agent, type AgentEvent, type FinishReason } from '@tenon/core';
import type { UserCommand } from '../../slash/user/load-user-commands.js';
import type { UserCommandFile } from '../../slash/user/read-command-file.js';
import type { FilledCommand, UserCommandContext } from '../../slash/user/run-user-command.js';
import type { SwitchedModel } from '../../slash/switch-model.js';
import { innermost } from '../../ui/subagent-line.js';
import { showsNotices, type ClientSession } from './client.js';
import type { ClientPaths } from './client-paths.js';
import { inForce, type EventUpdates } from './event-updates.js';
import { Throttle } from './live-updates.js';
import { planUpdate } from './plan-update.js';
import type { AcpPrompt } from './prompt-content.js';
import { replayed } from './replay.js';
import { configOptionsOf, modesOf, modeUpdates, optionUpdate, setMode } from './session-options.js';
import { availableCommands, slashCommand, type SlashAnswer } from './slash-commands.js';
import { stopReasonOf } from './stop-reason.js';
import type { ToldCalls } from './told-calls.js';

/** Calls that run this long without a sign are told as running. In milliseconds. */
const RUNNING_MS = 250;
const TITLE_CHARS = 80;
/** Prompts that may wait for the one that runs. */
const MOST_WAITING = 16;

export interface ModelChoices {
  /** Names by which the provider knows its models; empty when it does not tell. */
  readonly names: readonly string[];
  /** @throws Failure or ModelError for a model that cannot be had */
  readonly choose: (name: string) => Promise<SwitchedModel>;
}

export type FillContext = Pick<UserCommandContext, 'name' | 'signal' | 'onEvent'>;

export interface SessionParts {
  readonly client: ClientSession;
  readonly agent: Agent;
  readonly cwd: string;
  readonly paths: ClientPaths;
  readonly told: ToldCalls;
  /** Keys of calls after which the turn ends: the person wants the next word. */
  readonly lastCalls: Set<string>;
  readonly updates: EventUpdates;
  readonly models: ModelChoices;
  readonly project: { readonly roots: readonly string[]; readonly tenonHome: string };
  /** Commands that users wrote as files, and how they become what is said. */
  readonly user: {
    readonly commands: readonly UserCommand[];
    readonly fill: (file: UserCommandFile, words: string, more: FillContext) => Promise<FilledCommand>;
  };
  /** What the person should know before the first prompt; a sentence each. */
  readonly notices: readonly string[];
  /** Resolves when no terminal of the client is held for a command that has ended. */
  readonly terminalsSettled: () => Promise<void>;
  /** Takes it off the list of what is ended with the process. */
  readonly takeOff: () => void;
}

/**
 * One conversation. Prompts run one after the other: a second one waits for the first, which is never touched by it.
 * `cancel` ends the one that runs and those that wait, each with `cancelled`.
 */
export class AcpSession {
  readonly agent: Agent;
  readonly cwd: string;
  readonly #parts: SessionParts;
  readonly #client: ClientSession;
  readonly #live: Throttle<AgentEvent>;
  readonly #running = new Set<AbortController>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #closing = new AbortController();
  /** Ends the turn that runs for the person to speak, which is not to cancel it. */
  #pausing = new AbortController();
  #notices: readonly string[];
  #notes: string[] = [];
  #mode: string;
  #title: string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #finish: FinishReason | undefined;
  #commands = '';

  constructor(parts: SessionParts) {
    const { agent, cwd, client, updates } = parts;
    this.agent = agent;
    this.cwd = cwd;
    this.#parts = parts;
    this.#client = client;
    this.#notices = parts.notices;
    this.#mode = agent.config.getApprovalMode();
    const earlier = inForce(agent.history.map(({ event }) => event));
    this.#title = earlier
      .flatMap((event) => (event.type === 'user-message' ? (this.#titleOf(event.text) ?? []) : []))
      .at(0);
    this.#live = new Throttle((event) => void this.#sendAll(updates.live(event)));
  }

  get id(): string {
    return this.#client.sessionId;
  }

  /** What `session/new`, `load` and `resume` answer with. */
  state() {
    return { modes: modesOf(this.agent), configOptions: configOptionsOf(this.agent, this.#parts.models.names) };
  }

  /** Everything that was said, as if it were said now. */
  async replay(): Promise<void> {
    for (const update of replayed(this.agent.history, this.#parts.paths)) await this.#client.update(update);
  }

  /** After the client knows of the session. */
  async introduce(): Promise<void> {
    if (showsNotices(this.#client)) await this.#tellNotices();
    await this.#tellCommands();
    if (this.#title !== undefined) await this.#tellTitle();
  }

  /** Sends notices at once if the client can show them; otherwise they come with the first prompt, as messages. */
  async #tellNotices(): Promise<void> {
    const notices = this.#notices;
    this.#notices = [];
    await this.#sendAll(notices.map((notice) => this.#parts.updates.notice(notice, 'warning')));
  }

  /** Once servers may have come, or gone. */
  async #tellCommands(): Promise<void> {
    const own = this.#parts.user.commands;
    let commands = availableCommands(own, []);
    try {
      commands = availableCommands(own, await this.agent.mcp.prompts(this.#closing.signal));
    } catch {
      // The session was closed, or servers do not answer: then their prompts are missing.
    }
    const told = JSON.stringify(commands);
    if (told === this.#commands) return;
    this.#commands = told;
    await this.#client.update({ sessionUpdate: 'available_commands_update', availableCommands: commands });
  }

  /** @throws RequestError */
  async setMode(modeId: string): Promise<void> {
    setMode(this.agent, modeId);
    await this.#tellMode();
  }

  /** @throws RequestError for a model that cannot be had */
  async setModel(name: string): Promise<void> {
    if (name !== this.agent.model.model) {
      let chosen: SwitchedModel;
      try {
        chosen = await this.#parts.models.choose(name);
      } catch (thrown) {
        throw RequestError.invalidParams(undefined, errorMessage(thrown));
      }
      if (chosen.back === undefined) throw RequestError.invalidParams(undefined, chosen.told);
    }
    await this.#client.update(optionUpdate(this.agent, this.#parts.models.names));
  }

  /** @throws RequestError; never for a prompt that was cancelled */
  async prompt(prompt: AcpPrompt, signal: AbortSignal): Promise<PromptResponse> {
    if (this.#running.size > MOST_WAITING)
      throw RequestError.invalidRequest(undefined, 'Too many prompts wait for the one that runs.');
    const own = new AbortController();
    const until = AbortSignal.any([own.signal, signal, this.#closing.signal]);
    this.#running.add(own);
    const before = this.#last;
    const run = this.#after(before, prompt, until);
    this.#last = Promise.allSettled([before, run]);
    try {
      return await run;
    } finally {
      this.#running.delete(own);
    }
  }

  cancel(): void {
    for (const controller of this.#running) controller.abort(new DOMException('Cancelled.', 'AbortError'));
  }

  async close(): Promise<void> {
    this.#closing.abort(new DOMException('The session was closed.', 'AbortError'));
    this.cancel();
    this.#live.dropAll();
    await this.#last;
    await this.agent.close();
    this.#parts.takeOff();
  }

  async #after(before: Promise<unknown>, prompt: AcpPrompt, until: AbortSignal): Promise<PromptResponse> {
    await Promise.race([before, whenAborted(until)]);
    if (until.aborted) return { stopReason: 'cancelled' };
    try {
      return await this.#run(prompt, until);
    } catch (thrown) {
      // Whatever went wrong on the way out of a cancelled turn is no error of its own.
      if (until.aborted) return { stopReason: 'cancelled' };
      throw thrown;
    } finally {
      this.#endTimers();
      this.#live.dropAll();
      await this.#parts.terminalsSettled();
    }
  }

  async #run({ text, attach, content }: AcpPrompt, until: AbortSignal): Promise<PromptResponse> {
    await this.#tellNotices();
    this.#pausing = new AbortController();
    const answer = text.startsWith('/') ? await this.#slash(text, until) : undefined;
    if (answer?.kind === 'shown') return this.#show(answer);
    if (answer?.kind === 'compact') return this.#follow(this.agent.compact(answer.focus, until), until);
    if (this.#title === undefined) {
      this.#title = this.#titleOf(text);
      await this.#tellTitle();
    }
    if (answer?.kind === 'filled') return this.#sayFilled(answer, { attach, content }, until);
    return this.#say(text, { attach, content: [...(answer?.content ?? []), ...content] }, until);
  }

  #say(text: string, more: Omit<AcpPrompt, 'text'>, until: AbortSignal): Promise<PromptResponse> {
    const end = AbortSignal.any([until, this.#pausing.signal]);
    const options = { ...more, notes: this.#notes.splice(0), waitsForServers: true };
    return this.#follow(this.agent.prompt(text, end, options), until);
  }

  /** What a user's command came to, by the model that it wants. */
  async #sayFilled(
    { notes, prompt, back }: FilledCommand,
    { attach, content }: Omit<AcpPrompt, 'text'>,
    until: AbortSignal,
  ): Promise<PromptResponse> {
    const { updates, models } = this.#parts;
    for (const note of notes) await this.#client.update(updates.notice(note));
    const more = { attach: [...attach, ...prompt.attach], content: [...(prompt.content ?? []), ...content] };
    if (back === undefined) return this.#say(prompt.text, more, until);
    await this.#client.update(optionUpdate(this.agent, models.names));
    try {
      return await this.#say(prompt.text, more, until);
    } finally {
      back();
      await this.#client.update(optionUpdate(this.agent, models.names));
    }
  }

  #slash(text: string, until: AbortSignal): Promise<SlashAnswer | undefined> {
    const { agent } = this;
    const { project, models, user } = this.#parts;
    const context = {
      agent,
      project,
      models: models.names,
      setMode: (mode: string) => setMode(agent, mode),
      setModel: (name: string) => this.setModel(name),
      userCommands: user.commands,
      fill: (file: UserCommandFile, words: string, name: string) =>
        user.fill(file, words, { name, signal: until, onEvent: (event) => this.#tell(event) }),
    };
    return slashCommand(text, context, until);
  }

  async #show({ text, forModel }: Extract<SlashAnswer, { kind: 'shown' }>): Promise<PromptResponse> {
    if (forModel !== undefined) this.#notes.push(forModel);
    await this.#client.update(this.#parts.updates.note(text));
    await this.#noticeMode();
    return { stopReason: 'end_turn' };
  }

  async #follow(events: AsyncIterable<AgentEvent>, until: AbortSignal): Promise<PromptResponse> {
    this.#finish = undefined;
    let end: Extract<AgentEvent, { type: 'prompt-end' }> | undefined;
    for await (const event of events) {
      await this.#tell(event);
      if (event.type === 'prompt-end') end = event;
    }
    await this.#sendAll(this.#parts.updates.closeOpen());
    await this.#noticeMode();
    await this.#tellUsage();
    if (!until.aborted) await this.#tellCommands();
    if (end === undefined) return { stopReason: until.aborted ? 'cancelled' : 'end_turn' };
    await this.#tellTitle();
    const { stopReason, message } = end;
    if (
      message !== undefined &&
      stopReason !== 'completed' &&
      stopReason !== 'model-error' &&
      stopReason !== 'empty-answer' &&
      stopReason !== 'cancelled'
    )
      await this.#client.update(this.#parts.updates.notice(message, 'warning'));
    if (until.aborted) return { stopReason: 'cancelled' };
    return { stopReason: this.#pausing.signal.aborted ? 'end_turn' : stopReasonOf(end, this.#finish) };
  }

  async #tell(event: AgentEvent): Promise<void> {
    const { updates, told, lastCalls } = this.#parts;
    const { type } = innermost(event);
    const key = updates.keyOf(event);
    if (key !== undefined) {
      if (type === 'tool-call-update') return this.#live.offer(key, event);
      if (type === 'tool-call-end') {
        this.#live.drop(key);
        told.forget(key);
      }
    }
    await this.#sendAll([...updates.live(event), ...listed(planUpdate(event))]);
    if (key !== undefined && type === 'tool-call-start') this.#watchStart(key);
    if (key !== undefined && type === 'approval-request') told.note(key);
    if (key !== undefined && type === 'tool-call-end' && lastCalls.delete(key))
      this.#pausing.abort(new DOMException('The person speaks next.', 'AbortError'));
    if (event.type === 'tool-call-end') await this.#noticeMode();
    if (event.type === 'assistant-message') {
      this.#finish = event.finish;
      await this.#tellUsage();
    }
  }

  #watchStart(key: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#sendAll(this.#parts.updates.startedBy(key));
    }, RUNNING_MS);
    timer.unref();
    this.#timers.add(timer);
  }

  #endTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A call may have changed it: a plan that was approved. */
  async #noticeMode(): Promise<void> {
    if (this.agent.config.getApprovalMode() !== this.#mode) await this.#tellMode();
  }

  async #tellMode(): Promise<void> {
    this.#mode = this.agent.config.getApprovalMode();
    await this.#sendAll(modeUpdates(this.agent, this.#parts.models.names));
  }

  async #tellUsage(): Promise<void> {
    const { used, window } = this.agent.context();
    const { cost } = this.agent.usage();
    // The prices of the settings are in whatever currency the person wrote them; most are told in this one.
    const money = cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } };
    await this.#client.update({ sessionUpdate: 'usage_update', used, size: window, ...money });
  }

  async #tellTitle(): Promise<void> {
    const updatedAt = new Date().toISOString();
    await this.#client.update({ sessionUpdate: 'session_info_update', title: this.#title ?? null, updatedAt });
  }

  /** Returns the first line of the first prompt; undefined if it is blank. */
  #titleOf(text: string): string | undefined {
    const first = /\S.*/.exec(text)?.[0].trimEnd();
    if (first === undefined) return undefined;
    const line = this.#parts.paths.inTitle(first);
    return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
  }

  async #sendAll(updates: readonly SessionUpdate[]): Promise<void> {
    for (const update of updates) await this.#client.update(update);
  }
}

function listed<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
