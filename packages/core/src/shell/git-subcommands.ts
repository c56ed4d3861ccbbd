import { knownOptions, type KnownOptions } from './known-options.js';

/** Options about what a difference shows. Not `--output`, `-O`, `--ext-diff`, `--textconv`. */
const DIFF =
  '-a -b -c -m -p -r -t -u -w -z -D -R -W -B= -C= -G= -M= -S= -U= -l= --abbrev --binary --cached --cc --check --color' +
  ' --color-moved --color-words --compact-summary --diff-algorithm --diff-filter --dirstat --exit-code --find-copies' +
  ' --find-renames --full-index --function-context --histogram --ignore-all-space --ignore-blank-lines' +
  ' --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-submodules --inter-hunk-context --merge-base' +
  ' --minimal --name-only --name-status --no-color --no-ext-diff --no-index --no-patch --no-prefix --no-renames --no-stat' +
  ' --no-textconv --numstat --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet --raw --relative' +
  ' --shortstat --src-prefix --dst-prefix --staged --stat --submodule --summary --text --unified --word-diff' +
  ' --word-diff-regex';

/** Options about which commits are shown and how. */
const LOG =
  '-# -g -i -E -F -P -n= -L= --after --all --all-match --abbrev-commit --ancestry-path --author --author-date-order' +
  ' --before --boundary --branches --cherry --cherry-mark --cherry-pick --children --clear-decorations --committer --count' +
  ' --date --date-order --decorate --decorate-refs --diff-merges --encoding --exclude --expand-tabs --extended-regexp' +
  ' --first-parent --fixed-strings --follow --format --full-history --glob --graph --grep --invert-grep --left-only' +
  ' --left-right --mailmap --max-count --max-parents --merges --min-parents --no-abbrev-commit --no-decorate' +
  ' --no-mailmap --no-merges --no-notes --no-walk --not --notes --objects --oneline --parents --perl-regexp --pretty' +
  ' --regexp-ignore-case --relative-date --remotes --reverse --right-only --show-pulls --simplify-by-decoration --since' +
  ' --skip --source --tags --topo-order --until --use-mailmap --walk-reflogs';

/** Options about talking to another repository. Not `--upload-pack`, `--receive-pack`, `--exec`, `-c`, `--template`. */
const FETCH =
  '-a -f -k -n -p -q -t -v -P -4 -6 -j= --all --append --atomic --auto-gc --auto-maintenance --deepen --depth --dry-run' +
  ' --filter --force --ipv4 --ipv6 --jobs --keep --multiple --negotiation-tip --no-auto-gc --no-auto-maintenance' +
  ' --no-progress --no-recurse-submodules --no-show-forced-updates --no-tags --no-write-fetch-head --porcelain' +
  ' --progress --prune --prune-tags --quiet --recurse-submodules --refetch --set-upstream --shallow-exclude' +
  ' --shallow-since --show-forced-updates --tags --unshallow --update-head-ok --update-shallow --verbose' +
  ' --write-fetch-head';

/** Options about joining commits. Not `-s`/`--strategy`, which names a program. */
const MERGE =
  '-n -q -v -S -m= -F= -X= --abort --allow-unrelated-histories --autostash --commit --continue --ff --ff-only --file' +
  ' --gpg-sign --into-name --log --message --no-autostash --no-commit --no-edit --no-ff --no-gpg-sign --no-log' +
  ' --no-progress --no-signoff --no-squash --no-stat --no-verify --no-verify-signatures --progress --quiet --quit' +
  ' --signoff --squash --stat --strategy-option --verbose --verify --verify-signatures';

const PICK =
  '-n -r -s -x -S -m= -X= --abort --allow-empty --allow-empty-message --cleanup --continue --empty --ff --gpg-sign' +
  ' --keep-redundant-commits --mainline --no-commit --no-edit --no-gpg-sign --quit --reference --signoff --skip' +
  ' --strategy-option';

const MOVE =
  '-f -l -m -p -q -t -d -b= -B= -c= -C= --conflict --create --detach --discard-changes --force --force-create --guess' +
  ' --ignore-skip-worktree-bits --merge --no-guess --no-overlay --no-overwrite-ignore --no-progress' +
  ' --no-recurse-submodules --no-track --orphan --ours --overlay --overwrite-ignore --patch --progress --quiet' +
  ' --recurse-submodules --theirs --track';

export interface GitSubcommand {
  readonly options: KnownOptions;
  /** The first word must be one of these; with `''` it may be missing. */
  readonly actions?: ReadonlySet<string>;
  /** What words may be that are no options: addresses of repositories, folders that are made. */
  readonly words?: 'repositories' | 'folders' | 'both';
  /** It has options that run or write, so a wildcard that becomes one of them counts. */
  readonly risky?: boolean;
}

