import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import { suggestChoices } from './suggest-rules.js';

const ROOT = '/work/app';
const HOME = '/home/ann';
const FILES = [
  `${ROOT}/a.ts`,
  `${ROOT}/src/b.ts`,
  `${ROOT}/node_modules/x/index.js`,
  `${HOME}/notes`,
  `${HOME}/.bashrc`,
];
const TOOL = 'run_shell_command';

function effectsOf(command: string): readonly Effect[] {
  return commandEffects(command, { directory: ROOT, zone: 'workspace' }, plainSurroundings(ROOT, HOME, FILES));
}

function judge(
  command: string,
  rules: Partial<Record<RuleList, string>> = {},
  mode: ApprovalMode = ApprovalMode.YOLO,
): string {
  const list = Object.entries(rules).map(([name, text]): Rule => ({
    list: name === 'deny' ? 'deny' : name === 'ask' ? 'ask' : 'allow',
    text,
    origin: 'test',
  }));
  return decide({ toolName: TOOL, effects: effectsOf(command) }, { mode, rules: list, roots: [ROOT], home: HOME })
    .decision;
}

/** What each loses stands in the table; here is only that it asks. */
const IRRECOVERABLE = [
  'mkfs /dev/sda1',
  'mkfs.ext4 image',
  'sudo mkfs -t xfs image',
  'sfdisk image',
  'wipefs -a image',
  'cryptsetup luksFormat image',
  'zpool destroy tank',
  'nvme format x',
  'diskutil eraseDisk JHFS+ x disk2',
  'dd if=/dev/zero of=/dev/sda',
  'shred /dev/nvme0n1',
  'rm -rf /',
  'rm -rf ~',
  'rm -rf "$HOME"',
  'rm -rf ~/*',
  'rm -rf *',
  'rm -rf .',
  'rm -rf ..',
  'rm -rf "$X"',
  'rm -rf $X/*',
  'shred ~/*',
  'find / -delete',
  'find . -delete',
  'find "$X" -delete',
  'find $X -type f -delete',
  'find "$X" -exec rm -rf {} +',
  'mv ~ /tmp/x',
  'chmod -R 777 /',
  'chmod -R 777 ~',
  'chmod -R 777 ..',
  'chown -R me /home',
  'tar xf a.tar -C ~',
  'unzip -o a.zip -d /',
  'git clean -fdx',
  'git clean -fX',
  'git -C src clean -xdf',
  'git push --force',
  'git push -f origin main',
  'git push origin +main',
  'git push --mirror',
  'git reflog expire --expire=now --all',
  'git gc --prune=now',
  'git stash clear',
  'git filter-branch --all',
  'gh repo delete a/b',
  'npm unpublish x',
  'terraform destroy',
  'terraform -chdir=x destroy',
  'terraform apply -destroy',
  'docker volume rm x',
  'docker system prune -af --volumes',
  'docker compose down -v',
  'kubectl delete namespace x',
  'kubectl -n x delete pods --all',
  'dropdb x',
  'redis-cli FLUSHALL',
  'aws s3 rm s3://x --recursive',
  'crontab -r',
];

const EVERYDAY = [
  'rm -rf node_modules',
  'rm -rf src/*',
  'rm -rf ~/.cache/x',
  'rm a.ts',
  'rm -rf "$X/build"',
  'shred -u a.ts',
  'find src -name "*.orig" -delete',
  'git clean -fd',
  'git clean -ndx',
  'git clean -fdxn',
  'git reset --hard',
  'git checkout .',
  'git stash drop',
  'git push',
  'git push --force-with-lease',
  'git push -u origin main',
  'git push --follow-tags',
  'git commit -m "clean -fdx, push --force"',
  'git gc',
  'git reflog',
  'fdisk -l',
  'parted -l',
  'wipefs a.img',
  'crontab -l',
  'chmod -R u+w .',
  'chown -R me src',
  'cp -r src ..',
  'mv a.ts ..',
  'tar xf a.tar',
  'docker volume ls',
  'docker system prune -f',
  'docker compose down',
  'kubectl delete pod x',
  'terraform plan',
  'terraform apply',
  'npm publish',
  'redis-cli get x',
];

