import { changed } from '../files/target-steps.js';
import type { WorkspaceGate, WriteHandle } from '../files/workspace-gate.js';
import { contentHash, MISSING } from '../files/write-handle.js';
import { Failure } from '../util/failure.js';
import { finishTransaction } from './finish-transaction.js';
import { temporaryNames, type ChangeManner, type Intent, type PlannedChange } from './intent.js';
import { isSameState, type FileState, type JournalChange, type JournalEntry } from './journal-entry.js';
import type { CommittedTransaction, StateChange, TransactionRequest } from './journal.js';
import type { HeldLocks } from './path-locks.js';
import { ownMark } from './process-mark.js';
import { runPool } from './run-pool.js';
import { swapIn, type FileSwap } from './swap-file.js';
import { takeBack } from './take-back.js';
import type { TransactionServices } from './transaction-services.js';
import { atTarget, isTargetStill, readTarget, type Seen } from './target-state.js';

/*
 * The laws:
 * 1. Before a target is touched the intent, the old bytes and the new ones are on the disk.
 * 2. A target goes from before to after by one rename or one link. One that has several names, or an owner or attributes
 *    that a new file cannot be given, is overwritten in place; then both contents are in the content store.
 * 3. The intent becomes the entry by a rename, after all targets are on the disk. As long as it is an intent, whoever
 *    starts next finishes the transaction when a target was touched, and clears it away when none was.
 * 4. What somebody else wrote is never written over: each target is compared before and, held aside, after its rename.
 */

const FILES_AT_ONCE = 4;
/** Up to so many old contents are being kept while the new ones are staged; beyond, each is kept before the next is read. */
const OVERLAPPED_FILES = 8;
/** The new bytes are kept too, so that a later undo can tell what others changed since. */
const KEPT_AFTER_BYTES = 1024 * 1024;

interface Work {
  readonly request: StateChange;
  readonly path: string;
  readonly seen: Seen | undefined;
  readonly before: FileState;
  after: FileState;
  plan: PlannedChange;
  readonly links: number;
  readonly missingFolders: readonly string[];
  readonly isChange: boolean;
  /** Ends when the old bytes are kept. */
  readonly kept: Promise<unknown>;
  /** Ends when the new bytes are on the disk. */
  staged: Promise<unknown>;
}

/** Makes all of the changes or none. @throws Failure: the tree is as it was before */
export async function commitTransaction(
  services: TransactionServices,
  request: TransactionRequest,
  id: string,
): Promise<CommittedTransaction> {
  const targets = await targetsOf(services.gate, request.changes);
  const names = targets.flatMap(({ path, inode }) => [path, ...(inode === undefined ? [] : [inode])]);
  return services.locks.holding([...names, ...(request.emptyFolders ?? [])], async (locks) => {
    services.onStep('locked');
    const all = await examineAll(services, request, { targets, id });
    const works = all.filter(({ isChange }) => isChange);
    const entry =
      works.length === 0 && (request.emptyFolders ?? []).length === 0
        ? entryOf(request, id, [], [])
        : await carryOut({ services, request, works, locks, id });
    const done = all.map(({ path, after, links }) => ({ path, after, links: after.kind === 'missing' ? 0 : links }));
    return { entry, done };
  });
}

interface Target {
  /** Canonical. */
  readonly path: string;
  /** What a file with several names is locked by as well: it may be changed through any of them. */
  readonly inode: string | undefined;
}

/** In the order of the changes. */
async function targetsOf(gate: WorkspaceGate, changes: readonly StateChange[]): Promise<Target[]> {
  const found = new Map<string, string>();
  const targets: Target[] = [];
  for (const { path, resolvedPath } of changes) {
    const target = await gate.withTarget(path, async (handle) => targetOf(handle));
    if (resolvedPath !== undefined && resolvedPath !== target.path)
      throw new Failure(
        'file_changed',
        `The path leads elsewhere than when it was judged: ${path}. Try the call again.`,
      );
    const other = found.get(target.path);
    if (other !== undefined)
      throw new Failure('file_write_failure', `${other} and ${path} are the same file. Change it once in a call.`);
    found.set(target.path, path);
    targets.push(target);
  }
  return targets;
}

function targetOf({ resolved, steps: { stat } }: WriteHandle): Target {
  return {
    path: resolved.path,
    inode: stat !== undefined && stat.nlink > 1 ? `inode ${stat.dev}:${stat.ino}` : undefined,
  };
}

