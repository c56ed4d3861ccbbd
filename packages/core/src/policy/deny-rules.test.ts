import { describe, expect, it } from 'vitest';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Decision } from './verdict.js';

const SURROUNDINGS = plainSurroundings('/work/app', '/home/ann', ['/work/app/.env', '/work/app/src/a.ts']);

/** Returns the decision under one deny rule, in the mode that asks least. */
function judge(rule: string, text: string): Decision {
  const effects = commandEffects(text, { directory: '/work/app', zone: 'workspace' }, SURROUNDINGS);
  const rules = [{ list: 'deny', text: rule, origin: 'test' }] as const;
  const context = { mode: ApprovalMode.YOLO, rules, roots: ['/work/app'], home: '/home/ann' };
  return decide({ toolName: 'run_shell_command', effects }, context).decision;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Ways to write the same command. */
const VARIANTS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `  ${text.replaceAll(' ', '   ')}`,
  (text) => `true && ${text}`,
  (text) => `${text}; true`,
  (text) => `(${text})`,
  (text) => `cd src && ${text}`,
  (text) => `echo $(${text})`,
  (text) => `if true; then ${text}; fi`,
  (text) => `env ${text}`,
  (text) => `env CI=1 ${text}`,
  (text) => `CI=1 ${text}`,
  (text) => `sudo ${text}`,
  (text) => `sudo -u root ${text}`,
  (text) => `timeout 5 ${text}`,
  (text) => `nohup ${text} &`,
  (text) => `time ${text}`,
  (text) => `xargs ${text}`,
  (text) => `bash -c ${quoted(text)}`,
  (text) => `sh -c ${quoted(`true; ${text}`)}`,
  (text) => `/usr/bin/${text}`,
  (text) => `env /usr/bin/${text}`,
  (text) => text.replace(/^\S+/, (program) => `"${program}"`),
  (text) => text.replace(/^\S/, (first) => `\\${first}`),
  (text) => text.replace(/^\S/, (first) => `${first}''`),
];

