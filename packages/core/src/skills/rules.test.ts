import { expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { compileRules } from '../policy/compile-rules.js';
import { decide } from '../policy/decide.js';

const path = '/home/me/.claude/skills/pdf/SKILL.md';

function judged(text: string): string {
  const rules = [{ list: 'deny', text, origin: 'test' }] as const;
  const places = { roots: ['/w'], home: '/home/me' };
  expect(compileRules(rules, places).problems).toEqual([]);
  const effects = [{ kind: 'read', path, requested: path, zone: 'skill' }] as const;
  return decide({ toolName: 'skill', effects }, { mode: ApprovalMode.YOLO, rules, ...places }).decision;
}

it.each([
  ['skill', 'deny'],
  ['Skill', 'deny'],
  ['Skill(pdf)', 'deny'],
  ['Skill(other)', 'allow'],
  ['Read(~/.claude/skills/**)', 'deny'],
  ['read_file', 'allow'],
])('a rule %s on calls of skills: %s', (text, decision) => {
  expect(judged(text)).toBe(decision);
});
