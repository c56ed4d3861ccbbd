import type { AgentEvent, Part } from '@tenon/core';

/** Something the person has said and that waits for its turn. */
export interface Waiting {
  readonly text: string;
  /** True: the model reads it with its next request; false: it comes when the work at hand is done. */
  readonly isSteering: boolean;
}

export interface NextPrompt {
  readonly text: string;
  readonly content?: readonly Part[];
  /** Files that go along. Default: those that the text mentions. */
  readonly attach?: readonly string[];
  readonly whenPromptEnds?: () => void;
}

/** What is done with what a person says; all of it knows nothing of terminals. */
export interface RunnerServices {
  /** The model's work on one prompt. Aborting ends it early; it never throws for that. */
  readonly prompt: (prompt: NextPrompt, signal: AbortSignal) => AsyncIterable<AgentEvent>;
  /** False when nothing runs that could read it. */
  readonly steer: (text: string) => boolean;
  /** A slash command or a `!` line; the prompt that it wants said, if any. Undefined: it is neither. */
  readonly command: (text: string) => Command | undefined;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onProblem: (thrown: unknown) => void;
  /** Something of `isBusy`, `waiting` has changed. */
  readonly onChange: () => void;
}

export interface Command {
  /** It may run while the model works. */
  readonly isAlwaysThere: boolean;
  readonly run: (signal: AbortSignal) => Promise<NextPrompt | undefined>;
}

type Work =
  | { readonly kind: 'prompt'; readonly prompt: NextPrompt }
  | { readonly kind: 'command'; readonly text: string; readonly command: Command };

/**
 * One thing at a time: what is said while something runs is read by the model with its next request, or waits in line.
 * Nothing that was said is lost: what was cancelled before its turn is handed back.
 */
export class PromptRunner {
  readonly #services: RunnerServices;
  readonly #queue: Work[] = [];
  #steering: string[] = [];
  #running: AbortController | undefined;
  #isPrompt = false;
  /** Commands that run beside the work. */
  readonly #beside = new Set<AbortController>();

  constructor(services: RunnerServices) {
    this.#services = services;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** True while the model works, not a command. */
  get isPrompting(): boolean {
    return this.#running !== undefined && this.#isPrompt;
  }

  get waiting(): readonly Waiting[] {
    return [
      ...this.#steering.map((text) => ({ text, isSteering: true })),
      ...this.#queue.map((work) => ({ text: textOf(work), isSteering: false })),
    ];
  }

  /** `waits`: it comes when the work at hand is done, though the model could read it at once. */
  submit(text: string, { waits = false }: { readonly waits?: boolean } = {}): void {
    const command = this.#services.command(text);
    if (command?.isAlwaysThere === true && this.isBusy) void this.#runBeside(command);
    else if (command !== undefined) this.#add({ kind: 'command', text, command });
    else if (!waits && this.isPrompting && this.#services.steer(text)) this.#steering.push(text);
    else this.#add({ kind: 'prompt', prompt: { text } });
    this.#services.onChange();
  }

  /** Ends what runs. Gives back what waited, in the order in which it was said. */
  cancel(): readonly string[] {
    for (const controller of this.#beside) controller.abort(cancelled());
    this.#running?.abort(cancelled());
    const given = this.waiting.map(({ text }) => text);
    this.#queue.length = 0;
    this.#steering = [];
    this.#services.onChange();
    return given;
  }

  /** Takes the last one that waits in line out of it; what the model may have read by now stays. */
  takeLast(): string | undefined {
    const last = this.#queue.pop();
    this.#services.onChange();
    return last === undefined ? undefined : textOf(last);
  }

  #add(work: Work): void {
    this.#queue.push(work);
    if (!this.isBusy) void this.#drain();
  }

  async #drain(): Promise<void> {
    for (let work = this.#queue.shift(); work !== undefined; work = this.#queue.shift()) {
      const controller = new AbortController();
      this.#running = controller;
      this.#isPrompt = work.kind === 'prompt';
      this.#services.onChange();
      try {
        await this.#run(work, controller.signal);
      } catch (thrown) {
        this.#services.onProblem(thrown);
      } finally {
        this.#running = undefined;
      }
      // What came too late to be read is the next thing that is said.
      const unread = this.#steering.splice(0).map((text): Work => ({ kind: 'prompt', prompt: { text } }));
      this.#queue.unshift(...unread);
    }
    this.#services.onChange();
  }

  async #run(work: Work, signal: AbortSignal): Promise<void> {
    const prompt = work.kind === 'prompt' ? work.prompt : await work.command.run(signal);
    if (prompt === undefined) return;
    this.#isPrompt = true;
    for await (const event of this.#services.prompt(prompt, signal)) {
      if (event.type === 'user-message' && event.isSteering === true) this.#wasRead(event.text);
      this.#services.onEvent(event);
    }
  }

  #wasRead(text: string): void {
    const place = this.#steering.indexOf(text);
    if (place !== -1) this.#steering.splice(place, 1);
  }

  async #runBeside(command: Command): Promise<void> {
    const controller = new AbortController();
    this.#beside.add(controller);
    try {
      const prompt = await command.run(controller.signal);
      if (prompt !== undefined) this.#add({ kind: 'prompt', prompt });
    } catch (thrown) {
      this.#services.onProblem(thrown);
    } finally {
      this.#beside.delete(controller);
      this.#services.onChange();
    }
  }
}

function textOf(work: Work): string {
  return work.kind === 'prompt' ? work.prompt.text : work.text;
}

function cancelled(): DOMException {
  return new DOMException('Cancelled.', 'AbortError');
}