async function examineAll(
  services: TransactionServices,
  { kind, changes }: TransactionRequest,
  { targets, id }: { readonly targets: readonly Target[]; readonly id: string },
): Promise<Work[]> {
  const items = targets.flatMap((target, index) => {
    const change = changes[index];
    return change === undefined ? [] : [{ change, index, target }];
  });
  return runPool(items, FILES_AT_ONCE, async ({ change, index, target }) => {
    const work = await examine({
      services,
      change,
      target,
      mayBeReadOnly: kind !== 'change',
      names: temporaryNames(id, index),
    });
    if (changes.length > OVERLAPPED_FILES) await work.kept;
    return work;
  });
}

interface Examination {
  readonly services: TransactionServices;
  readonly change: StateChange;
  readonly target: Target;
  /** A file that was made read-only since can be deleted to take its making back. */
  readonly mayBeReadOnly: boolean;
  readonly names: Pick<PlannedChange, 'staged' | 'aside'>;
}

/** What is there, and what is to become of it. @throws Failure `file_changed` when it is not what was expected */
function examine({ services, change, target, mayBeReadOnly, names }: Examination): Promise<Work> {
  const { content, expected, mode } = change;
  const { path, inode } = target;
  return atTarget(
    services.gate,
    path,
    async (handle) => {
      const { steps } = handle;
      // It got a name since, so that it may be being changed through that.
      if (targetOf(handle).inode !== inode) throw changed(path);
      const now = await readTarget(handle);
      if ((now?.seen.hash ?? MISSING) !== expected || (now === null) !== (steps.stat === undefined))
        throw changed(path);
      if (content !== null || !mayBeReadOnly) await steps.refuseUnlessWritable();
      const before = now === null ? { kind: 'missing' as const } : fileState(now.seen.hash, now.bytes, now.mode);
      // A large content is hashed while it is written; one of another size is another in any case.
      const isLate = content !== null && content.length > KEPT_AFTER_BYTES && content.length !== now?.bytes.length;
      const after: FileState =
        content === null
          ? { kind: 'missing' }
          : fileState(isLate ? '' : contentHash(content), content, mode ?? (now === null ? 0o644 : now.mode));
      const isChange = !isSameState(before, after);
      const links = steps.stat?.nlink ?? 1;
      const manner = mannerOf(content, before, links);
      const large = now !== null && isChange && now.bytes.length >= services.adoptFromBytes;
      const adopt = large && manner !== 'overwrite' && (await services.contents.device()) === steps.stat?.dev;
      if (adopt) await handle.useExisting((file) => file.sync());
      const kept =
        now === null || !isChange || adopt ? Promise.resolve() : services.contents.keep(now.bytes, true, now.seen.hash);
      // Looked at when it is awaited; a failure before that must not be one that nobody handles.
      kept.catch(() => undefined);
      const plan = { manner, adopt, ...names };
      const missingFolders = content === null ? [] : steps.missingFolders;
      return {
        request: change,
        path,
        seen: now?.seen,
        before,
        after,
        plan,
        links,
        missingFolders,
        isChange,
        kept,
        staged: kept,
      };
    },
    change.path,
  );
}

function fileState(hash: string, bytes: Uint8Array, mode: number): FileState & { kind: 'file' } {
  return { kind: 'file', hash, bytes: bytes.length, mode };
}

function mannerOf(content: Uint8Array | null, before: FileState, links: number): ChangeManner {
  if (content === null) return 'delete';
  if (before.kind === 'missing') return 'create';
  return links > 1 ? 'overwrite' : 'replace';
}

interface Execution {
  readonly services: TransactionServices;
  readonly request: TransactionRequest;
  readonly works: readonly Work[];
  readonly locks: HeldLocks;
  readonly id: string;
}

async function carryOut({ services, request, works, locks, id }: Execution): Promise<JournalEntry> {
  const { pending, onStep } = services;
  const owner = ownMark();
  const planned = [...new Set(works.flatMap(({ missingFolders }) => missingFolders))].sort(byLength);
  const intentOf = (ready: boolean, folders: readonly string[]): Intent => ({
    entry: entryOf(request, id, works, folders),
    plan: works.map(({ plan }) => plan),
    emptyFolders: request.emptyFolders ?? [],
    ready,
    failed: false,
    owner,
  });
  let intent = intentOf(false, planned);
  const touched = new Set<number>();
  try {
    onStep('before draft');
    await pending.write(intent, false);
    onStep('after draft');
    const made = await stageAll(services, works);
    await Promise.all(works.map(({ kept }) => kept));
    intent = intentOf(
      true,
      planned.filter((folder) => made.has(folder)),
    );
    onStep('before intent');
    // Side by side, for each waits for the disk: an intent without what it speaks of is cleared away while no target is touched.
    await allOf([pending.write(intent, true), ...works.map(({ staged }) => staged)]);
    onStep('after intent');
    if (works.length > 1) await runPool(works, FILES_AT_ONCE, (work) => recheck(services, work));
    for (const [index, work] of works.entries()) {
      locks.verify();
      touched.add(index);
      onStep(`before ${work.plan.manner}`);
      await atTarget(services.gate, work.path, (handle) =>
        swapIn(handle, swapOf(services, work), { seen: work.seen, content: work.request.content }),
      );
      onStep(`after ${work.plan.manner}`);
    }
    await finishTransaction(services, intent);
    return intent.entry;
  } catch (thrown) {
    await Promise.allSettled(works.flatMap(({ kept, staged }) => [kept, staged]));
    throw await afterTakingBack(thrown, services, intent, touched);
  }
}

