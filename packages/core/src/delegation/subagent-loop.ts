import type { CompactionHooks } from '../agent/compaction-hooks.js';
import { JobInbox } from '../agent/job-inbox.js';
import type { LoopServices } from '../agent/loop-types.js';
import { systemPrompt } from '../agent/system-prompt.js';
import { readyCalls, withMemory } from '../extensions/agent-side.js';
import { checkedCalls } from '../extensions/checked-calls.js';
import type { OpenedHooks } from '../hooks/open-hooks.js';
import { ToolOffer } from '../tools/deferral/tool-offer.js';
import type { WorkingAgent } from './working-agent.js';

/** What the loop of a subagent is given. */
export function loopServices(agent: WorkingAgent): LoopServices {
  const { task, work, tools, log, keeper, model, self } = agent;
  const { agentId, host, limits } = task;
  const { options, system } = host;
  const memory = work.config.getMemory();
  const offer = new ToolOffer(tools.registry, options.mcp?.toolBudget);
  const run = checkedCalls(work.config, self.services);
  const inbox = new JobInbox(work.jobs, work.config.getTargetDir());
  const own = {
    takeEvents: () => [...self.outlet.takeEvents(), ...inbox.takeEvents()],
    takeNote: () => inbox.takeNote(),
    endAll: () => inbox.endAll(),
  };
  const beside = withMemory(withMemory(own, memory, agentId), work.config.getSkills(), agentId);
  return {
    get model() {
      return model.now().model;
    },
    get prices() {
      return model.now().facts?.prices;
    },
    conversation: log.conversation,
    system: () => instructionsOf(agent),
    tools: () => offer.forModel(),
    runCalls: (calls, signal) => {
      offer.note(calls.map(({ toolName }) => toolName));
      const events = readyCalls(system.extensions, calls, signal, () => run(calls, signal));
      return self.outlet.merge(calls, tools.registry, memory.follow(events, agentId));
    },
    maxTurns: limits.maxTurns,
    maxToolCalls: options.maxToolCalls ?? Number.POSITIVE_INFINITY,
    maxSeconds: limits.maxSeconds,
    maxCost: options.maxCost,
    cost: host.cost(),
    context: keeper,
    hooks: hooksOf(system.hooks, agent),
    jobs: beside,
  };
}

interface Named {
  readonly agentId: string;
  /** Name of its definition. */
  readonly agent: string;
  readonly logFile: string;
}

/** Whose conversation it is, as hooks read it. */
function factsOf({ agentId, agent, logFile }: Named) {
  return { agent_id: agentId, agent_type: agent, agent_transcript_path: logFile };
}

/** Before its conversation is made shorter. For the session nothing begins anew by that. */
export function compactionHooks(hooks: OpenedHooks | undefined, named: Named): CompactionHooks | undefined {
  if (hooks === undefined) return undefined;
  return {
    compacting: async (facts, signal) => hooks.session.compacting({ ...facts, ...factsOf(named) }, signal),
    started: async () => ({ events: [], contexts: [] }),
  };
}

/** Its task is not the person's words, and its end not the session's. */
function hooksOf(hooks: OpenedHooks | undefined, { task, log }: WorkingAgent): LoopServices['hooks'] {
  if (hooks === undefined) return undefined;
  const facts = factsOf({ agentId: task.agentId, agent: task.definition.name, logFile: log.file });
  return {
    submitted: async () => ({ events: [], contexts: [] }),
    stopping: async (text, goingsOn, signal) =>
      hooks.session.subagentStopping({ ...facts, last_assistant_message: text }, goingsOn, signal),
  };
}

function instructionsOf({ task, label, work, tools, self }: WorkingAgent): string {
  const { definition, host } = task;
  const servers = new Set(tools.registry.getAllTools().map(({ from }) => from));
  const { config, note } = work;
  return systemPrompt({
    roots: config.getWorkspaceContext().getDirectories(),
    approvalMode: self.runtime.getApprovalMode(),
    platform: process.platform,
    canAsk: host.options.approver !== undefined,
    instructions: host.system.extensions.instructions().filter(({ server }) => servers.has(server)),
    memory: config.getMemory().section(),
    hidesSecrets: self.services.secrets !== undefined,
    subagent: { label, instructions: [note, definition.instructions].filter(Boolean).join('\n\n') },
  });
}
