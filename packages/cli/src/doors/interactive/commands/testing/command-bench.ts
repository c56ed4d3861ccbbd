import path from 'node:path';
import { PassThrough } from 'node:stream';
import { createAgent, loadSettings, type Agent, type AgentEvent, type Approver } from '@tenon/core';
import {
  createTempWorkspace,
  startScriptedModel,
  type ScriptedModel,
  type ScriptedTurn,
  type TempWorkspace,
  type TurnFunction,
  type WorkspaceEntry,
} from '@tenon/core/testing';
import { createExits } from '../../../../exits.js';
import { createInterrupts } from '../../../../interrupts.js';
import { createOutput, type Output } from '../../../../output.js';
import { modelOptions } from '../../../../agent-limits.js';
import { openEndpoint } from '../../../../choose-model.js';
import { combine, toolSystemOptions } from '../../../../prepare-session.js';
import { parseArguments } from '../../../../arguments/parse-arguments.js';
import { settingsPlaces, type Surroundings } from '../../../../surroundings.js';
import { BUILTIN_COMMANDS } from '../command-list.js';
import type { Command, CommandAnswer, CommandContext } from '../command.js';
import { runCommand } from '../run-command.js';
import { createFakeStage, type FakeStage } from './fake-stage.js';

export interface CommandBenchOptions {
  readonly files?: Readonly<Record<string, WorkspaceEntry>>;
  /** Below the person's home. */
  readonly home?: Readonly<Record<string, WorkspaceEntry>>;
  readonly turns?: readonly (ScriptedTurn | TurnFunction)[];
  /** Beside `tenon`: `--approval-mode plan`. */
  readonly args?: readonly string[];
  readonly env?: Surroundings['env'];
  readonly approver?: Approver;
  /** The folder is trusted before its settings are read. */
  readonly isTrusted?: boolean;
}

/** A real agent over the scripted model, with all that commands get; only the terminal is none. */
export interface CommandBench {
  readonly agent: Agent;
  readonly workspace: TempWorkspace;
  readonly home: TempWorkspace;
  readonly model: ScriptedModel;
  readonly context: CommandContext;
  /** What the door was told to do. */
  readonly done: { readonly themes: readonly string[]; readonly shownAgain: number };
  /** As if the line were typed. `panels`: the keys for each panel that opens. */
  run(text: string, panels?: readonly (readonly string[])[]): Promise<CommandAnswer>;
  /** What it shows. */
  say(text: string, panels?: readonly (readonly string[])[]): Promise<string>;
  /** What the last panels showed. */
  frames(): readonly string[];
  prompt(text: string): Promise<readonly AgentEvent[]>;
  close(): Promise<void>;
}

export async function createCommandBench(options: CommandBenchOptions = {}): Promise<CommandBench> {
  const workspace = await createTempWorkspace(options.files);
  const home = await createTempWorkspace(options.home);
  const model = await startScriptedModel(options.turns ?? []);
  const surroundings = surroundingsOf(workspace, home, {
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'key-of-the-test',
    OPENAI_MODEL: model.model,
    ...options.env,
  });
  const load = () => loadSettings(settingsPlaces(surroundings, workspace.root));
  if (options.isTrusted === true) await (await load()).trust.accept();
  const parsed = parseArguments([...(options.args ?? [])]);
  const preparation = combine([workspace.root], await load(), parsed.options);
  const endpoint = await openEndpoint(surroundings, { ...preparation, modelName: undefined }, undefined);
  const agent = await createAgent({
    ...toolSystemOptions(surroundings, preparation),
    ...(options.approver !== undefined && { approver: options.approver }),
    ...modelOptions(preparation, endpoint),
    version: '0',
  });
  const done = { themes: [] as string[], shownAgain: 0 };
  let stage: FakeStage = createFakeStage();
  const contextWith = (with_: FakeStage, commands: readonly Command[]): CommandContext => ({
    agent,
    surroundings,
    preparation,
    endpoint,
    stage: with_,
    signal: new AbortController().signal,
    commands: () => commands,
    setTheme: (name) => void done.themes.push(name),
    keys: () => [{ keys: ['enter'], does: 'sends what is written' }],
    showAgain: () => void (done.shownAgain += 1),
  });
  const run: CommandBench['run'] = async (text, panels = []) => {
    stage = createFakeStage({ panels });
    const answer = await runCommand(text, contextWith(stage, BUILTIN_COMMANDS));
    if (answer === undefined) throw new Error(`${text} is no command.`);
    return answer;
  };
  return {
    agent,
    workspace,
    home,
    model,
    context: contextWith(stage, BUILTIN_COMMANDS),
    done,
    run,
    say: async (text, panels) => (await run(text, panels)).shown ?? '',
    frames: () => stage.frames,
    prompt: async (text) => {
      const events: AgentEvent[] = [];
      for await (const event of agent.prompt(text)) events.push(event);
      return events;
    },
    close: async () => {
      await agent.close();
      await model.close();
      await workspace.remove();
      await home.remove();
    },
  };
}

function surroundingsOf(workspace: TempWorkspace, home: TempWorkspace, env: Surroundings['env']): Surroundings {
  const output = (): Output =>
    createOutput(new PassThrough() as unknown as Parameters<typeof createOutput>[0], {}, () => undefined);
  const [out, err] = [output(), output()];
  return {
    version: '0.0.0-test',
    args: [],
    env: { PATH: process.env['PATH'], HOME: home.root, LANG: 'C.UTF-8', ...env },
    cwd: workspace.root,
    userHome: home.root,
    tenonHome: path.join(home.root, '.tenon'),
    managed: { file: path.join(home.root, 'machine', 'settings.json'), owner: process.getuid?.() },
    tempFolder: home.root,
    stdin: () => new PassThrough(),
    out,
    err,
    screen: { output: err, stream: () => new PassThrough() },
    interrupts: createInterrupts(() => undefined),
    exits: createExits(),
    nodePath: process.execPath,
  };
}
