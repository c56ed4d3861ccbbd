import {
  readFieldText,
  safeText,
  type Asker,
  type FormField,
  type PersonQuestion,
  type QuestionAnswer,
  type Safe,
} from '@tenon/core';
import type { Output } from '../../output.js';
import { safeLine } from '../../ui/safe-lines.js';
import type { Terminal } from '../../ui/terminal.js';
import type { Turnstile } from '../../ui/turnstile.js';
import { fieldView, questionView, reviewView } from './question-view.js';

export interface AskerOptions {
  readonly terminal: Terminal;
  readonly screen: Output;
  readonly turnstile: Turnstile;
  /** True when a browser was started. */
  readonly openUrl: (url: string) => Promise<boolean>;
  /** Ctrl-C at the question: the run is cancelled as well. */
  readonly interrupt: () => void;
}

const CANCEL: QuestionAnswer = { action: 'cancel' };
const DECLINE: QuestionAnswer = { action: 'decline' };

/** Puts the questions of servers to the person, one after the other. Nothing goes out without a clear yes to all of it. */
export function createAsker(options: AskerOptions): Asker {
  const silenced = new Set<string>();
  return async (question, signal) => {
    if (silenced.has(question.server)) return DECLINE;
    // A prompt that is typed is not torn apart; the turnstile is free then, so that nobody waits.
    if (options.terminal.isReading) return putOff(question.server, options);
    return options.turnstile.run(async () => {
      if (signal.aborted || silenced.has(question.server)) return CANCEL;
      if (options.terminal.isReading) return putOff(question.server, options);
      const answer = await new Dialog(options, signal).ask(question);
      if (answer !== 'silence') return answer;
      silenced.add(question.server);
      return DECLINE;
    });
  };
}

async function putOff(server: string, { terminal, screen }: AskerOptions): Promise<QuestionAnswer> {
  const name = safeLine(JSON.stringify(server));
  const said = safeText`The server ${name} had a question while nothing ran. It was told to come back.\n`;
  await terminal.interject(() => screen.write(said));
  return CANCEL;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly means: 'go' | 'edit' | 'silence' | QuestionAnswer;
}

class LeftDialog extends Error {}

/** One question, until it is answered. */
class Dialog {
  readonly #options: AskerOptions;
  readonly #signal: AbortSignal;

  constructor(options: AskerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async ask(question: PersonQuestion): Promise<QuestionAnswer | 'silence'> {
    const { screen } = this.#options;
    await this.#write(safeText`\n${questionView(question, screen.colors)}`);
    try {
      switch (question.kind) {
        case 'form':
          return await this.#form(question.server, question.fields);
        case 'page':
          return await this.#page(question.url);
        case 'sampling':
          return await this.#sampling(question.stage);
        default:
          return question satisfies never;
      }
    } catch (thrown) {
      if (!(thrown instanceof LeftDialog)) throw thrown;
      if (this.#signal.aborted) await this.#write(safeText`\nThe question was taken back.\n`);
      else this.#options.interrupt();
      return CANCEL;
    }
  }

  async #form(server: string, fields: readonly FormField[]): Promise<QuestionAnswer | 'silence'> {
    const begin = { key: 'a', label: fields.length === 0 ? 'accept' : 'answer', means: 'go' } as const;
    const first = await this.#choose([begin, ...REFUSALS]);
    if (first !== 'go') return first;
    if (fields.length === 0) return { action: 'accept', content: {} };
    let content = new Map<string, unknown>();
    for (;;) {
      content = await this.#fill(fields, content);
      await this.#write(safeText`\n${reviewView(fields, content, server)}`);
      const then = await this.#choose([
        { key: 's', label: 'send', means: 'go' },
        { key: 'e', label: 'edit', means: 'edit' },
        ...REFUSALS,
      ] as const);
      if (then === 'go') return { action: 'accept', content: Object.fromEntries(content) };
      if (then !== 'edit') return then;
    }
  }

  /** Field by field; what was said before is what Enter alone stands for. */
  async #fill(fields: readonly FormField[], before: ReadonlyMap<string, unknown>): Promise<Map<string, unknown>> {
    const content = new Map<string, unknown>();
    for (const [index, field] of fields.entries()) {
      const said = before.get(field.name) ?? field.default;
      const place = safeText`Field ${index + 1} of ${fields.length}`;
      await this.#write(safeText`\n${fieldView(field, place, said, this.#options.screen.colors)}`);
      const value = await this.#value(field, said);
      if (value !== undefined) content.set(field.name, value);
    }
    return content;
  }

  async #value(field: FormField, said: unknown): Promise<unknown> {
    for (;;) {
      const line = await this.#line('› ');
      if (line.trim() === '' && said !== undefined) return said;
      const read = readFieldText(field, line);
      if ('value' in read) return read.value;
      await this.#write(safeText`It ${safeLine(read.problem)}.\n`);
    }
  }

  async #page(url: string): Promise<QuestionAnswer | 'silence'> {
    const choice = await this.#choose([{ key: 'o', label: 'open it', means: 'go' }, ...REFUSALS] as const);
    if (choice !== 'go') return choice;
    if (!(await this.#options.openUrl(url)))
      await this.#write(safeText`There is no browser to be started from here: open the address above yourself.\n`);
    return { action: 'accept' };
  }

  async #sampling(stage: 'request' | 'answer'): Promise<QuestionAnswer | 'silence'> {
    const yes = {
      key: 'y',
      label: stage === 'request' ? 'ask the model' : 'send it to the server',
      means: 'go',
    } as const;
    const choice = await this.#choose([yes, ...REFUSALS]);
    return choice === 'go' ? { action: 'accept' } : choice;
  }

  /** Enter alone takes the last. */
  async #choose<C extends Choice>(choices: readonly C[]): Promise<C['means'] | QuestionAnswer> {
    const question = `${choices.map(({ key, label }) => `[${key}] ${label}`).join('  ')} › `;
    for (;;) {
      const word = (await this.#line(question)).trim().toLowerCase();
      const choice = word === '' ? choices.at(-1) : choices.find(({ key, label }) => key === word || label === word);
      if (choice !== undefined) return choice.means;
      const keys = safeLine(choices.map(({ key }) => key).join(', '));
      await this.#write(safeText`Please answer ${keys}. Enter alone means not now.\n`);
    }
  }

  async #line(question: string): Promise<string> {
    const line = await this.#options.terminal.ask(question, this.#signal);
    if (line === undefined) throw new LeftDialog();
    return line;
  }

  #write(text: Safe): Promise<void> {
    return this.#options.screen.write(text);
  }
}

const REFUSALS = [
  { key: 'd', label: 'decline', means: DECLINE },
  { key: 'x', label: 'decline all of this server', means: 'silence' },
  { key: 'n', label: 'not now (default)', means: CANCEL },
] as const;
