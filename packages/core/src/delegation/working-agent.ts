import type { ContextKeeper } from '../agent/context-keeper.js';
import type { AgentLog } from './agent-log.js';
import type { AgentTools } from './agent-tools.js';
import type { AgentTranscript } from './agent-transcript.js';
import type { ChosenModel } from './choose-model.js';
import type { AgentAbove, SubagentTask } from './delegation-types.js';
import type { WorkPlace } from './work-place.js';

/** A subagent at work, all of it. */
export interface WorkingAgent {
  readonly task: SubagentTask;
  readonly label: string;
  readonly work: WorkPlace;
  readonly tools: AgentTools;
  readonly log: AgentLog;
  readonly transcript: AgentTranscript;
  readonly keeper: ContextKeeper;
  readonly model: ChosenModel;
  /** As those below it know it. */
  readonly self: AgentAbove;
}