describe('a deny rule on commands holds however the command is written', () => {
  it.each<[string, readonly string[]]>([
    ['Bash(curl*)', ['curl', 'curl https://example.com', 'curl -s https://example.com -o x']],
    ['Bash(curl:*)', ['curl', 'curl https://example.com']],
    ['Bash(rm*)', ['rm x', 'rm -rf x', 'rmdir x']],
    ['Bash(rm -rf*)', ['rm -rf x', 'rm -fr x', 'rm -r -f x', 'rm --recursive --force x']],
    ['Bash(*rm -rf*)', ['rm -rf x', 'rm -fr x']],
    ['Bash(git push)', ['git push', 'git push origin main', 'git push -v', 'git -C src push origin']],
    ['Bash(git push*)', ['git push', 'git push origin main', 'git --no-pager push']],
    ['run_shell_command(git push)', ['git push', 'git push origin main']],
    ['Bash(*push*)', ['git push origin main']],
    ['Bash(*--no-verify*)', ['git commit --no-verify', 'git commit -m x --no-verify', 'git commit -n -m x']],
    ['Bash(* --no-verify)', ['git commit --no-verify', 'git commit --no-verify -m x', 'git commit -m x --no-verify']],
    ['Bash(* --no-verify *)', ['git commit --no-verify', 'git push --no-verify origin']],
    ['Bash(git commit * --no-verify*)', ['git commit -m x --no-verify']],
    ['Bash(git commit --no-verify)', ['git commit -m x --no-verify', 'git commit -nm x']],
    ['Bash(* --force*)', ['git push --force', 'git push -f origin main', 'git push origin main --force-with-lease']],
    ['Bash(*/prod/*)', ['ls infra/prod/x', 'terraform plan infra/prod/x']],
    ['Bash(npm run*)', ['npm run', 'npm run lint', 'npm run-script lint', 'npm --silent run lint']],
    ['Bash(npm publish)', ['npm publish', 'npm publish --tag next', 'npm -w a publish']],
    ['Bash(docker)', ['docker', 'docker ps']],
    ['Bash(kubectl delete *)', ['kubectl delete pod x', 'kubectl -n prod delete pod x']],
    ['Bash("rm -rf")', ['rm -rf x', 'rm -fr x']],
    ['Bash(/bin/rm *)', ['rm x']],
  ])('%s', (rule, commands) => {
    for (const command of commands)
      for (const variant of VARIANTS) {
        const text = variant(command);
        expect([text, judge(rule, text)]).toEqual([text, 'deny']);
      }
  });

  it.each([
    ['Bash(TZ=UTC npx vitest run:*)', 'TZ=UTC npx vitest run a'],
    ['Bash(TZ=UTC npx vitest run:*)', 'CI=1 TZ="UTC" npx vitest run'],
    ['Bash(TZ=UTC npx vitest run:*)', 'env TZ=UTC npx vitest run'],
    ['Bash(HUSKY=0 *)', 'HUSKY=0 git commit -m x'],
    ['Bash(HUSKY=0 *)', "HUSKY='0' git commit -m x"],
    ['Bash(HUSKY=0 *)', 'HUSKY=$x git commit -m x'],
    ['Bash(HUSKY=0:*)', 'export HUSKY=0; git commit -m x'],
    ['Bash(HUSKY=*)', 'HUSKY=0 git commit'],
    ['Bash(*HUSKY=0*)', 'HUSKY=0 git commit'],
  ])('%s: %s', (rule, text) => {
    expect(judge(rule, text)).toBe('deny');
  });

  it.each([
    ['Bash(curl*)', 'echo curl'],
    ['Bash(rm*)', 'git commit -m "rm x"'],
    ['Bash(git push)', 'git log --grep push'],
    ['Bash(git push)', 'git stash push'],
    ['Bash(git push)', 'git pull'],
    ['Bash(*--no-verify*)', 'git commit -m x'],
    ['Bash(*--no-verify*)', 'git log -n 5'],
    ['Bash(*--no-verify*)', 'npm test'],
    ['Bash(* --no-verify)', 'make build'],
    ['Bash(npm run*)', 'npm test'],
    ['Bash(npm publish)', 'npm test publish'],
    ['Bash(rm -rf /)', 'ls /usr'],
    ['Bash(TZ=UTC npx vitest run:*)', 'npx vitest run a'],
    ['Bash(HUSKY=0 *)', 'git commit -m x'],
    ['Bash(HUSKY=0 *)', 'HUSKY=1 git commit -m x'],
    ['Read(/etc/passwd)', 'cat src/a.ts'],
    ['read_file(.env)', 'cat src/a.ts'],
  ])('%s leaves alone: %s', (rule, text) => {
    expect(judge(rule, text)).toBe('allow');
  });
});

describe('a deny rule on paths holds for commands', () => {
  it.each([
    ['Read(/etc/passwd)', 'cat /etc/passwd'],
    ['Read(/home/ann/.ssh/**)', 'cat ~/.ssh/id'],
    ['Read($HOME/.ssh/**)', 'cat ~/.ssh/id'],
    ['Read(${HOME}/.ssh/**)', 'cat /home/ann/.ssh/id'],
    ['Read(/src/a.ts)', 'cat src/a.ts'],
    ['Edit(/work/app/src/**)', 'echo x > src/a.ts'],
    ['read_file(.env)', 'cat .env'],
    ['ReadFile(.env)', 'head -1 ./.env'],
    ['read_many_files(.env)', 'cat .env'],
    ['write_file(x)', 'echo > x'],
    ['WriteFile(x)', 'echo a | tee x'],
    ['edit(x)', 'touch x'],
    ['replace(x)', 'cp .env x'],
    ['web_fetch(domain:example.com)', 'curl https://example.com/x'],
  ])('%s: %s', (rule, text) => {
    for (const variant of [text, `true && ${text}`, `timeout 5 bash -c ${quoted(text)}`, `cd . && ${text}`])
      expect([variant, judge(rule, variant)]).toEqual([variant, 'deny']);
  });
});
