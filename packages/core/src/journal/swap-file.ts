import { changed } from '../files/target-steps.js';
import type { WriteHandle } from '../files/workspace-gate.js';
import { contentHash } from '../files/write-handle.js';
import type { ContentStore } from './content-store.js';
import type { PlannedChange } from './intent.js';
import { isSameState, type JournalChange } from './journal-entry.js';
import { isMixture, isStill, isTargetStill, readTarget, stateOf, type Seen } from './target-state.js';

/** One change of one file: what is to become of it, and how. */
export interface FileSwap {
  readonly change: JournalChange;
  readonly plan: PlannedChange;
  readonly contents: ContentStore;
}

/** Brings one target from before to after. @throws Failure `file_changed` when it is not as it was seen: also afterwards */
export async function swapIn(handle: WriteHandle, swap: FileSwap, known: SwapKnowledge): Promise<void> {
  const { steps } = handle;
  const { change, plan } = swap;
  const { path, before, after } = change;
  if (plan.manner === 'create') {
    steps.putNew(plan.staged);
    return;
  }
  const { seen, content } = known;
  if (before.kind === 'missing' || seen === undefined || !(await isTargetStill(handle, seen, before.mode)))
    throw changed(path);
  if (plan.manner === 'overwrite') {
    if (content === null || after.kind === 'missing') throw changed(path);
    await steps.overwrite(content, after.mode);
    return;
  }
  let held = true;
  if (plan.manner === 'delete') steps.moveAside(plan.aside);
  else {
    // The old file stays at hand until all is done: it can be looked at once more, and put back as it was.
    held = await holdAside(handle, swap);
    steps.put(plan.staged);
  }
  // Whoever wrote to it since the look above must not lose that.
  if (held && (await steps.use(plan.aside, (file) => isStill(file, seen))) !== true) throw changed(path);
}

/** A second name for the old file; false where there are none, and then its bytes are kept if they are not yet. */
async function holdAside(handle: WriteHandle, { plan, contents }: FileSwap): Promise<boolean> {
  if (handle.steps.linkAside(plan.aside)) return true;
  const bytes = plan.adopt ? await handle.readExisting() : null;
  if (bytes !== null) await contents.keep(bytes, true);
  return false;
}

export interface SwapKnowledge {
  /** Undefined for a file that is new. */
  readonly seen: Seen | undefined;
  readonly content: Uint8Array | null;
}

/** `untouched`: before. `done`: after. `begun`: neither yet. `foreign`: somebody else changed it. */
export type SwapProgress = 'untouched' | 'begun' | 'done' | 'foreign';

/** How far the change of a target has come, by what lies there. */
export async function progressOf(handle: WriteHandle, { change, plan, contents }: FileSwap): Promise<SwapProgress> {
  const { before, after } = change;
  const now = await stateOf(handle);
  if (isSameState(now, after)) return 'done';
  if (isSameState(now, before)) return 'untouched';
  if (plan.manner === 'delete') return (await exists(handle, plan.aside)) ? 'done' : 'foreign';
  if (plan.manner !== 'overwrite') return (await exists(handle, plan.staged)) ? 'foreign' : 'done';
  if (before.kind === 'missing' || after.kind === 'missing' || now.kind === 'missing') return 'foreign';
  // The bytes are all there and only the mode is not.
  if (now.hash === after.hash || now.hash === before.hash) return 'begun';
  const [current, old, next] = [
    await readTarget(handle),
    await contents.read(before.hash),
    await contents.read(after.hash),
  ];
  if (current === null || old === undefined || next === undefined) return 'foreign';
  return isMixture(current.bytes, old, next) ? 'begun' : 'foreign';
}

/** Goes on where an interrupted change stopped. False: what it needs is not there any more. */
export async function complete(handle: WriteHandle, { change, plan, contents }: FileSwap): Promise<boolean> {
  const { steps } = handle;
  const { after } = change;
  if (plan.manner === 'delete') {
    steps.moveAside(plan.aside);
    return true;
  }
  if (after.kind === 'missing') return false;
  if (plan.manner === 'overwrite') {
    const bytes = await contents.read(after.hash);
    if (bytes === undefined) return false;
    await steps.overwrite(bytes, after.mode);
    return true;
  }
  const staged = await steps.use(plan.staged, (file) => file.readFile());
  if (staged === null || contentHash(staged) !== after.hash) return false;
  if (plan.manner === 'create') {
    steps.putNew(plan.staged);
    return true;
  }
  steps.discard(plan.aside);
  await holdAside(handle, { change, plan, contents });
  steps.put(plan.staged);
  return true;
}

/** Brings a target back to before. False: somebody else changed it, or what it needs is not there any more. */
export async function restore(handle: WriteHandle, swap: FileSwap): Promise<boolean> {
  const { change, plan, contents } = swap;
  const { steps } = handle;
  const progress = await progressOf(handle, swap);
  if (progress === 'untouched') return true;
  const now = await stateOf(handle);
  if (progress === 'foreign' || (progress === 'done' && !isSameState(now, change.after))) return false;
  const { before } = change;
  if (before.kind === 'missing') {
    steps.remove();
    return true;
  }
  if (plan.manner === 'overwrite') {
    const bytes = await contents.read(before.hash);
    if (bytes === undefined) return false;
    await steps.overwrite(bytes, before.mode);
    return true;
  }
  if (!(await exists(handle, plan.aside)) && !(await restage(handle, swap))) return false;
  if (plan.manner === 'delete') steps.putNew(plan.aside);
  else steps.put(plan.aside);
  return true;
}

/** Where the old file itself could not be kept aside: its bytes and mode from the content store. */
async function restage({ steps }: WriteHandle, { change: { before }, plan, contents }: FileSwap): Promise<boolean> {
  if (before.kind === 'missing') return false;
  const bytes = await contents.read(before.hash);
  if (bytes === undefined) return false;
  const staged = await steps.stage({ name: plan.aside, bytes, mode: before.mode });
  await staged?.synced;
  return staged !== undefined;
}

async function exists({ steps }: WriteHandle, name: string): Promise<boolean> {
  return (await steps.use(name, () => Promise.resolve(true))) === true;
}
