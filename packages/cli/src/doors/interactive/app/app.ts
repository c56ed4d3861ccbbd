import { errorMessage, Failure, loadAgentLogs, makeSafe, safeText, type Agent, type AgentEvent } from '@tenon/core';
import { ExitCode } from '../../../exit-codes.js';
import type { Preparation } from '../../../prepare-session.js';
import type { Surroundings } from '../../../surroundings.js';
import { BUILTIN_COMMANDS } from '../commands/command-list.js';
import type { Command, CommandAnswer, CommandContext, Completion } from '../commands/command.js';
import { completeCommand } from '../commands/complete-command.js';
import { findCommand, parseCommand } from '../commands/find-command.js';
import type { TypedCalls } from '../commands/typed-calls.js';
import type { DoorAction } from '../composer/composer-options.js';
import type { Composer } from '../composer/composer.js';
import { describeKeys, type KeyBindings } from '../composer/key-bindings.js';
import type { OpenTerminal } from '../screen/open-terminal.js';
import { recentEvents } from '../state/recent-events.js';
import type { StatusFacts } from '../views/status-line.js';
import type { Transcript } from '../views/transcript.js';
import { welcome } from '../views/welcome.js';
import { agentNews } from './agent-news.js';
import type { AppView } from './app-view.js';
import { nextMode } from './next-mode.js';
import { PromptRunner, type NextPrompt } from './prompt-runner.js';
import { createPromptSource, jobNews, type PromptSource } from './prompt-source.js';
import { shortFolder } from './short-folder.js';
import type { TerminalLook } from './terminal-look.js';

export interface AppServices {
  readonly surroundings: Surroundings;
  readonly preparation: Preparation;
  readonly endpoint: CommandContext['endpoint'];
  readonly modelLabel: string;
  readonly terminal: Pick<OpenTerminal, 'stage' | 'screen' | 'suspend'>;
  readonly view: AppView;
  readonly composer: Composer;
  readonly bindings: KeyBindings;
  readonly typed: TypedCalls;
  readonly transcript: Transcript;
  readonly look: TerminalLook;
}

/** Two presses of a key within this time are a double one. */
const TWICE_MS = 1_500;
/** Messages of an earlier session that are shown when it goes on. */
const SHOWN_MESSAGES = 10;

/** What the person does, and what comes of it. */
export class App {
  readonly #services: AppServices;
  readonly #runner: PromptRunner;
  readonly #pressed = new Map<DoorAction, number>();
  /** Ends when the person leaves. */
  readonly left: Promise<ExitCode>;
  #leave: (code: ExitCode) => void = () => undefined;
  #agent: Agent | undefined;
  #source: PromptSource | undefined;
  #userCommands: readonly Command[] = [];
  #facts: Pick<StatusFacts, 'contextShare' | 'cost'> = {};
  /** What was submitted before there was an agent. */
  readonly #early: string[] = [];

