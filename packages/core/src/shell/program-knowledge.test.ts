import { describe, expect, it } from 'vitest';
import { analyseCommand as analyse } from './analyse-command.js';
import { judgeProgram } from './programs/judge-program.js';

/** Analyses a text, including unknown effects that only a rule with spelled-out words settles. */
function analyseCommand(text: string, directory = '/w'): { readonly unknown: readonly string[] } {
  const { unknown, commands } = analyse(text, { directory, judge: (call) => judgeProgram(call) });
  return { unknown: [...unknown, ...commands.flatMap(({ facts }) => facts.unlessSpelled?.reason ?? [])] };
}

/** As an allow rule such as `Bash(git *)` would meet them: known, so the rule covers them. */
const EVERYDAY = `
git status
git status -sb --untracked-files=all
git status --porcelain=v2 --branch -uno
git diff
git diff --stat HEAD~1 -- src
git diff --cached --name-only
git diff -U5 -w main...HEAD
git diff -M90% --word-diff=color a b
git log --oneline -n 20
git log -5 --graph --all --decorate
git log -p --follow -- src/a.ts
git log --since=yesterday --author="A B" --pretty=format:%h
git log -S needle -G 'a|b' --grep=x -i
git show HEAD --stat
git show HEAD:src/a.ts
git show -s --format=%B HEAD
git shortlog -sne
git reflog -10
git blame -L 10,20 -w src/a.ts
git grep -n needle
git grep -il --untracked -e one --and -e two -- src
git grep -nE -A3 'a|b' HEAD
git ls-files -o --exclude-standard
git ls-files '*.ts'
git ls-tree -r --name-only HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git rev-list --count main..HEAD
git describe --tags --always --dirty
git merge-base main HEAD
git cat-file -p HEAD
git for-each-ref --sort=-committerdate --format='%(refname)'
git add .
git add -A
git add -u src
git add *.ts
git rm -r --cached dist
git mv a b
git commit -m "fix: a -> b"
git commit -am 'x'
git commit -qam x --no-verify
git commit --amend --no-edit
git commit -F message.txt --author 'A <a@b>'
git commit --allow-empty -m 'use ext::sh and --exec=x'
git branch
git branch -avv
git branch -D old
git branch -m new --force
git branch --show-current
git branch --contains HEAD
git checkout main
git checkout -b feature/x origin/main
git checkout -- src/a.ts
git checkout -f HEAD~1
git switch -c topic
git switch -
git restore --staged --worktree src
git restore -s HEAD~1 a
git reset --hard HEAD~1
git reset -q
git clean -fdx
git stash
git stash push -um "wip"
git stash pop --index
git stash list
git fetch
git fetch --all --prune --tags
git fetch origin main --depth=1
git fetch https://host.example/a.git
git pull
git pull --rebase --autostash origin main
git pull --ff-only
git push
git push -u origin main
git push origin HEAD:refs/heads/x --force-with-lease
git push --tags --dry-run git@host.example:a/b.git
git merge --no-ff topic -m 'merge'
git merge --abort
git rebase main
git rebase --onto main a b
git rebase --continue
git rebase -i --autosquash HEAD~3
git cherry-pick -x abc
git revert --no-edit HEAD
git tag -a v1 -m 'one'
git tag -l --sort=-v:refname
git tag -n3
git remote -v
git remote get-url origin
git ls-remote --heads origin
git clone https://host.example/a.git
git clone --depth 1 -b main git@host.example:a/b.git sub/c
git init -q -b main
git config --get user.name
git config user.email
git config --list --show-origin
git config -l
git submodule update --init --recursive
git submodule status
git worktree list
git worktree add sub/w -b topic
git bisect start HEAD v1
git bisect good
git apply --check a.patch
git archive --format=tar HEAD
git --no-pager log -1
git -C sub status
git --version
sed -n '5,10p' a
sed 's/a/b/g' a
sed -i 's|/usr|/opt|' a
sed -i.bak -E 's/(a|b)+/\\1/I' a
sed -e 's/a/b/' -e '/x/d' a
sed -ne '/^w/,/^e$/{s/[^/]*$//;p}' a
sed '1,3!d; $a the end; with r and w' a
sed '/re/I,+2{n;N;D}' a
sed ':a;N;$!ba;s/\\n/ /g' a
sed 'y/abc/xyz/;=;5q' a
sed -n '1~2p;/[[:space:]]/p'  a
sort -k2,2n -t: a
sort -ru a b
sort --reverse --numeric-sort
npm test
npm run build -- --script-shell=x
npm run edit --if-present
npm install --save-dev --no-audit left-pad
npm ci --prefer-offline --silent
npm install -g x
npm ls --all --json
npm init -y
npm config get registry
npm --prefix sub test
npm publish --dry-run --global
pnpm -C sub build
yarn build --watch
find . -name '*.ts' -not -path './node_modules/*'
find src -type f -size +10k -mtime -7 -perm -u+x -print0
find . -maxdepth 2 '(' -iname a -o -iname b ')' -prune
tar czf a.tgz dir
tar -xzf a.tgz -C dir --strip-components=1
tar tvf a.tar
tar --exclude=.git -cf a.tar .
make -j4 all
make -C sub test
rg --glob=*.ts needle
`;

