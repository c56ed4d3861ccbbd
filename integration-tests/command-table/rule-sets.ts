/** Rules that people really write, by name. */
export const RULE_SETS = {
  none: {},
  lookAround: {
    allow: ['ls', 'cat', 'head', 'grep', 'echo', 'find', 'sed', 'sort', 'git status', 'git log', 'git diff'].map(
      (program) => `Bash(${program} *)`,
    ),
  },
  allowTests: { allow: ['Bash(npm test *)'] },
  allowScripts: { allow: ['Bash(npm run test:*)', 'Bash(npm run lint)', 'Bash(make test)'] },
  allowBuilds: { allow: ['Bash(cargo test *)', 'Bash(go test *)', 'Bash(tsc *)', 'Bash(npx tsc --noEmit)'] },
  allowGit: { allow: ['Bash(git *)'] },
  manyTools: {
    allow: ['gh', 'go', 'cargo', 'rustup', 'uv', 'poetry', 'pip', 'docker', 'kubectl', 'bundle'].map(
      (program) => `Bash(${program} *)`,
    ),
  },
  allowTasks: {
    allow: [
      'mise run *',
      'just *',
      'task *',
      'make *',
      'npm run *',
      'pnpm *',
      'pnpm exec tsc *',
      'bunx prettier *',
      'cargo *',
      'go generate *',
      'uv run pytest *',
      'mise exec -- golangci-lint *',
      'bundle exec *',
      'poetry run python *',
    ].map((words) => `Bash(${words})`),
  },
  denyRmAllowTasks: {
    deny: ['Bash(rm *)', 'Read(.env)'],
    allow: ['Bash(mise run *)', 'Bash(mise exec -- rm *)', 'Bash'],
  },
  allowEcho: { allow: ['Bash(echo *)'] },
  allowSort: { allow: ['Bash(sort *)'] },
  allowPython: { allow: ['Bash(python3 tools/gen.py)'] },
  allowEverything: { allow: ['Bash', 'run_shell_command'] },
  allowEdits: { allow: ['Edit(src/**)'] },
  allowNotes: { allow: ['Read(~/notes/**)'] },
  allowHost: { allow: ['WebFetch(domain:example.com)', 'Bash(curl *)'] },
  allowScripted: { allow: ['Bash(tar *)', 'Bash(cp *)', 'Bash(mv *)', 'Bash(mkdir *)', 'Bash(tee *)'] },
  denyRm: { deny: ['Bash(rm *)'], allow: ['Bash'] },
  denyForcedRm: { deny: ['Bash(rm -rf *)'], allow: ['Bash'] },
  denySecrets: { deny: ['Read(.env)', 'Read(**/*.pem)', 'Read(~/.ssh/**)', 'Read(secret/)'], allow: ['Bash'] },
  denyDocs: { deny: ['Edit(docs/**)'], allow: ['Bash'] },
  denyNet: { deny: ['Bash(curl *)', 'Bash(wget *)', 'WebFetch(domain:evil.example)'], allow: ['Bash'] },
  askPush: { ask: ['Bash(git push *)'], allow: ['Bash(git *)'] },
  denyPush: { deny: ['Bash(git push *)'], allow: ['Bash'] },
  denySudo: { deny: ['Bash(sudo *)'], allow: ['Bash'] },
  brokenDeny: { deny: ['Bash(rm -rf'], allow: ['Bash'] },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>>>>;

export type RuleSetName = keyof typeof RULE_SETS;
