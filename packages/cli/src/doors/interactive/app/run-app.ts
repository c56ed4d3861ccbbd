import { realpathSync } from 'node:fs';
import path from 'node:path';
import { createAgent, makeSafe, projectFolders, wrapSafe, type Agent, type AgentOptions } from '@tenon/core';
import { ExitCode } from '../../../exit-codes.js';
import type { Preparation } from '../../../prepare-session.js';
import type { Surroundings } from '../../../surroundings.js';
import { createTypedCalls } from '../commands/typed-calls.js';
import { PromptHistory } from '../composer/history/prompt-history.js';
import { bindKeys } from '../composer/key-bindings.js';
import { openComposer } from '../composer/open-composer.js';
import { createEditText } from '../edit-text.js';
import { createPanelApprover } from '../panels/panel-approver.js';
import { createPanelAsker } from '../panels/panel-asker.js';
import type { InteractiveRun } from '../interactive-run.js';
import { openTerminal } from '../screen/open-terminal.js';
import { BELL } from '../screen/terminal-modes.js';
import { createHighlighter } from '../views/markdown/highlighter.js';
import { createTranscript } from '../views/transcript.js';
import { App } from './app.js';
import { AppView } from './app-view.js';
import { createTerminalLook } from './terminal-look.js';

/** Whoever answers questions, as the agent's options have it, is put aside: they are put here. */
export type AppRun = Pick<InteractiveRun, 'preparation' | 'endpoint' | 'agent' | 'options'>;

/**
 * A session in the terminal, until the person leaves. The composer is there at once: what is typed before the agent is
 * ready waits for it. @throws what kept the agent from being made, once the terminal is given back
 */
export async function runApp(surroundings: Surroundings, run: AppRun): Promise<ExitCode> {
  const ending = new AbortController();
  const { app, terminal, history, answering } = openApp(surroundings, run, ending.signal);
  app.welcome();
  const armed = surroundings.interrupts.arm();
  armed.signal.addEventListener('abort', () => app.leave(ExitCode.INTERRUPTED), { once: true });
  try {
    const agent = await createAgent({ ...run.agent, ...answering });
    const takeOff = surroundings.exits.register(agent.endCommands);
    try {
      await app.begin(agent);
      return await app.left;
    } finally {
      ending.abort();
      app.cancel();
      await Promise.all([agent.close(), history.settled()]);
      takeOff();
    }
  } finally {
    armed.release();
    terminal.close();
  }
}

interface OpenApp {
  readonly app: App;
  readonly terminal: ReturnType<typeof openTerminal>;
  readonly history: PromptHistory;
  readonly answering: Required<Pick<AgentOptions, 'approver' | 'asker'>>;
}

/** Takes the terminal; the parts know each other, and none of them does anything before all are there. */
function openApp(
  surroundings: Surroundings,
  { preparation, agent, endpoint, options }: AppRun,
  signal: AbortSignal,
): OpenApp {
  const { values } = preparation.settings;
  const look = createTerminalLook({ surroundings, values, theme: options.theme });
  const bindings = bindKeys(values['ui.keys']?.value);
  const highlighter = createHighlighter(() => view.refresh());
  const transcript = createTranscript({ highlighter, diffLayout: values['ui.diff']?.value ?? 'auto' });
  const terminal = openTerminal(surroundings, {
    theme: look.theme,
    wrap: wrapSafe,
    onReply: (reply) => {
      if (look.onReply(reply)) view.refresh();
    },
    onEnd: () => app.leave(ExitCode.OUTPUT_CLOSED),
  });
  const { stage, screen } = terminal;
  const view: AppView = new AppView({ screen, stage, transcript, look, facts: () => app.facts() });
  const history = new PromptHistory({
    file: historyFile(surroundings, preparation),
    hide: (text) => app.agent?.hideSecrets(text) ?? text,
    onProblem: (text) => view.dispatch({ type: 'notice', level: 'warning', text }),
  });
  const editText = createEditText(withEditor(surroundings.env, values['ui.editor']?.value), surroundings.tempFolder);
  const asking = {
    stage,
    interrupt: (): void => app.cancel(),
    bell: (): void => (values['ui.bell']?.value === true ? screen.ring(BELL) : undefined),
  };
  const typed = createTypedCalls(createPanelApprover({ ...asking, editText }));
  const openUrl = async (url: string): Promise<boolean> =>
    (await import('../../../open-url.js')).openUrl(url, { ...surroundings, platform: process.platform });
  const composer = openComposer({
    agent: (): Agent | undefined => app.agent,
    stage,
    editText,
    signal,
    bindings,
    history,
    unicode: look.unicode,
    onSubmit: ({ text }) => app.submit(text),
    onAction: (action) => app.act(action),
    completeCommand: (text) => app.complete(text),
    onProblem: (problem) => stage.print(makeSafe(problem, { multiline: true })),
    takeQueued: () => app.takeQueued(),
  });
  const app: App = new App({
    surroundings,
    preparation,
    endpoint,
    modelLabel: agent.model.label,
    terminal,
    view,
    composer,
    bindings,
    typed,
    transcript,
    look,
  });
  stage.setBase(view.withStatus(composer));
  stage.setAbove((size) => view.above(size));
  return {
    app,
    terminal,
    history,
    answering: { approver: typed.approver, asker: createPanelAsker({ ...asking, openUrl }) },
  };
}

/** In the project's own folder, beside its sessions. */
function historyFile({ tenonHome }: Surroundings, { roots: [root] }: Preparation): string {
  return path.join(projectFolders(tenonHome, realpathSync.native(root)).base, 'history.jsonl');
}

function withEditor(env: Surroundings['env'], editor: string | undefined): Surroundings['env'] {
  return editor === undefined ? env : { ...env, VISUAL: editor };
}
