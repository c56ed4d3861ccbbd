import {
  createAgent,
  createPainter,
  findMentions,
  safeText,
  type Agent,
  type AgentOptions,
  type JobEvent,
  type Part,
} from '@tenon/core';
import { ExitCode } from '../../exit-codes.js';
import type { Surroundings } from '../../surroundings.js';
import { createLiveView, type LiveView } from '../../ui/live-view.js';
import { safeBlock, safeLine } from '../../ui/safe-lines.js';
import { createRefusals } from '../../ui/refusals.js';
import { createUndoHint } from '../../ui/undo-hint.js';
import { sayLines, warn } from '../../ui/say.js';
import type { Terminal } from '../../ui/terminal.js';
import type { Turnstile } from '../../ui/turnstile.js';
import { denialLines, endLines } from '../../ui/end-lines.js';
import { serverCommand, type ServerAnswer } from './server-commands.js';
import { sessionCommand } from './session-commands.js';

export interface InteractiveRun {
  readonly agent: AgentOptions;
  readonly terminal: Terminal;
  readonly turnstile: Turnstile;
}

/** A session: prompt after prompt, until the person leaves. */
export async function runInteractive(surroundings: Surroundings, run: InteractiveRun): Promise<ExitCode> {
  const { out, err, version } = surroundings;
  const paint = createPainter(err.colors);
  const agent = await createAgent(run.agent);
  const takeOff = surroundings.exits.register(agent.endCommands);
  const view = withJobLines(createLiveView({ out, err, turnstile: run.turnstile, quiet: false }), run.terminal, agent);
  try {
    const label = `${run.agent.model.label}, mode ${agent.config.getApprovalMode()}`;
    const name = paint('bold', safeLine(`tenon ${version}`));
    const hint = paint('dim', safeText`/help shows what you can do here.`);
    await err.write(safeText`${name}  ${paint('dim', safeLine(label))}\n${hint}\n`);
    await warn(err, agent.notices);
    return await promptLoop(surroundings, run, agent, view);
  } finally {
    await agent.close();
    takeOff();
  }
}

async function promptLoop(
  surroundings: Surroundings,
  { terminal, turnstile, agent: project }: InteractiveRun,
  agent: Agent,
  view: LiveView,
): Promise<ExitCode> {
  const { err, out } = surroundings;
  let interrupted = false;
  const notes: string[] = [];
  while (!out.closed.aborted) {
    // A server that has just started may have asked: two readers of one terminal would take each other's keys.
    await turnstile.run(async () => undefined);
    const reading = await terminal.readPrompt('› ');
    if (reading.kind === 'end') return ExitCode.OK;
    if (reading.kind === 'interrupt') {
      if (interrupted) return ExitCode.INTERRUPTED;
      interrupted = true;
      await err.write(safeText`Ctrl-C again leaves.\n`);
      continue;
    }
    interrupted = false;
    const text = reading.text.trim();
    if (text === '/exit' || text === '/quit') return ExitCode.OK;
    if (text === '') continue;
    const answer = text.startsWith('/') ? await askServers(surroundings, agent, text) : undefined;
    if (answer !== undefined && 'shown' in answer) await err.write(safeBlock(answer.shown));
    else if (answer !== undefined)
      await runTurn(surroundings, agent, view, { text, notes: notes.splice(0), content: answer.content });
    else if (/^\/[a-z]+(\s|$)/.test(text)) {
      const { shown, forModel } = await sessionCommand(text, { agent, project, screen: err });
      await err.write(shown);
      if (forModel !== undefined) notes.push(forModel);
    } else await runTurn(surroundings, agent, view, { text: reading.text, notes: notes.splice(0) });
  }
  return ExitCode.OUTPUT_CLOSED;
}

/** While the person is asked for the next prompt, what happens to jobs is told at once; it comes up again in the stream. */
function withJobLines(view: LiveView, terminal: Terminal, agent: Agent): LiveView {
  const told = new Set<string>();
  const key = (event: JobEvent): string => JSON.stringify([event.jobId, event]);
  agent.onJob((event) => {
    if (!terminal.isReading) return;
    told.add(key(event));
    void terminal.interject(() => view.onEvent(event));
  });
  return {
    onEvent: async (event) => {
      const isTold = (event.type === 'job-end' || event.type === 'job-wait') && told.delete(key(event));
      if (!isTold) await view.onEvent(event);
    },
  };
}

/** Ctrl-C ends waiting for a server. */
async function askServers(surroundings: Surroundings, agent: Agent, text: string): Promise<ServerAnswer | undefined> {
  const armed = surroundings.interrupts.arm();
  try {
    return await serverCommand(text, agent.mcp, AbortSignal.any([armed.signal, surroundings.out.closed]));
  } finally {
    armed.release();
  }
}

interface Turn {
  /** As it was typed. */
  readonly text: string;
  /** What goes before it. */
  readonly notes: readonly string[];
  /** What a server says to it. */
  readonly content?: readonly Part[];
}

async function runTurn(surroundings: Surroundings, agent: Agent, view: LiveView, turn: Turn): Promise<void> {
  const { text, notes, content = [] } = turn;
  const armed = surroundings.interrupts.arm();
  const signal = AbortSignal.any([armed.signal, surroundings.out.closed]);
  const refusals = createRefusals();
  const hint = createUndoHint((words) => `/${words}`);
  try {
    // A person who types does not wait for servers that still start.
    const more = { attach: findMentions(text), content, waitsForServers: false };
    for await (const event of agent.prompt([...notes, text].join('\n\n'), signal, more)) {
      refusals.onEvent(event);
      hint.onEvent(event);
      await view.onEvent(event);
      if (event.type !== 'prompt-end') continue;
      const lines = [...endLines(event), ...denialLines(event.denials, refusals), ...hint.take()];
      await sayLines(surroundings.err, lines);
    }
  } finally {
    armed.release();
  }
}
