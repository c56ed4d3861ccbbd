import { describe, expect, it } from 'vitest';
import { factsText } from '../../testing/facts-text.js';

describe('git', () => {
  const trusted = { isTrustedRepository: (folder: string) => /^\/w(?:\/(?:\.|src))*$/.test(folder) };
  const reading = [
    'git status',
    'git status --short',
    'git --no-pager log --oneline -5',
    'git diff --stat',
    'git show HEAD',
    'git branch -a',
    'git branch --show-current',
    'git tag -l',
    'git remote -v',
    'git stash list',
    'git rev-parse HEAD',
    'git ls-files',
    'git blame a',
    'git grep -n x',
    'git config --get user.name',
    'git worktree list',
    "git branch --list 'x/*'",
    "git branch -a --list 'x/*' y",
    'git branch --contains HEAD',
    'git branch -r --merged main --sort=-committerdate',
    "git tag -l 'v*' --sort=-v:refname",
    'git tag --points-at HEAD',
    'git remote get-url --push origin',
    'git stash list --oneline -5',
    'git stash show -p stash@{1}',
    'git diff -- src/*.ts',
    'git log --oneline src/*',
    'git reflog show HEAD --date=iso',
    'git reflog -20 --format=%h',
    'git symbolic-ref --short HEAD',
    'git fsck --full --no-dangling',
    'git config user.name',
    'git config --local --get remote.origin.url',
    'git config get user.name',
  ];
  const others = [
    'git push',
    'git commit -m x',
    'git branch -D x',
    'git branch x',
    "git branch -l 'x/*'",
    'git branch -v x',
    'git branch --list -D x',
    'git branch --format=%x y',
    'git branch --set-upstream-to=x --list',
    'git tag -n x',
    'git tag -l -d x',
    'git remote add x y',
    'git remote show origin',
    'git remote get-url a b',
    'git stash',
    'git stash drop',
    'git stash show --ext-diff',
    'git diff *.ts',
    'git -C src/* status',
    'git -C s* status',
    'git -C src diff -- deep/*.ts',
    'git diff --out*',
    'git show HEAD:*/a --o*',
    'git reflog delete HEAD',
    'git reflog drop',
    'git symbolic-ref HEAD refs/heads/x',
    'git symbolic-ref -d HEAD',
    'git fsck --lost-found',
    'git config name',
    'git config user.name x',
    'git config --get-all user.name --unset',
    'git config edit',
    'git config get -f /etc/x a.b',
    'git worktree list x',
    'git tag v1',
    'git stash',
    'git stash list -p --textconv',
    'git -C ../other status',
    'git -C / status',
    'git -C src -C ../.. status',
    'git -C',
    'git config --list',
    'git config -l',
    'git show --format=%GG HEAD',
    "git branch --format='%(signature)'",
    'git remote prune origin',
    'git diff --no-index /etc/passwd a',
    'git grep -f a',
    'git ls-files -X a',
    'git reflog expire --all',
    'git diff --output=a',
    'git log --ext-diff',
    'git grep -Ox y',
    'git config user.name x',
    'git -c core.pager=x log',
    'git log $x',
    'git zz',
  ];

  it('only reads where the repository is trusted', () => {
    for (const text of reading) {
      expect(factsText(text, trusted), text).toMatch(/^R \.(?:$|\*(?: R \S+)*$)/);
      expect(factsText(text), text).toMatch(/…$/);
      expect(factsText(`cd x && ${text}`.replace('cd x && ', ''), { isTrustedRepository: () => false }), text).toMatch(
        /…$/,
      );
    }
  });

  it('is never known to only read with other words', () => {
    for (const text of others) expect(factsText(text, trusted), text).toMatch(/[?…]$/);
  });

  it('tells its version without looking for a repository', () => {
    for (const text of ['git --version', 'git -v', 'git version']) expect(factsText(text), text).toBe('');
    for (const text of ['git --version status', 'git version --output=x'])
      expect(factsText(text), text).toMatch(/[?…]$/);
  });

  it('works in the folder that -C names', () => {
    expect(factsText('git -C src status', trusted)).toBe('R src:.');
    expect(factsText('git -C . -C src diff', trusted)).toBe('R src:.*');
    expect(factsText('git -C src show HEAD:a', trusted)).toBe('R src:.* R src:HEAD:a');
  });

  it('reads no files where it prints names and messages alone', () => {
    const naming = [
      'git status -sb',
      'git ls-files',
      'git branch -vv',
      'git log --oneline -5',
      'git diff --stat --cached',
    ];
    for (const text of naming) expect(factsText(text, trusted), text).toBe('R .');
    const telling = [
      'git status -v',
      'git status -svb',
      'git status --verb',
      'git log -p',
      'git log --stat -u',
      'git log -L 1,2:a',
      'git diff',
      'git diff --cached',
      'git diff --stat -p',
      'git diff --stat /etc/passwd a',
      'git show --stat HEAD:a',
      'git grep x',
      'git blame a',
      'git stash list -p',
    ];
    for (const text of telling) expect(factsText(text, trusted), text).toMatch(/^R \.\*|[…?]$/);
  });

  it('reads the files that it may compare', () => {
    expect(factsText('git diff /etc/passwd a', trusted)).toBe('R .* R /etc/passwd R a');
  });
});
