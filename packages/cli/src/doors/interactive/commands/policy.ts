import { realpathSync } from 'node:fs';
import { ruleText, safeText, type ExaminationServices, type Grant, type Rule, type Safe } from '@tenon/core';
import type { PolicyAnswer } from '../../../commands/policy-answer.js';
import { explainCalls } from '../../../commands/policy-explain.js';
import { circumstances } from '../../../commands/policy-grants.js';
import { safeLine } from '../../../ui/safe-lines.js';
import type { CommandAnswer, CommandContext } from './command.js';
import type { CommandBody } from './command-row.js';
import { block, columns, completionsOf, say } from './lines.js';

const ACTIONS = [
  { word: 'explain', detail: 'how a command or a call would be judged' },
  { word: 'grants', detail: 'what was granted for this project with "always"' },
  { word: 'revoke', detail: 'takes a grant back, by rule or number, or --all' },
];

/** `/policy [explain CALL|grants|revoke RULE|NUMBER|--all]`: the rules in force, and what they say. */
export const policyCommand: CommandBody = {
  run: async (typed, context) => {
    const [action = ''] = typed.split(/\s+/, 1);
    const rest = typed.slice(action.length).trim();
    switch (action) {
      case '':
        return rulesShown(context);
      case 'explain':
        if (rest === '') return say('/policy explain takes a command or a call, such as: /policy explain npm test');
        return answered(async (answer) => explainCalls(rest, services(context), answer));
      case 'grants':
        return grantsShown(context.agent.grants.list());
      case 'revoke':
        return revoke(rest, context);
      default:
        return say('Write /policy, /policy explain CALL, /policy grants or /policy revoke RULE|NUMBER|--all.');
    }
  },
  complete: async (typed, context) => {
    const rule = /^revoke\s+(.*)$/s.exec(typed)?.[1];
    if (rule === undefined) return completionsOf(ACTIONS, typed);
    return completionsOf([...context.agent.grants.list().map((grant) => grant.rule), '--all'], rule);
  },
};

function grantsShown(grants: readonly Grant[]): CommandAnswer {
  if (grants.length === 0) return say('Nothing was granted for this project or this session.');
  const rows = grants.map((grant, index): [string, string] => [
    `${String(index + 1).padStart(3)}  ${grant.rule}`,
    `${grant.scope === 'session' ? 'this session' : 'this project'}, ${circumstances(grant)}`,
  ]);
  return { shown: block(columns(rows)) };
}

/** Holds at once, in this session too. */
async function revoke(word: string, { agent: { grants } }: CommandContext): Promise<CommandAnswer> {
  if (word === '') return say('/policy revoke takes a rule, its number in /policy grants, or --all.');
  const list = grants.list();
  const byNumber = /^\d+$/.test(word) ? list[Number(word) - 1] : undefined;
  const chosen = word === '--all' ? list : list.filter(({ rule }) => rule === (byNumber?.rule ?? word));
  if (chosen.length === 0) return say(`There is no grant "${word}". /policy grants lists them.`);
  const rules = [...new Set(chosen.map(({ rule }) => rule))];
  grants.revokeSession(rules);
  await grants.revokeProject(rules);
  return say(rules.map((rule) => `Revoked ${rule}.`).join('\n'));
}

function rulesShown({ agent, preparation }: CommandContext): CommandAnswer {
  const ceiling = agent.config.getApprovalCeiling();
  const bound = ceiling === undefined ? '' : `; at most ${ceiling.mode} (${ceiling.origin})`;
  const rules = [...preparation.rules, ...agent.grants.rules()];
  return {
    shown: block([
      safeLine(`Mode ${agent.config.getApprovalMode()}${bound}. Of the rules, deny wins over ask, and ask over allow.`),
      ...(rules.length === 0 ? [safeText`There are no rules.`] : rules.map(ruleLine)),
      safeText`/policy explain CALL tells what becomes of a call, and why.`,
    ]),
  };
}

function ruleLine(rule: Rule): Safe {
  return safeLine(`  ${rule.list.padEnd(5)}  ${ruleText(rule)}  (${rule.origin})`);
}

function services({ agent, preparation, surroundings }: CommandContext): ExaminationServices {
  const { config, grants } = agent;
  return {
    registry: config.getToolRegistry(),
    gate: config.getWorkspaceGate(),
    context: {
      mode: config.getApprovalMode(),
      rules: [...preparation.rules, ...grants.rules()],
      roots: config.getWorkspaceContext().getDirectories(),
      home: surroundings.userHome,
      controlFolders: [realpathSync.native(surroundings.tenonHome)],
    },
  };
}

/** What an action of `tenon policy` prints, as an answer. */
async function answered(act: (answer: PolicyAnswer) => Promise<unknown>): Promise<CommandAnswer> {
  const lines: Safe[] = [];
  await act({
    line: async (text) => void lines.push(safeLine(text)),
    json: async () => undefined,
    isJson: false,
  });
  return { shown: block(lines) };
}