function only(actions: string): { readonly actions: ReadonlySet<string> } {
  return { actions: new Set(actions.split(' ')) };
}

/**
 * Subcommands that start nothing the line names (what the repository's configuration names is guarded where
 * that is written) and write only the repository or what they are named after. Aliases are none of these.
 */
export const GIT_SUBCOMMANDS: ReadonlyMap<string, GitSubcommand> = new Map<string, GitSubcommand>([
  [
    'status',
    {
      options: knownOptions(
        '-s -b -v -u= -z --ahead-behind --branch --column --find-renames --ignore-submodules --ignored --long',
        '--no-ahead-behind --no-column --no-renames --porcelain --renames --short --show-stash --untracked-files --verbose',
      ),
    },
  ],
  ['diff', { options: knownOptions(DIFF, '-s -q -1 -2 -3 -0 --ours --theirs --base --oneline'), risky: true }],
  ['show', { options: knownOptions(DIFF, LOG, '-s -q'), risky: true }],
  ['log', { options: knownOptions(DIFF, LOG, '-s -q'), risky: true }],
  ['reflog', { options: knownOptions(DIFF, LOG, '-s -q'), risky: true }],
  ['shortlog', { options: knownOptions(LOG, '-s -e -c --numbered --email --group'), risky: true }],
  ['range-diff', { options: knownOptions(DIFF, '-s --creation-factor --left-only --right-only'), risky: true }],
  ['diff-tree', { options: knownOptions(DIFF, '-s --root --no-commit-id --pretty --format'), risky: true }],
  ['diff-index', { options: knownOptions(DIFF, '-s'), risky: true }],
  ['diff-files', { options: knownOptions(DIFF, '-s -q -0 -1 -2 -3'), risky: true }],
  ['rev-list', { options: knownOptions(LOG, '--header --timestamp --quiet'), risky: true }],
  [
    'blame',
    {
      options: knownOptions(
        '-b -c -e -f -l -n -p -s -t -w -C= -L= -M= --abbrev --color-by-age --color-lines --date --first-parent',
        '--ignore-rev --ignore-revs-file --incremental --line-porcelain --porcelain --reverse --root --show-email',
        '--show-name --show-number --show-stats --since',
      ),
    },
  ],
  [
    'grep',
    {
      risky: true,
      options: knownOptions(
        '-# -a -c -h -i -l -n -o -p -q -r -v -w -z -E -F -G -H -I -L -P -W -A= -B= -C= -e= -f= -m= --after-context',
        '--all-match --and --basic-regexp --before-context --break --cached --color --column --context --count',
        '--exclude-standard --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name',
        '--function-context --heading --ignore-case --invert-match --line-number --max-count --max-depth --name-only',
        '--no-color --no-exclude-standard --no-index --no-recursive --no-textconv --not --null --only-matching --or',
        '--perl-regexp --quiet --recurse-submodules --recursive --show-function --text --threads --untracked --word-regexp',
      ),
    },
  ],
  [
    'ls-files',
    {
      options: knownOptions(
        '-c -d -f -i -k -m -o -s -t -u -v -z -x= -X= --abbrev --cached --deduplicate --deleted --directory --eol',
        '--error-unmatch --exclude --exclude-from --exclude-per-directory --exclude-standard --format --full-name --ignored',
        '--killed --modified --no-empty-directory --others --recurse-submodules --resolve-undo --stage --unmerged',
      ),
    },
  ],
  [
    'ls-tree',
    {
      options: knownOptions(
        '-d -l -r -t -z --abbrev --format --full-name --full-tree --long --name-only --name-status --object-only',
      ),
    },
  ],
  [
    'rev-parse',
    {
      options: knownOptions(
        '-q --abbrev-ref --absolute-git-dir --all --branches --git-common-dir --git-dir --git-path --is-bare-repository',
        '--is-inside-git-dir --is-inside-work-tree --is-shallow-repository --path-format --quiet --remotes --short',
        '--show-cdup --show-prefix --show-superproject-working-tree --show-toplevel --symbolic --symbolic-full-name --tags --verify',
      ),
    },
  ],
  [
    'describe',
    {
      options: knownOptions(
        '--abbrev --all --always --broken --candidates --contains --dirty --exact-match --exclude --first-parent --long',
        '--match --tags',
      ),
    },
  ],
  ['merge-base', { options: knownOptions('-a --all --fork-point --independent --is-ancestor --octopus') }],
  [
    'cat-file',
    {
      options: knownOptions(
        '-e -p -s -t --batch --batch-all-objects --batch-check --buffer --follow-symlinks --unordered',
      ),
    },
  ],
  [
    'for-each-ref',
    {
      options: knownOptions(
        '--contains --count --exclude --format --ignore-case --merged --no-contains --no-merged --points-at --sort',
      ),
    },
  ],
  [
    'show-ref',
    { options: knownOptions('-d -q -s --abbrev --dereference --hash --head --heads --quiet --tags --verify') },
  ],
  ['symbolic-ref', { options: knownOptions('-q --quiet --short') }],
  ['name-rev', { options: knownOptions('--all --always --exclude --name-only --refs --tags') }],
  ['cherry', { options: knownOptions('-v --abbrev --verbose') }],
  ['count-objects', { options: knownOptions('-v -H --human-readable --verbose') }],
  ['check-ignore', { options: knownOptions('-n -q -v -z --no-index --non-matching --quiet --verbose') }],
  ['check-attr', { options: knownOptions('-a -z --all --cached') }],
  [
    'fsck',
    {
      options: knownOptions(
        '-v --cache --connectivity-only --dangling --full --name-objects --no-dangling --no-full --no-progress --no-reflogs',
        '--progress --root --strict --tags --unreachable --verbose',
      ),
    },
  ],
  ['version', { options: knownOptions('--build-options') }],
  ['gc', { options: knownOptions('-q --aggressive --auto --force --no-prune --prune --quiet') }],
  [
    'add',
    {
      options: knownOptions(
        '-f -n -p -u -v -A -N --all --chmod --dry-run --force --ignore-errors --ignore-missing --ignore-removal',
        '--intent-to-add --no-all --no-ignore-removal --patch --refresh --renormalize --sparse --update --verbose',
      ),
    },
  ],
  [
    'read-tree',
    {
      options: knownOptions(
        '-i -m -n -q -u -v --aggressive --dry-run --empty --prefix --quiet --reset --trivial --verbose',
      ),
    },
  ],
  ['rm', { options: knownOptions('-f -n -q -r --cached --dry-run --force --ignore-unmatch --quiet --sparse') }],
  ['mv', { options: knownOptions('-f -k -n -v --dry-run --force --sparse --verbose') }],
  [
    'commit',
    {
      options: knownOptions(
        '-a -i -n -o -p -q -s -v -z -S -m= -u= -C= -F= --all --allow-empty --allow-empty-message --amend --author --branch',
        '--cleanup --date --dry-run --file --fixup --gpg-sign --include --long --message --no-edit --no-gpg-sign',
        '--no-post-rewrite --no-signoff --no-status --no-verify --only --patch --porcelain --quiet --reset-author',
        '--reuse-message --short --signoff --squash --status --trailer --untracked-files --verbose --verify',
      ),
    },
  ],
  [
    'branch',
    {
      options: knownOptions(
        '-a -c -d -f -i -l -m -q -r -t -v -C -D -M -u= --abbrev --all --color --column --contains --copy --create-reflog',
        '--delete --force --format --ignore-case --list --merged --move --no-abbrev --no-color --no-column --no-contains',
        '--no-merged --no-track --points-at --quiet --remotes --set-upstream-to --show-current --sort --track',
        '--unset-upstream --verbose',
      ),
    },
  ],
  ['checkout', { options: knownOptions(MOVE, '-2 -3') }],
  ['switch', { options: knownOptions(MOVE) }],
  [
    'restore',
    {
      options: knownOptions(
        '-m -p -q -s= -S -W -2 -3 --conflict --ignore-skip-worktree-bits --ignore-unmerged --merge --no-overlay',
        '--no-progress --no-recurse-submodules --ours --overlay --patch --progress --quiet --recurse-submodules --source',
        '--staged --theirs --worktree',
      ),
    },
  ],
  [
    'reset',
    {
      options: knownOptions(
        '-p -q -N --hard --intent-to-add --keep --merge --mixed --no-quiet --no-refresh --patch --quiet --refresh --soft',
      ),
    },
  ],
  ['clean', { options: knownOptions('-d -f -n -q -x -X -e= --dry-run --exclude --force --quiet') }],
  [
    'stash',
    {
      risky: true,
      options: knownOptions(
        DIFF,
        '-# -a -k -p -q -u -S -m= --all --format --include-untracked --index --keep-index --message --no-keep-index',
        '--oneline --only-untracked --patch --quiet --staged',
      ),
    },
  ],
  ['merge', { options: knownOptions(MERGE) }],
  [
    'rebase',
    {
      risky: true,
      options: knownOptions(
        '-f -i -m -n -q -r -v -S -X= --abort --apply --autosquash --autostash --committer-date-is-author-date --continue',
        '--empty --ff --force-rebase --fork-point --gpg-sign --ignore-date --ignore-whitespace --interactive --keep-base',
        '--keep-empty --merge --no-autosquash --no-autostash --no-ff --no-fork-point --no-gpg-sign --no-keep-empty',
        '--no-reapply-cherry-picks --no-rebase-merges --no-stat --no-update-refs --no-verify --onto --quiet --quit',
        '--reapply-cherry-picks --rebase-merges --reset-author-date --root --show-current-patch --signoff --skip --stat',
        '--strategy-option --update-refs --verbose --verify --whitespace',
      ),
    },
  ],
  ['cherry-pick', { options: knownOptions(PICK) }],
  ['revert', { options: knownOptions(PICK) }],
  [
    'am',
    {
      options: knownOptions('-3 -k -q -s --3way --abort --continue --keep --no-verify --quiet --quit --signoff --skip'),
    },
  ],
  [
    'apply',
    {
      options: knownOptions(
        '-3 -v -N -R -p= -C= --3way --allow-empty --cached --check --directory --exclude --ignore-space-change',
        '--ignore-whitespace --include --index --intent-to-add --inaccurate-eof --numstat --quiet --recount --reject',
        '--reverse --stat --summary --unidiff-zero --verbose --whitespace',
      ),
    },
  ],
  [
    'tag',
    {
      options: knownOptions(
        '-# -a -d -f -i -l -n -s -F= -m= -u= --annotate --cleanup --color --column --contains --create-reflog --delete',
        '--file --force --format --ignore-case --list --local-user --merged --message --no-column --no-contains --no-merged',
        '--no-sign --points-at --sign --sort',
      ),
    },
  ],
  [
    'notes',
    {
      ...only(' list show add append copy remove prune get-ref'),
      options: knownOptions('-f -F= -m= -n -v --file --force --ignore-missing --message --ref'),
    },
  ],
  ['fetch', { words: 'repositories', risky: true, options: knownOptions(FETCH) }],
  ['pull', { words: 'repositories', risky: true, options: knownOptions(FETCH, MERGE, '-r --no-rebase --rebase') }],
  [
    'push',
    {
      words: 'repositories',
      risky: true,
      options: knownOptions(
        '-d -f -n -q -u -v -4 -6 -o= --all --atomic --branches --delete --dry-run --follow-tags --force',
        '--force-if-includes --force-with-lease --ipv4 --ipv6 --mirror --no-atomic --no-follow-tags',
        '--no-force-if-includes --no-force-with-lease --no-progress --no-signed --no-thin --no-verify --porcelain',
        '--progress --prune --push-option --quiet --recurse-submodules --set-upstream --signed --tags --thin --verbose --verify',
      ),
    },
  ],
  [
    'ls-remote',
    {
      words: 'repositories',
      risky: true,
      options: knownOptions(
        '-b -h -q -t --branches --exit-code --get-url --heads --quiet --refs --sort --symref --tags',
      ),
    },
  ],
  [
    'clone',
    {
      words: 'both',
      risky: true,
      options: knownOptions(
        '-l -n -q -s -v -4 -6 -b= -j= -o= --also-filter-submodules --bare --branch --depth --dissociate --filter --ipv4',
        '--ipv6 --jobs --local --mirror --no-checkout --no-hardlinks --no-local --no-reject-shallow --no-remote-submodules',
        '--no-shallow-submodules --no-single-branch --no-tags --origin --progress --quiet --recurse-submodules --recursive',
        '--reject-shallow --remote-submodules --shallow-exclude --shallow-since --shallow-submodules --shared',
        '--single-branch --sparse --tags --verbose',
      ),
    },
  ],
  ['remote', { ...only(' show get-url prune -v --verbose'), options: knownOptions('-n -v --all --push --verbose') }],
  ['init', { words: 'folders', options: knownOptions('-q -b= --bare --initial-branch --object-format --quiet') }],
  [
    'worktree',
    {
      ...only('add list lock prune remove unlock'),
      words: 'folders',
      options: knownOptions(
        '-d -f -n -q -v -z -b= -B= --checkout --detach --dry-run --expire --force --guess-remote --lock --no-checkout',
        '--no-guess-remote --no-track --orphan --porcelain --quiet --reason --track --verbose',
      ),
    },
  ],
  [
    'submodule',
    {
      ...only(' status init update summary'),
      words: 'repositories',
      options: knownOptions(
        '-f -j= -N -q --cached --checkout --depth --files --filter --force --init --jobs --merge --no-fetch',
        '--no-recommend-shallow --no-single-branch --progress --quiet --rebase --recommend-shallow --recursive --remote',
        '--single-branch',
      ),
    },
  ],
  [
    'bisect',
    {
      ...only('start bad new good old skip reset log terms next'),
      options: knownOptions('--first-parent --no-checkout --term-bad --term-good --term-new --term-old'),
    },
  ],
  [
    'archive',
    { risky: true, options: knownOptions('-# -l -v --format --list --prefix --verbose --worktree-attributes') },
  ],
  [
    'format-patch',
    { risky: true, ...only('--stdout'), options: knownOptions(DIFF, LOG, '-s -k --stdout --no-signature') },
  ],
]);
