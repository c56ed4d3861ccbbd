import { agentCatalogue, agentNamed, agentsText, agentText } from '../../../commands/agents.js';
import { safeBlock } from '../../../ui/safe-lines.js';
import { agentRuns, runLine, type AgentRun } from './agent-runs.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { completionsOf, say } from './lines.js';

/** `/agents [NAME|ID|stop ID]`: the kinds of agents, those that work and worked in this session, what one did, and stopping one. */
export const agentsCommand: CommandBody = {
  run: async (typed, context) => {
    const { agent, surroundings, preparation } = context;
    const stopped = /^stop(?:\s+(\S+))?$/.exec(typed);
    if (stopped !== null) return stop(stopped[1], context);
    const runs = agentRuns(agent, Date.now());
    const run = runs.find(({ agentId }) => agentId === typed);
    if (run !== undefined) return show(run, context);
    const catalogue = await agentCatalogue(surroundings, preparation);
    if (typed !== '') {
      const definition = agentNamed(typed, catalogue);
      return say(typeof definition === 'string' ? definition : agentText(definition));
    }
    return { shown: safeBlock(agentsText(catalogue) + runsText(runs)) };
  },
  complete: async (typed, { agent, surroundings, preparation }) => {
    const runs = agentRuns(agent, Date.now());
    const id = /^stop\s+(.*)$/s.exec(typed)?.[1];
    if (id !== undefined) return completionsOf(wordsOf(runs.filter(({ state }) => state === 'working')), id);
    const { definitions } = await agentCatalogue(surroundings, preparation);
    const kinds = definitions.map(({ name, description }) => ({ word: name, detail: description }));
    return completionsOf([{ word: 'stop', detail: 'ends one that works' }, ...wordsOf(runs), ...kinds], typed);
  },
};

function wordsOf(runs: readonly AgentRun[]): { readonly word: string; readonly detail: string }[] {
  return runs.map(({ agentId, description }) => ({ word: agentId, detail: description }));
}

function runsText(runs: readonly AgentRun[]): string {
  if (runs.length === 0) return 'None has worked in this session yet. /agents NAME shows what one is told.\n';
  return [
    'In this session:',
    ...runs.map(runLine),
    '/agents ID shows what one said and did, /agents stop ID ends it.',
    '',
  ].join('\n');
}

async function stop(id: string | undefined, { agent }: CommandContext): Promise<CommandAnswer> {
  if (id === undefined) return say('Write /agents stop with the id of one that works; /agents lists them.');
  const isStopped = await agent.config.getSubagents()?.stop(id);
  if (isStopped === true) return say(`${id} is stopped.`);
  return say(`No agent ${JSON.stringify(id)} works now. /agents lists those that do.`);
}

async function show(
  run: AgentRun,
  { stage, surroundings, preparation, signal }: CommandContext,
): Promise<CommandAnswer> {
  const { events, problems } = run.log;
  if (events.length === 0) return say([`Nothing is known of what ${run.label} did.`, ...problems].join('\n'));
  const [
    { transcriptBlocks },
    { viewTranscript },
    { createTranscript },
    { createHighlighter },
    { createTerminalLook },
  ] = await Promise.all([
    import('../app/transcript-blocks.js'),
    import('../panels/view-transcript.js'),
    import('../views/transcript.js'),
    import('../views/markdown/highlighter.js'),
    import('../app/terminal-look.js'),
  ]);
  const { unicode, images } = createTerminalLook({ surroundings, values: preparation.settings.values });
  const look = { theme: stage.theme(), now: Date.now(), unicode, ...(images && { images }) };
  await viewTranscript(
    stage,
    transcriptBlocks(events, createTranscript({ highlighter: createHighlighter() }), look),
    signal,
  );
  return {};
}