/** The same programs made to run what the line names, write a file it chooses, or change settings. */
const HOSTILE = `
git grep -Orm 1
git grep -O'touch x;' 1
git grep -1Orm x
git grep -nOrm x
git grep --open-files-in-pager=x 1
git grep --open=x 1
git grep needle *
git grep -e x -- -Ox
git -C . grep -Ox 1
git ls-remote --u=x .
git ls-remote --upload-pack x .
git ls-remote --exe=x .
git clone -u x . zz
git clone -qu x . zz
git clone -cprotocol.ext.allow=always a zz
git clone --config a=b url zz
git clone --template=dir url
git clone --upload-pack=x url
git clone 'ext::sh -c x' zz
git clone fd::17 zz
git clone foo://host/a
git clone https://host.example/a.git /etc/x
git clone https://host.example/a.git ../x
git fetch ext::x
git fetch --upl=x .
git pull --upl=x .
git pull -s ../evil
git push --exe=x . y
git push --rece=x . HEAD:y
git push foo://x HEAD
git fetch-pack --exec=x . HEAD
git send-pack --exe=x . HEAD
git archive --remote=. --exec=x HEAD
git archive -o x HEAD
git archive --outp=x HEAD
git config alias.zz '!x'
git config core.fsmonitor x
git config set core.pager x
git config --add core.pager x
git config --global core.editor x
git config --unset user.name
git config -e
git config --file=x a.b
git config -f x --list
git zz
git status-evil
git alias
git rebase --exec x
git rebase -x x
git rebase -ix x HEAD
git rebase --ex=x HEAD
git rebase -s x main
git merge -s x main
git merge --strategy=x main
git submodule foreach x
git submodule --quiet foreach x
git submodule foreac? x
git submodule add ext::x
git bisect run x
git bisect ru? x
git bisect visualize
git hook run pre-commit
git filter-branch --tree-filter x
git difftool -x x
git mergetool
git send-email --smtp-server=x
git instaweb -d x
git remote-ext x y
git merge-index x -a
git remote add x 'ext::sh -c x'
git remote set-url origin x
git diff --output=x
git diff --outpu=x
git log --output x
git log -p --output=.bashrc
git show --ou*put=x
git log *
git diff --ext-diff
git diff -Ox
git format-patch -o x HEAD~1
git init --template=x
git init --separate-git-dir=x
git init /etc/x
git worktree add ../x
git stash show --output=x
git -c core.pager=x log
git --exec-path=x log
git --git-dir=x log
git -p log
git -C ../other status
git -C /etc status
git commit -e
git branch --edit-description
git help log
git bundle create x HEAD
git fast-export
git daemon
sed '1e touch x' a
sed 's/a/b/e' a
sed 's/a/touch x/ge' a
sed -n 'w x' a
sed -n '/a/w x' a
sed 's/a/b/w x' a
sed '1,2W x' a
sed 'r /etc/passwd' a
sed '$!R x' a
sed '1!{p;e}' a
sed -e p -e 'w x' a
sed --expression='w x' a
sed -ne'w x' a
sed -f script a
sed -nf script a
sed --file=script a
sed -i/etc/* s/a/b/ a
sed --in-place=/tmp/* s/a/b/ a
sed -i '' 'w x' a
sed 's/[/]w x/b/w y' a
sed 's/[/x/w y' a
sed '}w x' a
sed 'p
w x' a
sed 's|a|b|;w x' a
sed '\\|a|w x' a
sed 'b;w x' a
sed ':a;w x' a
sed '/a/I,/b/Mw x' a
sed *
sort --o x a
sort --compress-program=x a
sort *
npm test --script-shell=x
npm test --script-sh x
npm test -script-shell=x
npm --script_shell=x test
npm run build --no-script-shell
npm test --node-options=-rx
npm test --prefix /tmp/x
npm --prefix=../x test
npm test -C /tmp
npm -gC x
npm exec x
npm --loglevel silent x y
npm config set script-shell x
npm set script-shell x
npm pkg set scripts.test=x
npm create x
npm init x
npm explore x -- y
npm test --userconfig=x
pnpm dlx x
yarn --cwd ../x build
find . -execdi? x +
find . -fprintf x y
find . -fls x
find . -files0-from x
find *
tar czf a.tgz *
tar cf x --to-command=y
tar cf x --che*
tar cf x --checkpoint=1 --checkpoint-action=exec=y
tar cIf x y
tar -I x -cf y z
tar cf x -T list
tar -xPf x
tar --use-comp=x -cf y
make CC=x
make --eval=x
make -f - 
make -C /tmp
make -f ../x
make --directory=/tmp
cmake -E rm a
scp -oProxyCommand=x a b:
go test -exec x
setarch x86_64 rm a
linux64 rm a
prlimit rm a
setpriv rm a
choom -n 0 -- rm a
ssh-agent rm a
logsave x rm a
sg root 'rm a'
/lib64/ld-linux-x86-64.so.2 /bin/rm a
rg --pre=x y
`;

