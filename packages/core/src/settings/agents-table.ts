/** The settings of subagents; part of `SETTINGS`, which says what the columns mean. */
export const AGENT_SETTINGS = [
  {
    key: 'agents.maxTurns',
    type: 'positive-number',
    sentence: 'Requests to the model that one subagent may take, where its definition says nothing.',
    default: 50,
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'agents.maxSeconds',
    type: 'positive-number',
    sentence:
      'Seconds that one subagent may take, where its definition says nothing; the time in which a question waits for an answer does not count.',
    default: 1800,
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'agents.maxParallel',
    type: 'positive-number',
    sentence: 'How many subagents work at the same time; the others wait for their turn.',
    default: 8,
    securityRelevant: false,
    project: 'stricter',
  },
  {
    key: 'agents.maxDepth',
    type: 'positive-number',
    sentence: 'How far work is handed on: with 1 subagents have none of their own.',
    default: 3,
    securityRelevant: false,
    project: 'stricter',
  },
] as const;
