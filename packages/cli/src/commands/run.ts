import { findMentions, type AgentOptions, type AnswerSchema } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { modelOptions } from '../agent-limits.js';
import { openEndpoint, type ModelEndpoint } from '../choose-model.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { nobody, personOf, type Person } from '../person.js';
import { prepareSession, toolSystemOptions, type Preparation } from '../prepare-session.js';
import { checkPrompt, readPrompt, type Prompt } from '../read-prompt.js';
import type { Surroundings } from '../surroundings.js';
import { createSay } from '../slash/user/create-say.js';
import { sessionSource } from './session-source.js';

/** `tenon "PROMPT"`, and `tenon` alone: one run, or a session when there is a person and no prompt. */
export async function runCommand(
  surroundings: Surroundings,
  options: Options,
  words: readonly string[],
): Promise<ExitCode> {
  // Before standard input is read: a wrong folder should not wait for it.
  const preparation = await prepareSession(surroundings, options, {
    mayAsk: options.outputFormat === 'text',
    begins: true,
  });
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
export async function runPrepared(run: PreparedRun): Promise<ExitCode> {
  const { surroundings, options, preparation } = run;
  checkFormats(options);
  const readsLines = options.inputFormat === 'stream-json';
  const schema = await schemaOf(surroundings, options);
  const prompt = readsLines ? firstPrompt(run) : await promptOf(run);
  // Lines of a program come where a person would type.
  const person = readsLines ? nobody() : await personOf(surroundings);
  if (!readsLines && prompt === undefined) checkSession(options, person);
  const offer = await offerOf(surroundings, preparation, person);
  const endpoint = await openEndpoint(surroundings, preparation, offer);
  const [root] = preparation.roots;
  const session = options.session && (await sessionSource(surroundings, options.session, { root, person }));
  const agent: AgentOptions = {
    ...toolSystemOptions(surroundings, preparation),
    ...person.approver,
    ...modelOptions(preparation, endpoint),
    ...(session !== undefined && { session }),
    version: surroundings.version,
  };
  const { turnstile, terminal } = person;
  const includePartial = options.includePartial === true;
  const say = createSay(surroundings, preparation, endpoint);
  if (readsLines) {
    const { runStream } = await import('../doors/headless/run-stream.js');
    const asksByLines = options.approvals === 'stdin';
    return failureOf(
      await runStream(surroundings, { agent, prompt, includePartial, schema, asksByLines, say }),
      endpoint,
    );
  }
  if (prompt !== undefined) {
    const { runHeadless } = await import('../doors/headless/run-headless.js');
    const { outputFormat: format, quiet } = options;
    const all = { prompt, agent, format, includePartial, schema, quiet, turnstile, say };
    return failureOf(await runHeadless(surroundings, all), endpoint);
  }
  if (terminal === undefined) return ExitCode.USAGE;
  const { runInteractive } = await import('../doors/interactive/run-interactive.js');
  return runInteractive(surroundings, { agent, terminal, turnstile, preparation, options, endpoint });
}

/** Where the model never heard of it, because its key was not to be had, that is what is told. Pure. */
function failureOf(code: ExitCode, { lacksKey }: ModelEndpoint): ExitCode {
  return code === ExitCode.MODEL_FAILED && lacksKey() ? ExitCode.NO_MODEL : code;
}

/** Options that say nothing beside those that are given: whoever wrote them meant something. */
function checkFormats({ inputFormat, outputFormat, approvals, includePartial }: Options): void {
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json')
    throw usage(`--input-format stream-json is answered in --output-format stream-json, not in ${outputFormat}.`);
  if (inputFormat === 'text' && approvals === 'stdin')
    throw usage('--approvals stdin goes with --input-format stream-json: its lines are the answers.');
  if (includePartial === true && outputFormat !== 'stream-json')
    throw usage('--include-partial goes with --output-format stream-json.');
}

/** Without a prompt there must be a person, and nothing that only a prompt can have. */
function checkSession({ outputFormat, jsonSchema }: Options, { terminal }: Person): void {
  if (terminal === undefined)
    throw usage(
      'There is no prompt, and no terminal to ask for one. Give it as an argument, with -p, or on standard input.',
    );
  if (outputFormat !== 'text') throw usage(`--output-format ${outputFormat} needs a prompt.`);
  if (jsonSchema !== undefined) throw usage('--json-schema needs a prompt.');
}

async function schemaOf({ cwd }: Surroundings, { jsonSchema }: Options): Promise<AnswerSchema | undefined> {
  if (jsonSchema === undefined) return undefined;
  const { readSchema } = await import('../doors/headless/read-schema.js');
  return readSchema(jsonSchema, cwd ?? '/');
}

async function promptOf(run: PreparedRun): Promise<Prompt | undefined> {
  const given = givenPrompt(run);
  const armed = run.surroundings.interrupts.arm();
  try {
    return await readPrompt(run.surroundings, given, armed.signal);
  } finally {
    armed.release();
  }
}

/** Of the command line alone: standard input holds lines. */
function firstPrompt(run: PreparedRun): Prompt | undefined {
  const given = givenPrompt(run);
  if (given === undefined) return undefined;
  checkPrompt(given);
  return { text: given, attach: findMentions(given) };
}

function givenPrompt({ options, words }: PreparedRun): string | undefined {
  if (options.prompt !== undefined && words.length > 0)
    throw usage(`There are two prompts: the one of -p, and "${words.join(' ')}". Put the whole prompt in quotes.`);
  return options.prompt ?? (words.length > 0 ? words.join(' ') : undefined);
}

function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}

async function offerOf(surroundings: Surroundings, { settings, modelName }: Preparation, { terminal }: Person) {
  const { managed } = settings;
  // Whoever fixed where the model is does not want another one found.
  const isFixed = managed['model.provider'] !== undefined || managed['model.baseUrl'] !== undefined;
  if (terminal === undefined || isFixed) return undefined;
  const { createOfferLocal } = await import('../doors/interactive/offer-local.js');
  return createOfferLocal(terminal, surroundings.screen.output, modelName ?? managed['model.name']?.value);
}
