import {
  createAgent,
  createPainter,
  errorMessage,
  Failure,
  joinSafe,
  safeText,
  type Agent,
  type AgentEvent,
  type JobEvent,
  type Safe,
} from '@tenon/core';
import { ExitCode } from '../../../exit-codes.js';
import type { Surroundings } from '../../../surroundings.js';
import { denialLines, endLines } from '../../../ui/end-lines.js';
import { createLiveView, type LiveView } from '../../../ui/live-view.js';
import { createRefusals } from '../../../ui/refusals.js';
import { safeLine } from '../../../ui/safe-lines.js';
import { sayLines, warn } from '../../../ui/say.js';
import type { Terminal } from '../../../ui/terminal.js';
import { undoHint } from '../../../ui/undo-hint.js';
import { agentNews } from '../app/agent-news.js';
import { createPromptSource, jobNews, type PromptSource } from '../app/prompt-source.js';
import type { NextPrompt } from '../app/prompt-runner.js';
import { createTerminalLook } from '../app/terminal-look.js';
import { BUILTIN_COMMANDS } from '../commands/command-list.js';
import type { Command, CommandContext } from '../commands/command.js';
import { runCommand } from '../commands/run-command.js';
import { createTypedCalls, type TypedCalls } from '../commands/typed-calls.js';
import { bindKeys, describeKeys } from '../composer/key-bindings.js';
import type { InteractiveRun } from '../interactive-run.js';
import { createPlainStage } from './plain-stage.js';

/** A session in plain lines, prompt after prompt, until the person leaves. */
export async function runPlain(surroundings: Surroundings, run: InteractiveRun): Promise<ExitCode> {
  const { out, err, version } = surroundings;
  const paint = createPainter(err.colors);
  const { approver } = run.agent;
  const typed = approver && createTypedCalls(approver);
  const agent = await createAgent({ ...run.agent, ...(typed && { approver: typed.approver }) });
  const takeOff = surroundings.exits.register(agent.endCommands);
  const news = jobNews((event) => void run.terminal.interject(async () => view.onEvent(event)));
  const view = createLiveView({ out, err, turnstile: run.turnstile, quiet: false });
  agent.onJob((event: JobEvent) => {
    if (run.terminal.isReading) news.atOnce(event);
  });
  const agents = agentNews(agent, (event) => {
    void (run.terminal.isReading ? run.terminal.interject(async () => view.onEvent(event)) : view.onEvent(event));
  });
  const untold: LiveView = {
    onEvent: async (event) => (news.isTold(event) || agents.isTold(event) ? undefined : view.onEvent(event)),
  };
  try {
    const label = `${run.agent.model.label}, mode ${agent.config.getApprovalMode()}`;
    const name = paint('bold', safeLine(`tenon ${version}`));
    const hint = paint('dim', safeText`/help shows what you can do here.`);
    await err.write(safeText`${name}  ${paint('dim', safeLine(label))}\n${hint}\n`);
    const { userCommands } = await import('../commands/user-commands.js');
    const { commands, problems } = await userCommands({ preparation: run.preparation, surroundings, agent });
    await err.write(await lastLine(surroundings, run, agent));
    await warn(err, [...agent.notices, ...agent.sessionProblems, ...problems]);
    return await new PlainSession({ surroundings, run, agent, view: untold, typed, userCommands: commands }).loop();
  } finally {
    await agent.close();
    takeOff();
  }
}

/** About the last session of the folder, where a new one begins. */
async function lastLine(surroundings: Surroundings, { preparation }: InteractiveRun, agent: Agent): Promise<Safe> {
  const { lastHere, welcomeBackLine } = await import('../app/last-here.js');
  const last = await lastHere(agent, { surroundings, preparation });
  if (last === undefined) return safeText``;
  const columns = surroundings.err.columns();
  const line = welcomeBackLine(last, { columns, now: Date.now() });
  return safeText`${createPainter(surroundings.err.colors)('dim', line)}\n`;
}

interface PlainParts {
  readonly surroundings: Surroundings;
  readonly run: InteractiveRun;
  readonly agent: Agent;
  readonly view: LiveView;
  readonly typed: TypedCalls | undefined;
  readonly userCommands: readonly Command[];
}

