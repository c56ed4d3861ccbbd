import { isPathEffect, type Effect, type PathEffect, type RunEffect } from '../effects/effect.js';
import { isWithin } from '../util/paths-below.js';
import { wholesaleDeleteReason } from './control-files.js';
import { programName } from './programs.js';

/**
 * What nothing brings back: neither undo, which holds the files of the workspace that are not ignored, nor a version
 * control system. It is asked about in every mode, and a rule with a wildcard does not answer. Everyday losses are not among
 * them (`rm -rf node_modules`, `git reset --hard`, of which undo keeps the files).
 */
interface Act {
  /** Names, separated by blanks; one that ends in a point holds for all that begin so. */
  readonly programs: string;
  /** What the words behind the program must be like, with a blank between them; every use without it. */
  readonly words?: RegExp;
  /** Uses that are none. */
  readonly unless?: RegExp;
  /** What is lost, and to whom. */
  readonly reason: string;
  /** What may be done instead. */
  readonly instead?: string;
}

/** Options that stand before a subcommand of git. */
const FRONT = String.raw`^(?:-[Cc] \S+ |-(?![Cc] )\S+ )*`;

const ACTS: readonly Act[] = [
  {
    programs: 'mkfs mkfs. mke2fs mkswap mkntfs mkdosfs newfs newfs_. blkdiscard',
    reason: 'makes a new file system where another one may be, whose files are gone then',
  },
  {
    programs: 'fdisk sfdisk cfdisk gdisk sgdisk parted diskpart',
    unless: /^(?:-l|--list|-p|--print|--version|-v|\S+ print)(?: |$)/,
    reason: 'writes the table by which the parts of a disk are found',
  },
  {
    programs: 'wipefs',
    words: /(?:^| )(?:-\w*[ao]|--all|--offset)/,
    reason: 'takes away what a file system is known by',
  },
  {
    programs: 'cryptsetup',
    words: /(?:^| )(?:luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|reencrypt)(?: |$)/,
    reason: 'takes away keys without which a disk cannot be read',
  },
  { programs: 'lvremove vgremove pvremove vgreduce', reason: 'removes a volume with all that it holds' },
  {
    programs: 'zfs zpool',
    words: /^(?:destroy|labelclear|rollback)\b/,
    reason: 'removes a file system, or what was written since',
  },
  { programs: 'btrfs', words: /^subvolume delete\b/, reason: 'removes a file system with all that it holds' },
  {
    programs: 'mdadm',
    words: /(?:^| )--(?:create|zero-superblock)/,
    reason: 'takes disks for others, and what they hold with them',
  },
  { programs: 'nvme', words: /^(?:format|sanitize|delete-ns)\b/, reason: 'empties a disk' },
  { programs: 'hdparm', words: /--(?:security-erase|trim-sector|write-sector|make-bad)/, reason: 'empties a disk' },
  {
    programs: 'diskutil',
    words: /^(?:erase|partition|reformat|secureErase|zeroDisk|randomDisk|apfs delete|cs delete)/i,
    reason: 'empties a disk',
  },
  { programs: 'format', words: /^[a-z]:/i, reason: 'empties a disk' },
  { programs: 'srm wipe', reason: 'overwrites files so that nothing finds them again' },
  { programs: 'crontab', words: /(?:^| )-\w*r/, reason: 'removes all that runs on a schedule, without a copy' },
  {
    programs: 'git',
    words: new RegExp(String.raw`${FRONT}clean(?= (?:.* )?-[a-z]*[xX])`),
    unless: new RegExp(String.raw`${FRONT}clean (?:.* )?(?:-(?=[a-z]*n)[a-z]+|--dry-run)(?: |$)`),
    reason: 'deletes ignored files as well (settings, keys, data), of which undo keeps no copy',
    instead: '`git clean -fd` leaves ignored files alone; `git clean -ndx` shows what would be lost',
  },
  {
    programs: 'git',
    words: new RegExp(String.raw`${FRONT}push (?:.* )?(?:-(?=[a-z]*f)[a-z]+|--force|--mirror|\+\S+)(?: |$)`),
    reason: 'overwrites what others may have pushed',
    instead: '`git push --force-with-lease` overwrites only what was fetched before',
  },
  {
    programs: 'git',
    words: new RegExp(
      String.raw`${FRONT}(?:reflog (?:expire|delete|drop)|gc (?:.* )?--prune=(?:now|all)|prune|stash clear|filter-branch|filter-repo)(?: |$)`,
    ),
    unless: / (?:-n|--dry-run)(?: |$)/,
    reason: 'removes commits that nothing else leads to; undo keeps files, not commits',
  },
  { programs: 'gh', words: /^(?:repo|gist|release) delete\b/, reason: 'deletes at the hoster what others use' },
  {
    programs: 'npm pnpm yarn cargo',
    words: /^(?:unpublish|yank)\b/,
    reason: 'takes back a version that others may use',
  },
  {
    programs: 'terraform tofu terragrunt',
    words: /^(?:-\S+ )*(?:destroy\b|apply (?:.* )?-?-destroy)/,
    reason: 'destroys machines and what they hold',
  },
  { programs: 'pulumi cdk sst', words: /^(?:destroy|remove)\b/, reason: 'destroys machines and what they hold' },
  {
    programs: 'docker podman',
    words:
      /^(?:volume (?:rm|remove|prune)\b|system prune (?:.* )?--volumes|compose (?:.* )?down (?:.* )?(?:-v|--volumes)(?: |$))/,
    reason: 'deletes volumes with the data in them',
  },
  {
    programs: 'docker-compose',
    words: /\bdown (?:.* )?(?:-v|--volumes)(?: |$)/,
    reason: 'deletes volumes with the data in them',
  },
  {
    programs: 'kubectl oc',
    words: /(?:^| )delete (?:.* )?(?:--all\b|ns\b|namespaces?\b|pvc?\b|persistentvolume|crds?\b|customresourcedef)/,
    reason: 'deletes all that such a resource holds',
  },
  { programs: 'dropdb dropuser', reason: 'deletes a database' },
  { programs: 'mysqladmin mariadb-admin', words: /(?:^| )drop\b/i, reason: 'deletes a database' },
  { programs: 'redis-cli valkey-cli', words: /(?:^| )flush(?:all|db)\b/i, reason: 'empties a database' },
  { programs: 'aws', words: /\bs3 (?:rb\b|rm (?:.* )?--recursive)/, reason: 'empties a bucket' },
  { programs: 'gcloud az', words: /\b(?:projects|group|groups) delete\b/, reason: 'deletes all that the group holds' },
];

