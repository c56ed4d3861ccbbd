import { describe, expect, it } from 'vitest';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Decision } from './verdict.js';

const SKILL = '/work/app/.claude/skills/pdf';

interface Judging {
  readonly mode?: ApprovalMode;
  readonly skillFolders?: readonly string[];
  readonly rules?: readonly string[];
}

function judge(text: string, { mode = ApprovalMode.YOLO, skillFolders = [SKILL], rules = [] }: Judging = {}): Decision {
  const place = { directory: '/work/app', zone: 'workspace' } as const;
  const effects = commandEffects(text, place, plainSurroundings('/work/app', '/home/ann'));
  const allowed = rules.map((rule) => ({ list: 'allow' as const, text: rule, origin: 'test' }));
  const context = { mode, rules: allowed, roots: ['/work/app'], home: '/home/ann', skillFolders };
  return decide({ toolName: 'run_shell_command', effects }, context).decision;
}

describe('a script of a skill that was called', () => {
  it.each([
    'python3 .claude/skills/pdf/scripts/fill.py form.pdf',
    `sh ${SKILL}/scripts/fill.sh`,
    'node .claude/skills/pdf/run.mjs --fast',
    'cd sub && python3 ../.claude/skills/pdf/scripts/fill.py',
  ])('is a command like any other: %s', (text) => {
    expect(judge(text)).toBe('allow');
    expect(judge(text, { mode: ApprovalMode.DEFAULT })).toBe('ask');
  });

  it('runs without a person where a rule allows it', () => {
    const rules = ['Bash(python3 .claude/skills/pdf/scripts/fill.py *)'];
    const text = 'python3 .claude/skills/pdf/scripts/fill.py a.pdf';
    expect(judge(text, { mode: ApprovalMode.DEFAULT, rules })).toBe('allow');
    expect(judge(text, { mode: ApprovalMode.DEFAULT, rules, skillFolders: [] })).toBe('ask');
  });

  it.each([
    'python3 .claude/skills/other/scripts/fill.py',
    'python3 .claude/skills/pdf-2/fill.py',
    'python3 .claude/settings.json',
    'python3 .claude/skills/pdf/../../settings.json',
    'python3 .claude/skills/pdf/fill.py .claude/settings.json',
    'python3 .claude/skills/pdf/fill.py .claude/skills/pdf/SKILL.md',
    'python3 -c x .claude/skills/pdf/fill.py',
    'perl -i -pe s/a/b/ .claude/skills/pdf/SKILL.md',
    'rm .claude/skills/pdf/fill.py',
    'tee .claude/skills/pdf/fill.py',
    './python3 .claude/skills/pdf/fill.py',
  ])('is nothing else: %s', (text) => {
    expect(judge(text)).toBe('ask');
  });
});