class PlainSession {
  readonly #parts: PlainParts;
  readonly #source: PromptSource;
  readonly #context: Omit<CommandContext, 'signal'>;
  #isLeaving = false;

  constructor(parts: PlainParts) {
    this.#parts = parts;
    const { agent, surroundings, run } = parts;
    const { preparation, endpoint, terminal } = run;
    this.#source = createPromptSource(agent);
    const look = createTerminalLook({ surroundings, values: preparation.settings.values, theme: run.options.theme });
    const bindings = bindKeys(preparation.settings.values['ui.keys']?.value);
    this.#context = {
      agent,
      surroundings,
      preparation,
      endpoint,
      stage: createPlainStage({ terminal, screen: surroundings.err, theme: look.theme }),
      commands: () => [...BUILTIN_COMMANDS, ...parts.userCommands],
      setTheme: (name) => look.setTheme(name),
      keys: () => describeKeys(bindings),
      // What stands above is read as it is.
      showAgain: () => undefined,
    };
  }

  async loop(): Promise<ExitCode> {
    const { surroundings, run } = this.#parts;
    const { err, out } = surroundings;
    const terminal: Terminal = run.terminal;
    let interrupted = false;
    while (!out.closed.aborted) {
      // A server that has just started may have asked: two readers of one terminal would take each other's keys.
      await run.turnstile.run(async () => undefined);
      const reading = await terminal.readPrompt('› ');
      if (reading.kind === 'end') return ExitCode.OK;
      if (reading.kind === 'interrupt') {
        if (interrupted) return ExitCode.INTERRUPTED;
        interrupted = true;
        await err.write(safeText`Ctrl-C again leaves.\n`);
        continue;
      }
      interrupted = false;
      if (reading.text.trim() !== '') await this.#take(reading.text);
      if (this.#isLeaving) return ExitCode.OK;
    }
    return ExitCode.OUTPUT_CLOSED;
  }

  /** Ctrl-C ends what it does. */
  async #take(text: string): Promise<void> {
    const { surroundings } = this.#parts;
    const armed = surroundings.interrupts.arm();
    const signal = AbortSignal.any([armed.signal, surroundings.out.closed]);
    try {
      const prompt = await this.#promptOf(text, signal);
      if (prompt !== undefined) await this.#show(this.#source.run(prompt, signal));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      await surroundings.err.write(safeText`${safeLine(errorMessage(thrown))}\n`);
    } finally {
      armed.release();
    }
  }

  /** What is said to the model, when the text is that, or the command wants it. */
  async #promptOf(text: string, signal: AbortSignal): Promise<NextPrompt | undefined> {
    if (text.startsWith('!')) return this.#shell(text, signal);
    const answer = await runCommand(text, { ...this.#context, signal });
    if (answer === undefined) return { text };
    const { shown, forModel, composer, leaves, prompt, whenPromptEnds } = answer;
    if (forModel !== undefined) this.#source.note(forModel);
    this.#isLeaving = leaves === true;
    const lines = [shown ?? safeText``, composer === undefined ? safeText`` : safeText`${safeLine(composer)}\n`];
    await this.#parts.surroundings.err.write(joinSafe(lines, safeText``));
    return prompt && { ...prompt, ...(whenPromptEnds && { whenPromptEnds }) };
  }

  async #shell(text: string, signal: AbortSignal): Promise<undefined> {
    const { agent, typed, view } = this.#parts;
    if (typed === undefined) return;
    const { runShell } = await import('../commands/run-shell.js');
    const shown: Promise<void>[] = [];
    const onEvent = (event: AgentEvent): void => void shown.push(view.onEvent(event));
    const { forModel } = await runShell(text, { agent, typed, signal, onEvent });
    await Promise.all(shown);
    if (forModel !== undefined) this.#source.note(forModel);
  }

  async #show(events: AsyncIterable<AgentEvent>): Promise<void> {
    const { view, surroundings } = this.#parts;
    const refusals = createRefusals();
    for await (const event of events) {
      refusals.onEvent(event);
      await view.onEvent(event);
      if (event.type !== 'prompt-end') continue;
      const hint = undoHint(event, (words) => `/${words}`);
      const lines = [...endLines(event), ...denialLines(event.denials, refusals), ...hint];
      await sayLines(surroundings.err, lines);
    }
  }
}
