import type { WorktreeReport } from '../../subagents/subagent-types.js';
import { ToolNames } from '../../tools/tool-names.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { errorMessage } from '../../util/failure.js';
import type { BegunFile, BegunFiles } from './begun-files.js';
import { findChanges, type FoundChanges, type WorktreeChange } from './find-changes.js';
import { planReturn, type ReturnPlan } from './plan-return.js';
import { ReturnTool } from './return-tool.js';
import type { GitPlace } from './run-git.js';
import type { WorktreeReturn, WorktreeSource, WorktreeUser } from './worktree-types.js';
import { removeWorktree, writeRecord, type WorktreeFolders, type WorktreeRecord } from './worktree-record.js';

interface WorktreeParts {
  readonly source: WorktreeSource;
  readonly user: WorktreeUser;
  readonly folders: WorktreeFolders;
  readonly record: WorktreeRecord;
  /** For the worktree. */
  readonly git: GitPlace;
  readonly begun: BegunFiles;
  readonly roots: readonly string[];
  readonly journalDir: string;
  readonly searchDir: string;
  readonly note: string;
  readonly baseOf: Worktree['baseOf'];
}

/** A git worktree in which one agent works. */
export class Worktree {
  /** Its workspace, in the order of that above: absolute, canonical. */
  readonly roots: readonly string[];
  /** For its Config: absolute, made when they are needed. */
  readonly journalDir: string;
  readonly searchDir: string;
  /** What the agent is told of it. */
  readonly note: string;
  /** The top of the work tree: absolute, canonical. */
  readonly folder: string;
  /** The top of the work tree that it was made from. */
  readonly from: string;
  /** The bytes of a file as the worktree began with it; undefined where they are not kept. */
  readonly baseOf: (file: BegunFile & { kind: 'file' }) => Promise<Buffer | undefined>;
  readonly #parts: WorktreeParts;

  constructor(parts: WorktreeParts) {
    this.roots = parts.roots;
    this.journalDir = parts.journalDir;
    this.searchDir = parts.searchDir;
    this.note = parts.note;
    this.folder = parts.record.tree;
    this.from = parts.record.from;
    this.baseOf = parts.baseOf;
    this.#parts = parts;
  }

  /**
   * Once all that worked in it has ended: puts what was changed before the person as one change of the workspace above, and
   * removes the worktree, or keeps it where that did not come to pass. Never rejects.
   */
  async finish(to: WorktreeReturn): Promise<WorktreeReport> {
    let found: FoundChanges | undefined;
    try {
      const { git, begun } = this.#parts;
      found = await findChanges(git, begun, new AbortController().signal);
      if (found.changes.length === 0 && found.strange.length === 0) {
        await this.#remove();
        return { changed: [], state: 'unchanged' };
      }
      const problem = to.signal.aborted
        ? 'the agent was ended before its work was done.'
        : await this.#giveBack(found, to);
      if (problem !== undefined) return await this.#keep(found, problem, to);
      await this.#remove();
      return { changed: found.changes.map(({ path }) => path), state: 'applied' };
    } catch (thrown) {
      return this.#keep(found, `what was changed in it could not be looked at: ${errorMessage(thrown)}`, to);
    }
  }

  /** Why it was not taken over; undefined when it was. */
  async #giveBack(found: FoundChanges, to: WorktreeReturn): Promise<string | undefined> {
    const { files, problems } = await this.#plan(found);
    if (problems.length > 0) return problems.join('\n');
    if (files.length === 0) return undefined;
    const { source, user, record } = this.#parts;
    const { runCalls } = await import('../../scheduler/scheduler.js');
    const registry = new ToolRegistry();
    const plan = (): Promise<ReturnPlan> => this.#plan(found);
    const title = titleOf(user, found.changes);
    registry.registerTool(new ReturnTool({ config: source.config, journalDir: source.journalDir, plan, title }));
    const call = {
      callId: record.id,
      toolName: ToolNames.APPLY_PATCH,
      argumentsText: JSON.stringify({ worktree: record.tree }),
    };
    let problem: string | undefined = 'it was not taken over.';
    let refusal: string | undefined;
    for await (const event of runCalls([call], { ...to.services, registry, caller: to.caller }, to.signal)) {
      to.emit(event);
      if (event.type === 'approval-answer') refusal = event.by === 'person' ? refusedWith(event.feedback) : undefined;
      if (event.type !== 'tool-call-end') continue;
      const why = event.error?.message ?? `it was ${event.status}.`;
      problem = event.status === 'success' ? undefined : event.status === 'denied' ? (refusal ?? why) : why;
    }
    return problem;
  }

  #plan(found: FoundChanges): Promise<ReturnPlan> {
    const { source, record } = this.#parts;
    const gate = source.config.getWorkspaceGate();
    return planReturn({ found, tree: record.tree, from: record.from, gate, baseOf: this.baseOf });
  }

  async #remove(): Promise<void> {
    // What cannot be removed now is removed at the next start.
    await removeWorktree(this.#parts.folders, this.#parts.record).catch(() => undefined);
  }

  async #keep(found: FoundChanges | undefined, problem: string, to: WorktreeReturn): Promise<WorktreeReport> {
    const { folders, record } = this.#parts;
    // Whoever ended it may not read the report: then the next session tells.
    const told = !to.signal.aborted;
    await writeRecord(folders, { ...record, state: 'kept', told }).catch(() => undefined);
    const changes = found?.changes ?? [];
    const patch = changes.length === 0 ? undefined : await this.#saved(changes, to).catch(() => undefined);
    return {
      changed: [...changes.map(({ path }) => path), ...(found?.strange ?? [])],
      state: 'kept',
      folder: record.tree,
      problem,
      ...(patch === undefined ? {} : { patch }),
    };
  }

  /** The changes as a patch, in a file that tools can read. */
  async #saved(changes: readonly WorktreeChange[], { services }: WorktreeReturn): Promise<string> {
    const { patchText } = await import('./patch-text.js');
    return services.spill(await patchText(changes, this));
  }
}

/** The model made no call that could be declined. */
function refusedWith(feedback = ''): string {
  const said = feedback === '' ? '' : ` Their words: ${JSON.stringify(feedback)}.`;
  return `the user did not want them taken over.${said}`;
}

const MOST_NAMED = 3;

function titleOf({ agentId, agent }: WorktreeUser, changes: readonly WorktreeChange[]): string {
  const names = changes.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = changes.length > MOST_NAMED ? ` and ${changes.length - MOST_NAMED} more` : '';
  const runnable = changes
    .filter(
      ({ before, after }) =>
        after?.kind === 'file' &&
        (after.mode & 0o100) !== 0 &&
        (before?.kind !== 'file' || (before.mode & 0o100) === 0),
    )
    .map(({ path }) => path);
  const modes = runnable.length === 0 ? '' : `; can be run: ${runnable.slice(0, MOST_NAMED).join(', ')}`;
  return `What ${agent} (${agentId}) changed in its worktree: ${names.join(', ')}${more}${modes}`;
}
