import type { AgentOptions } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { chooseModel } from '../choose-model.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { personOf, type Person } from '../person.js';
import { prepareSession, toolSystemOptions, type Preparation } from '../prepare-session.js';
import { readPrompt, type Prompt } from '../read-prompt.js';
import type { Surroundings } from '../surroundings.js';

/** `tenon "PROMPT"`, and `tenon` alone: one run, or a session when there is a person and no prompt. */
export async function runCommand(
  surroundings: Surroundings,
  options: Options,
  words: readonly string[],
): Promise<ExitCode> {
  // Before standard input is read: a wrong folder should not wait for it.
  const preparation = await prepareSession(surroundings, options, { mayAsk: options.outputFormat === 'text' });
  return runPrepared({ surroundings, options, words, preparation });
}

interface PreparedRun {
  readonly surroundings: Surroundings;
  readonly options: Options;
  readonly words: readonly string[];
  /** Its warnings were shown. */
  readonly preparation: Preparation;
}

/** The same, once the settings were read. */
export async function runPrepared({ surroundings, options, words, preparation }: PreparedRun): Promise<ExitCode> {
  const prompt = await promptOf(surroundings, options, words);
  const person = await personOf(surroundings);
  if (prompt === undefined && person.terminal === undefined) {
    throw new ExitFailure(
      ExitCode.USAGE,
      'There is no prompt, and no terminal to ask for one. Give it as an argument, with -p, or on standard input.',
    );
  }
  if (prompt === undefined && options.outputFormat !== 'text') {
    throw new ExitFailure(ExitCode.USAGE, `--output-format ${options.outputFormat} needs a prompt.`);
  }
  const { settings, modelName } = preparation;
  const offer = await offerOf(surroundings, preparation, person);
  const model = await chooseModel(surroundings, settings.values, modelName, offer);
  const agent: AgentOptions = {
    ...toolSystemOptions(surroundings, preparation),
    ...person.approver,
    model,
    version: surroundings.version,
    ...(preparation.maxTurns === undefined ? {} : { maxTurns: preparation.maxTurns.value }),
    ...(preparation.maxToolCalls === undefined ? {} : { maxToolCalls: preparation.maxToolCalls.value }),
  };
  const { turnstile, terminal } = person;
  if (prompt !== undefined) {
    const { runHeadless } = await import('../doors/headless/run-headless.js');
    const { outputFormat: format, quiet } = options;
    return runHeadless(surroundings, { prompt, agent, format, quiet, turnstile });
  }
  if (terminal === undefined) return ExitCode.USAGE;
  const { runInteractive } = await import('../doors/interactive/run-interactive.js');
  return runInteractive(surroundings, { agent, terminal, turnstile });
}

async function promptOf(
  surroundings: Surroundings,
  options: Options,
  words: readonly string[],
): Promise<Prompt | undefined> {
  if (options.prompt !== undefined && words.length > 0) {
    throw new ExitFailure(
      ExitCode.USAGE,
      `There are two prompts: the one of -p, and "${words.join(' ')}". Put the whole prompt in quotes.`,
    );
  }
  const given = options.prompt ?? (words.length > 0 ? words.join(' ') : undefined);
  const armed = surroundings.interrupts.arm();
  try {
    return await readPrompt(surroundings, given, armed.signal);
  } finally {
    armed.release();
  }
}

async function offerOf(surroundings: Surroundings, { settings, modelName }: Preparation, { terminal }: Person) {
  const { managed } = settings;
  // Whoever fixed where the model is does not want another one found.
  const isFixed = managed['model.provider'] !== undefined || managed['model.baseUrl'] !== undefined;
  if (terminal === undefined || isFixed) return undefined;
  const { createOfferLocal } = await import('../doors/interactive/offer-local.js');
  return createOfferLocal(terminal, surroundings.screen.output, modelName ?? managed['model.name']?.value);
}