  constructor(services: AppServices) {
    this.#services = services;
    this.left = new Promise((resolve) => (this.#leave = resolve));
    const { view, composer } = services;
    this.#runner = new PromptRunner({
      prompt: (prompt, signal) => this.#run(prompt, signal),
      steer: (text) => this.#source?.steer(text) ?? false,
      command: (text) => this.#commandFor(text),
      onEvent: (event) => this.#onEvent(event),
      onProblem: (thrown) => view.dispatch({ type: 'notice', level: 'error', text: errorMessage(thrown) }),
      onChange: () => {
        view.setBusy(this.#runner.isBusy);
        composer.setQueued(this.#runner.waiting.map(({ text }) => text));
      },
    });
  }

  get agent(): Agent | undefined {
    return this.#agent;
  }

  welcome(): void {
    const { terminal, look, surroundings, preparation, modelLabel } = this.#services;
    const { columns } = terminal.stage.size();
    const [root] = preparation.roots;
    const lines = welcome(
      { columns, theme: look.theme(), isOpen: false, now: 0, unicode: look.unicode },
      {
        version: surroundings.version,
        model: modelLabel,
        mode: preparation.approvalMode.value,
        folder: shortFolder(root, surroundings.userHome),
        hints: ['/help shows what you can do here, /keys what the keys do.'],
      },
    );
    terminal.screen.print(lines);
  }

  /** With the agent that is ready now. */
  async begin(agent: Agent): Promise<void> {
    const { view, bindings, look, surroundings, preparation } = this.#services;
    void this.#welcomeBack(agent);
    const news = jobNews((event) => this.#show(event));
    const agents = agentNews(agent, (event) => this.#show(event));
    this.#isTold = (event) => news.isTold(event) || agents.isTold(event);
    this.#tellAgents = agents.again;
    agent.onJob((event) => {
      if (!this.#runner.isPrompting) news.atOnce(event);
    });
    const { userCommands } = await import('../commands/user-commands.js');
    const { commands, problems } = await userCommands({ preparation, surroundings, agent });
    this.#userCommands = commands;
    // From here on what is typed is done; before, a prompt would be among what the session had said.
    this.#agent = agent;
    this.#source = createPromptSource(agent);
    for (const text of [
      ...agent.notices,
      ...agent.sessionProblems,
      ...bindings.problems,
      ...look.problems,
      ...problems,
    ])
      view.dispatch({ type: 'notice', level: 'warning', text });
    if (agent.history.length > 0) this.#showSession();
    // There is more to choose from than before.
    this.#services.composer.refresh();
    for (const text of this.#early.splice(0)) this.submit(text);
  }

  /** A line about the last session of the folder, once there is time for it, and as long as nothing was said in this one. */
  async #welcomeBack(agent: Agent): Promise<void> {
    const { terminal, look } = this.#services;
    const { lastHere, welcomeBack } = await import('./last-here.js');
    const last = await lastHere(agent, this.#services);
    if (last === undefined || agent.history.length > 0 || this.#runner.isBusy) return;
    const { columns } = terminal.stage.size();
    terminal.screen.print([welcomeBack(last, { columns, now: Date.now(), theme: look.theme() })]);
  }

  submit(text: string): void {
    if (this.#agent === undefined) this.#early.push(text);
    else this.#runner.submit(text);
  }

  /** Ends what runs; what waited comes back to be changed. */
  cancel(): void {
    const { composer } = this.#services;
    const given = this.#runner.cancel();
    if (given.length > 0) composer.setText([...given, ...(composer.isEmpty ? [] : [composer.text])].join('\n'));
  }

  takeQueued(): string | undefined {
    return this.#runner.takeLast();
  }

  leave(code: ExitCode): void {
    this.#leave(code);
  }

  act(action: DoorAction): void {
    this.#actions[action]();
  }

  async complete(text: string): Promise<readonly Completion[]> {
    return this.#agent === undefined ? [] : completeCommand(text, this.#context(new AbortController().signal));
  }

  facts(): StatusFacts {
    const { modelLabel, preparation, surroundings } = this.#services;
    const agent = this.#agent;
    const queued = this.#runner.waiting.length;
    return {
      model: agent?.model.label ?? modelLabel,
      mode: agent?.config.getApprovalMode() ?? preparation.approvalMode.value,
      folder: shortFolder(preparation.roots[0], surroundings.userHome),
      ...this.#facts,
      ...(queued > 0 && { queued }),
    };
  }

  readonly #actions: Readonly<Record<DoorAction, () => void>> = {
    cancel: () => this.#cancelOrRewind(),
    interrupt: () => this.#interrupt(),
    leave: () => this.#leave(ExitCode.OK),
    suspend: () => void this.#suspend(),
    cycleMode: () => this.#cycleMode(),
    openTranscript: () => void this.#openTranscript(),
    toggleTodos: () => this.#services.view.toggleTodos(),
    clearScreen: () => this.#services.terminal.screen.clear(),
  };

  #isTold: (event: AgentEvent) => boolean = () => false;
  #tellAgents: () => void = () => undefined;

  #cancelOrRewind(): void {
    const { view } = this.#services;
    if (this.#runner.isBusy) return this.cancel();
    if (this.#isSecond('cancel')) return this.submit('/rewind');
    view.hint(safeText`Esc again goes back to an earlier message.`);
  }

  #interrupt(): void {
    const { composer, view } = this.#services;
    if (this.#runner.isBusy) this.cancel();
    else if (!composer.isEmpty) composer.setText('');
    else if (this.#isSecond('interrupt')) return this.#leave(ExitCode.INTERRUPTED);
    else view.hint(safeText`Ctrl-C again leaves.`);
  }

  #isSecond(action: DoorAction): boolean {
    const now = performance.now();
    const before = this.#pressed.get(action) ?? -Infinity;
    this.#pressed.set(action, now);
    return now - before < TWICE_MS;
  }

  async #suspend(): Promise<void> {
    const { terminal, view } = this.#services;
    if (!(await terminal.suspend())) view.hint(safeText`Ctrl-Z does nothing here: no shell could bring Tenon back.`);
  }

  #cycleMode(): void {
    const agent = this.#agent;
    if (agent === undefined) return;
    const mode = nextMode(agent.config.getApprovalMode(), (wanted) => {
      try {
        agent.config.setApprovalMode(wanted);
        return true;
      } catch (thrown) {
        if (thrown instanceof Failure) return false;
        throw thrown;
      }
    });
    this.#services.view.hint(safeText`mode ${makeSafe(mode)}`);
  }

  async #openTranscript(): Promise<void> {
    const { transcript, look, terminal } = this.#services;
    const history = this.#agent?.history ?? [];
    const [{ transcriptBlocks }, { viewTranscript }] = await Promise.all([
      import('./transcript-blocks.js'),
      import('../panels/view-transcript.js'),
    ]);
    const { unicode, images } = look;
    const drawn = { theme: look.theme(), now: Date.now(), unicode, ...(images && { images }) };
    const agents = this.#agent === undefined ? [] : loadAgentLogs(this.#agent.sessionFile, history);
    await viewTranscript(terminal.stage, transcriptBlocks(history, transcript, drawn, agents));
  }

  async *#run(prompt: NextPrompt, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    if (this.#source !== undefined) yield* this.#source.run(prompt, signal);
  }

  #onEvent(event: AgentEvent): void {
    if (event.type === 'turn-end' || event.type === 'prompt-end' || event.type === 'compaction') this.#measure();
    if (!this.#isTold(event)) this.#show(event);
  }

  #show(event: AgentEvent): void {
    this.#services.view.dispatch({ type: 'event', event, at: Date.now() });
  }

  #measure(): void {
    const agent = this.#agent;
    if (agent === undefined) return;
    const { used, window } = agent.context();
    const { cost } = agent.usage();
    this.#facts = { contextShare: used / window, ...(cost !== undefined && { cost: cost.toFixed(2) }) };
  }

  #commandFor(
    text: string,
  ): { isAlwaysThere: boolean; run: (signal: AbortSignal) => Promise<NextPrompt | undefined> } | undefined {
    if (text.startsWith('!')) return { isAlwaysThere: false, run: (signal) => this.#shell(text, signal) };
    const typed = parseCommand(text);
    if (typed === undefined) return undefined;
    const isAlwaysThere = findCommand(typed.name, this.#commands())?.isAlwaysThere === true;
    return { isAlwaysThere, run: (signal) => this.#command(text, signal) };
  }

  async #command(text: string, signal: AbortSignal): Promise<NextPrompt | undefined> {
    const { view, look } = this.#services;
    const { runCommand } = await import('../commands/run-command.js');
    view.dispatch({ type: 'shown', text: look.theme().paint('user', safeText`\n› ${makeSafe(text)}`) });
    const answer = await runCommand(text, this.#context(signal));
    this.#measure();
    return answer === undefined ? { text } : this.#follow(answer);
  }

  async #shell(text: string, signal: AbortSignal): Promise<undefined> {
    const agent = this.#agent;
    if (agent === undefined) return;
    const { runShell } = await import('../commands/run-shell.js');
    this.#follow(
      await runShell(text, { agent, typed: this.#services.typed, signal, onEvent: (event) => this.#show(event) }),
    );
  }

  #follow({ shown, forModel, composer, leaves, prompt, whenPromptEnds }: CommandAnswer): NextPrompt | undefined {
    if (shown !== undefined) this.#services.view.dispatch({ type: 'shown', text: shown });
    if (forModel !== undefined) this.#source?.note(forModel);
    if (composer !== undefined) this.#services.composer.setText(composer);
    if (leaves === true) this.#leave(ExitCode.OK);
    return prompt && { ...prompt, ...(whenPromptEnds && { whenPromptEnds }) };
  }

  #commands(): readonly Command[] {
    return [...BUILTIN_COMMANDS, ...this.#userCommands];
  }

  #context(signal: AbortSignal): CommandContext {
    const { surroundings, preparation, endpoint, terminal, bindings, look, view } = this.#services;
    const agent = this.#agent;
    if (agent === undefined) throw new Failure('not_ready', 'The session is not ready yet.');
    return {
      agent,
      surroundings,
      preparation,
      endpoint,
      stage: terminal.stage,
      signal,
      commands: () => this.#commands(),
      setTheme: (name) => {
        look.setTheme(name);
        view.refresh();
      },
      keys: () => describeKeys(bindings),
      showAgain: () => this.#showSession(),
    };
  }

  /** What the session that is open now said last. */
  #showSession(): void {
    const { view } = this.#services;
    const { events, left } = recentEvents(this.#agent?.history ?? [], SHOWN_MESSAGES);
    view.reset();
    if (left > 0) {
      const text = `${left} earlier ${left === 1 ? 'message is' : 'messages are'} not shown; the whole session is in the transcript.`;
      view.dispatch({ type: 'notice', level: 'info', text });
    }
    for (const { event, time } of events) view.dispatch({ type: 'event', event, at: Date.parse(time) });
    view.dispatch({ type: 'todos', todos: this.#agent?.config.getPlanning().conversation?.todos() ?? [] });
    view.settle();
    this.#tellAgents();
    this.#measure();
  }
}