interface Row extends Omit<Act, 'programs'> {
  readonly names: readonly string[];
}

const ROWS: readonly Row[] = ACTS.map(({ programs, ...act }) => ({ ...act, names: programs.split(' ') }));

/** Programs that put one thing into a folder: what else lies there stays as it is. */
const PUTS: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install']);

const LONGEST_PART = 60;
const LONGEST_WORD = 80;
const MOST_WORDS = 200;

interface Places {
  readonly roots: readonly string[];
  readonly home: string;
}

/** An act of a command, which an allow rule answers that is the whole command; undefined for any other effect. */
export function irrecoverableAct(effect: Effect): { readonly reason: string; readonly instead?: string } | undefined {
  if (effect.kind !== 'run' || effect.readOnly) return undefined;
  const act = actOf(effect);
  if (act === undefined) return undefined;
  const { reason, instead } = act;
  const what = `\`${effect.command.slice(0, LONGEST_PART)}\` cannot be taken back: it ${reason}`;
  return { reason: what, ...(instead !== undefined && { instead }) };
}

function actOf({ argv: [program = '', ...words] }: RunEffect): Row | undefined {
  const name = programName(program);
  const text = shortened(words).join(' ');
  return ROWS.find(
    ({ names, words: like, unless }) =>
      names.some((each) => (/[._]$/.test(each) ? name.startsWith(each) : name === each)) &&
      like?.test(text) !== false &&
      unless?.test(text) !== true,
  );
}

/** Patterns take long on long texts: of many words those that stand in front, and all that look like options. */
function shortened(words: readonly string[]): readonly string[] {
  const all = words.map((word) => word.slice(0, LONGEST_WORD));
  if (all.length <= MOST_WORDS) return all;
  const options = new Set(all.slice(MOST_WORDS).filter((word) => /^[-+]/.test(word)));
  return [...all.slice(0, MOST_WORDS), ...Array.from(options).slice(0, MOST_WORDS)];
}

/** Deleting or overwriting the disk, the home folder, the workspace or what holds one of them: no rule answers. */
export function wholesaleReason(effect: Effect, places: Places): string | undefined {
  if (!isPathEffect(effect)) return undefined;
  return wholesaleDeleteReason(effect, places) ?? wholesaleWriteReason(effect, places);
}

/** Everything in the workspace itself may be changed: undo keeps its files. */
function wholesaleWriteReason(effect: PathEffect, { roots, home }: Places): string | undefined {
  if (effect.kind !== 'write' || effect.scope !== 'tree') return undefined;
  if (PUTS.has(programName(effect.by?.argv[0] ?? ''))) return undefined;
  const { path } = effect;
  const isAbove = isWithin(home, path) || roots.some((root) => isWithin(root, path));
  return isAbove && !roots.includes(path)
    ? `everything in ${path} would be changed, which holds more than the workspace`
    : undefined;
}
