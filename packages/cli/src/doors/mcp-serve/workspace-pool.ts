import { createToolSystem, Failure, prepareFirstCalls, type ToolSystem, type ToolSystemOptions } from '@tenon/core';
import { askingApprover, EditQueue, type Askers } from './served-call.js';

/** Of as many workspaces the oldest is closed for another one. */
const MOST = 64;

/** The tools, wired for one client with its folders. */
export interface OpenWorkspace {
  readonly system: ToolSystem;
  readonly folders: readonly string[];
  readonly askers: Askers;
  readonly edits: EditQueue;
  /** Gets ready for the client's calls while its model thinks. Only the first time. */
  readonly prepare: () => void;
}

export interface PoolOptions {
  readonly system: ToolSystemOptions;
  /** Told how the commands of a system are ended at once; returns how to take that back. */
  readonly register: (end: () => void) => () => void;
  readonly report: (message: string) => void;
}

interface Entry {
  readonly owner: string;
  readonly opened: Promise<OpenWorkspace>;
  /** Once it is open. */
  workspace?: OpenWorkspace;
}

/** One for each client and set of folders, made when it is first needed. */
export class WorkspacePool {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #told = new Set<string>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async open(owner: string, folders: readonly string[]): Promise<OpenWorkspace> {
    const key = JSON.stringify([owner, folders]);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.opened;
    if (this.#entries.size >= MOST) await this.#makeRoom();
    const entry: Entry = { owner, opened: this.#make(folders) };
    this.#entries.set(key, entry);
    try {
      entry.workspace = await entry.opened;
      return entry.workspace;
    } catch (thrown) {
      this.#entries.delete(key);
      throw thrown;
    }
  }

  /** Closes the oldest in which nothing runs. */
  async #makeRoom(): Promise<void> {
    const isIdle = ({ workspace }: Entry): boolean =>
      workspace !== undefined &&
      workspace.askers.size === 0 &&
      workspace.system.config
        .getJobs()
        .list()
        .every(({ outcome }) => outcome !== undefined);
    const [oldest] = [...this.#entries].filter(([, entry]) => isIdle(entry));
    if (oldest === undefined) {
      throw new Failure('too_many_workspaces', `Something runs in ${MOST} workspaces already. Wait for its end.`);
    }
    this.#entries.delete(oldest[0]);
    await oldest[1].workspace?.system.close();
  }

  async release(owner: string): Promise<void> {
    const mine = [...this.#entries].filter(([, entry]) => entry.owner === owner);
    for (const [key] of mine) this.#entries.delete(key);
    await Promise.all(
      mine.map(async ([, entry]) => entry.opened.then(async ({ system }) => system.close()).catch(() => undefined)),
    );
  }

  async close(): Promise<void> {
    for (const owner of new Set([...this.#entries.values()].map((entry) => entry.owner))) await this.release(owner);
  }

  async #make(folders: readonly string[]): Promise<OpenWorkspace> {
    const { system: options, register, report } = this.#options;
    const askers: Askers = new Map();
    const system = await createToolSystem({ ...options, narrowedTo: folders, approver: askingApprover(askers) });
    const takeOff = register(system.endCommands);
    // The same for each workspace; once is enough.
    for (const notice of system.notices.filter((text) => !this.#told.has(text))) {
      this.#told.add(notice);
      report(notice);
    }
    const closing = new AbortController();
    const close = async (): Promise<void> => {
      closing.abort();
      await system.close();
      takeOff();
    };
    let isPrepared = false;
    const prepare = (): void => {
      if (!isPrepared) void prepareFirstCalls(system.config, closing.signal);
      isPrepared = true;
    };
    return { system: { ...system, close }, folders, askers, edits: new EditQueue(), prepare };
  }
}