/** One command a line; a line that starts with a small letter starts a command, but for the second half of a script. */
function commandsOf(text: string): string[] {
  return text.trim().split(/\n(?!w x)/);
}

describe('what is known of everyday commands', () => {
  const commands = commandsOf(EVERYDAY);

  it('is enough to judge them by their words', () => {
    expect(commands.length).toBeGreaterThan(130);
    expect(commands.filter((text) => analyseCommand(text).unknown.length > 0)).toEqual([]);
  });

  it('stands for git alone in more than sixty cases', () => {
    expect(commands.filter((text) => text.startsWith('git ')).length).toBeGreaterThan(90);
  });
});

describe('what can run a program, write a file of its choice or change settings', () => {
  const commands = commandsOf(HOSTILE);

  it('is never taken for known', () => {
    expect(commands.length).toBeGreaterThan(165);
    expect(commands.filter((text) => analyseCommand(text).unknown.length === 0)).toEqual([]);
  });

  it('is named in the reason', () => {
    expect(analyseCommand("git grep -O'touch x;' 1").unknown).toEqual([
      '`git grep -Otouch x;` may run another program, write a file or change settings',
    ]);
    expect(analyseCommand('git log --output=x').unknown).toEqual([
      '`git log --output` may run another program, write a file or change settings',
    ]);
    expect(analyseCommand('git zz').unknown).toEqual([
      '`git zz` may run another program, write a file or change settings',
    ]);
  });
});

describe('paths that name where something runs', () => {
  it('are known where they stay in the folder', () => {
    for (const text of ['git -C /w/a status', 'make -C /w test', 'npm --prefix /w/sub test']) {
      expect(analyseCommand(text, '/w').unknown, text).toEqual([]);
      expect(analyseCommand(text, '/other').unknown, text).not.toEqual([]);
      expect(analyseCommand(text.replace('/w', '/w/../x'), '/w').unknown, text).not.toEqual([]);
    }
  });
});