describe('what nothing brings back', () => {
  it.each(IRRECOVERABLE)('%s asks in yolo mode', (command) => {
    expect(judge(command)).toBe('ask');
    expect(judge(`cd src; timeout 5 bash -c '${command.replaceAll("'", String.raw`'\''`)}'`)).toBe('ask');
  });

  it.each(EVERYDAY)('%s does not', (command) => {
    expect(judge(command)).toBe('allow');
  });

  it('is not answered by a rule with a wildcard, nor by one for every command', () => {
    for (const rule of ['Bash', 'Bash(git *)', 'Bash(git clean *)', 'Bash(git clean -*)'])
      expect(judge('git clean -fdx', { allow: rule }, ApprovalMode.DEFAULT), rule).toBe('ask');
  });

  it('is answered by the rule that is the whole command, which is offered; but for whole disks and folders', () => {
    expect(judge('git clean -fdx', { allow: 'Bash(git clean -fdx)' })).toBe('allow');
    expect(judge('git clean -fdx', { allow: 'Bash(git clean -fdx)' }, ApprovalMode.DEFAULT)).toBe('allow');
    expect(judge('rm -rf ~', { allow: 'Bash(rm -rf ~)' })).toBe('ask');
    expect(judge('dd if=a of=/dev/sda', { allow: 'Bash(dd if=a of=/dev/sda)' })).toBe('ask');
    const call = { toolName: TOOL, effects: effectsOf('rm -rf /') };
    expect(suggestChoices(call, { mode: ApprovalMode.YOLO, rules: [], roots: [ROOT], home: HOME })).toEqual([]);
  });

  it('is denied where a rule or the plan mode denies', () => {
    expect(judge('git clean -fdx', { deny: 'Bash(git clean *)' })).toBe('deny');
    expect(judge('git clean -fdx', {}, ApprovalMode.PLAN)).toBe('deny');
  });
});

const OWN = [
  'tenon trust --yes',
  'TENON= tenon trust --yes',
  'env -u TENON tenon trust --yes',
  'unset TENON; tenon trust --yes',
  '/usr/local/bin/tenon policy revoke --all',
  './node_modules/.bin/tenon undo',
  'npx tenon trust',
  'npx -y tenon@latest trust',
  'npm exec -- tenon trust',
  'pnpm dlx tenon trust',
  'bunx tenon trust',
  'node node_modules/tenon/dist/main.js trust',
  'node packages/cli/dist/main.js trust',
  'timeout 5 tenon undo',
  'xargs tenon trust < a.ts',
  "bash -c 'tenon trust --yes'",
  'sudo tenon trust',
  'find . -exec tenon trust {} +',
  'TENON trust',
  'x=tenon; $x trust',
  'te""non trust',
  'ls && (cd src; tenon config)',
  'some-launcher a; nohup tenon trust &',
];

describe('the agent’s own program', () => {
  it.each(OWN)('%s asks in every mode, whatever rules there are', (command) => {
    for (const rule of ['Bash', 'Bash(tenon *)', `Bash(${command.replaceAll(/["'();]/g, '')})`]) {
      expect(judge(command, { allow: rule }), rule).toBe('ask');
      expect(judge(command, { allow: rule }, ApprovalMode.AUTO_EDIT), rule).toBe('ask');
    }
    expect(judge(command, {}, ApprovalMode.PLAN)).toBe('deny');
  });

  it('asks in a sandbox too, and is never offered for "always"', () => {
    const effects = effectsOf('tenon trust --yes').map((effect): Effect =>
      effect.kind === 'run' ? { ...effect, isContained: true } : effect,
    );
    const context = { mode: ApprovalMode.AUTO_EDIT, rules: [], roots: [ROOT], home: HOME };
    const verdict = decide({ toolName: TOOL, effects }, context);
    expect(verdict.decision).toBe('ask');
    expect(verdict.reason).toContain("the agent's own program");
    expect(suggestChoices({ toolName: TOOL, effects }, context)).toEqual([]);
  });

  it('is not meant by a name among texts and paths', () => {
    for (const command of [
      'grep tenon a.ts',
      'find . -name tenon',
      'echo tenon trust',
      'git commit -m tenon',
      'cat tenon',
      'ls node_modules/tenon',
      'git log -- tenon',
      'npm install tenon',
    ])
      expect(judge(command), command).toBe('allow');
  });
});

it.each([
  ['rm -rf "$X"', 'which files `"$X"` names cannot be told, and may be all in /: deleting them cannot be taken back'],
  ['rm -rf $X/*', 'which files `$X/*` names cannot be told, and may be all in /: deleting them cannot be taken back'],
  ['rm -rf /', `/ holds ${ROOT}: everything in it would be lost`],
  ['rm -rf ~', `${HOME} holds ${HOME}: everything in it would be lost`],
])('says of %s what would be lost, though it holds control files too', (command, reason) => {
  const context = { mode: ApprovalMode.YOLO, rules: [], roots: [ROOT], home: HOME, controlFolders: [`${HOME}/.tenon`] };
  expect(decide({ toolName: TOOL, effects: effectsOf(command) }, context).reason).toBe(reason);
});