function byLength(one: string, other: string): number {
  return one.length - other.length;
}

function entryOf(
  { kind, call, reverts = [] }: TransactionRequest,
  id: string,
  works: readonly Work[],
  madeFolders: readonly string[],
): JournalEntry {
  const changes: JournalChange[] = works.map(({ path, before, after }) => ({ path, before, after }));
  const base = { version: 1, id, time: new Date().toISOString(), kind } as const;
  return { ...base, ...(call === undefined ? {} : { call }), reverts, changes, madeFolders };
}

function swapOf({ contents }: TransactionServices, { path, before, after, plan }: Work): FileSwap {
  return { change: { path, before, after }, plan, contents };
}

/** Puts the new contents beside their targets, on the disk; gives the folders that were made for them. */
async function stageAll(services: TransactionServices, works: readonly Work[]): Promise<ReadonlySet<string>> {
  const made = new Set<string>();
  await runPool(works, FILES_AT_ONCE, async (work) => {
    const { content } = work.request;
    if (content === null || work.after.kind === 'missing') return;
    const inPlace = work.plan.manner === 'overwrite';
    if (inPlace && work.after.hash === '') work.after = { ...work.after, hash: contentHash(content) };
    const { hash } = work.after;
    const keeping = inPlace
      ? services.contents.keep(content, true, hash)
      : content.length <= KEPT_AFTER_BYTES
        ? // Of use, but not needed.
          services.contents.keep(content, false, hash).catch(() => undefined)
        : Promise.resolve();
    const staging = inPlace ? Promise.resolve() : stage(services, work, made);
    await allOf([staging, keeping]);
    // So that only a few files are open at once.
    if (works.length > OVERLAPPED_FILES) await work.staged;
  });
  return made;
}

async function stage(services: TransactionServices, work: Work, made: Set<string>): Promise<void> {
  const { content: bytes, mode } = work.request;
  const { after, plan } = work;
  if (bytes === null || after.kind === 'missing') return;
  services.onStep('before stage');
  const staged = await atTarget(services.gate, work.path, async ({ steps }) => {
    for (const folder of steps.makeFolders()) made.add(folder);
    services.onStep('in folder');
    return steps.stage({ name: plan.staged, bytes, mode });
  });
  // While the disk is at work.
  const hash = after.hash === '' ? contentHash(bytes) : after.hash;
  services.onStep('after stage');
  if (staged === undefined) {
    if (plan.adopt) await keepOld(services, work);
    work.plan = { ...plan, manner: 'overwrite', adopt: false };
    await services.contents.keep(bytes, true, hash);
    work.after = { ...after, hash };
    return;
  }
  work.after = { ...after, hash, mode: staged.mode };
  work.staged = staged.synced;
}

/** Waits for all to end, then fails as the first of them did. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** What is to be overwritten in place cannot be taken over. */
function keepOld({ gate, contents }: TransactionServices, { path }: Work): Promise<unknown> {
  return atTarget(gate, path, async (handle) => {
    const bytes = await handle.readExisting();
    if (bytes !== null) await contents.keep(bytes, true);
  });
}

function recheck({ gate }: TransactionServices, { path, seen, before }: Work): Promise<void> {
  if (seen === undefined || before.kind === 'missing') return Promise.resolve();
  return atTarget(gate, path, async (handle) => {
    if (!(await isTargetStill(handle, seen, before.mode))) throw changed(path);
  });
}

async function afterTakingBack(
  thrown: unknown,
  services: TransactionServices,
  intent: Intent,
  touched: ReadonlySet<number>,
): Promise<unknown> {
  const left = await takeBack(services, intent, touched);
  if (left.length === 0 || !(thrown instanceof Failure)) return thrown;
  return new Failure(thrown.code, `${thrown.message} ${left.join(' ')}`, { cause: thrown });
}
