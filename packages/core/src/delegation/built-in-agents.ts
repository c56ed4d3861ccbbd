import { ApprovalMode } from '../policy/approval-mode.js';
import type { AgentDefinition } from '../subagents/subagent-types.js';
import { ToolNames } from '../tools/tool-names.js';

/** What there is without any file. */
export const BUILT_IN_AGENTS: readonly AgentDefinition[] = [
  {
    name: 'general',
    description: 'All your tools, for work of several steps.',
    instructions: '',
    origin: 'built-in',
  },
  {
    name: 'explore',
    description: 'Only reads and searches, for questions that take many searches.',
    instructions:
      'You only look: nothing may be changed. Search widely at first, then read what matters. Answer with what you found and where (path:line), and with what you looked for and did not find.',
    tools: [
      ToolNames.READ_FILE,
      ToolNames.READ_MANY_FILES,
      ToolNames.LS,
      ToolNames.GLOB,
      ToolNames.GREP,
      ToolNames.LSP,
      ToolNames.WEB_FETCH,
      ToolNames.WEB_SEARCH,
      ToolNames.TODO_WRITE,
    ],
    approvalMode: ApprovalMode.PLAN,
    origin: 'built-in',
  },
];
