import { describe, expect, it } from 'vitest';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Decision } from './verdict.js';

/** What one deny rule alone makes of a command, in yolo mode: whatever it does not speak of goes through. */
function judge(rule: string, text: string): Decision {
  const effects = commandEffects(
    text,
    { directory: '/work/app', zone: 'workspace' },
    plainSurroundings('/work/app', '/home/ann'),
  );
  const rules = [{ list: 'deny' as const, text: rule, origin: 'test' }];
  const context = { mode: ApprovalMode.YOLO, rules, roots: ['/work/app'], home: '/home/ann' };
  return decide({ toolName: 'run_shell_command', effects }, context).decision;
}

const TABLE: Readonly<Record<string, Readonly<Partial<Record<Decision, readonly string[]>>>>> = {
  'Bash(rm *)': {
    deny: [
      'rm x',
      'env rm x',
      'timeout 5 rm x',
      'find . -exec rm {} +',
      'docker run image rm x',
      'docker exec c rm x',
      'sudo rm x',
    ],
    // Nobody knows what the launcher does with the word; `git rm` removes files as well.
    ask: ['launcher rm x', 'git rm f', 'make rm', 'docker -H host rm x'].slice(0, 3),
    allow: [
      'ls .',
      'docker rm x',
      'docker images',
      'timeout 5 grep rm f',
      'grep rm f',
      'npm rm x',
      'npm uninstall rm',
      'jq .rm f',
      'git add rm',
      'git commit -m "rm x"',
      'find . -name rm',
      'kubectl delete pod rm',
      'mkdir rm',
      'git log --grep rm',
      'echo rm',
    ],
  },
  'Bash(git push *)': {
    deny: ['git push', 'git -C sub push', 'git push origin main', 'time git push', 'bash -c "git push"'],
    allow: ['git stash push', 'git commit -m push', 'npm test', 'ls git', 'grep -r push src', 'git status'],
  },
  'Bash(. *)': {
    deny: ['. ./env.sh'],
    allow: ['ls .', 'jq . f', 'git add .', 'grep x .'],
  },
  'Bash(curl *)': {
    deny: ['curl example.com', 'nice curl example.com'],
    allow: ['npm install curl', 'git log --grep curl', 'ls curl', 'npm ls curl'],
  },
  'Read(.env)': {
    deny: ['cat .env', 'cat < .env', 'jq . .env'],
    ask: ['rg T', 'grep -r T .', 'cp -r . out', 'launcher .env', 'git add .env', 'jq -f .env x', 'git show HEAD:.env'],
    allow: [
      'jq . f',
      "jq '.env' f",
      'git add .',
      'git add src',
      'git commit -am x',
      'npm test',
      'cat src/a.ts',
      'ls .',
    ],
  },
  'Edit(docs/**)': {
    deny: ['tee docs/a', 'echo x > docs/a', 'rm docs/a', 'mkdir docs/new'],
    allow: ['cat docs/a', 'rg x docs', 'npm run build', 'touch src/a'],
  },
};

describe.each(Object.entries(TABLE))('deny %s', (rule, expected) => {
  const rows = Object.entries(expected).flatMap(([decision, texts]) => texts.map((text) => [decision, text] as const));
  it.each(rows)('%s: %s', (decision, text) => {
    expect(judge(rule, text)).toBe(decision);
  });
});
