import { randomBytes } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from './durable-file.js';
import { isJournalCall } from './journal-log.js';
import type { JournalCall } from './journal-entry.js';
import { isAlive, isProcessMark, ownMark, type ProcessMark } from './process-mark.js';

/** A command or job whose changes are being looked for, for the next start should this process be killed. */
export interface JobRecord {
  readonly name: string;
  readonly call: JournalCall | undefined;
  /** What others wrote down since the last look sorts after it. */
  readonly since: string;
  /** What the manifest does not tell of the last look, in lines of `WorkspaceState.unsure`; undefined: too many. */
  readonly unsure: readonly string[] | undefined;
}

export interface LeftRecord extends JobRecord {
  /** Of the last look, milliseconds since 1970. */
  readonly time: number;
}

const NAME = /^[0-9a-z-]{1,64}$/;
const ENDING = '.json';

/** Where they are: in the folder of what is known of the workspace. */
export function jobsFolder(watchFolder: string): string {
  return join(watchFolder, 'jobs');
}

/** Records of what runs, one file each. Writing is best effort: without it a crash leaves their changes unknown. */
export class JobRecords {
  readonly #folder: string;

  /** `folder`: absolute, made when it is needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async write({ name, call, since, unsure }: JobRecord): Promise<void> {
    const path = join(this.#folder, `${name}${ENDING}`);
    const bytes = Buffer.from(JSON.stringify({ owner: ownMark(), call, since, time: Date.now(), unsure }));
    try {
      await makePrivateFolder(this.#folder, false);
      const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
      await writePrivateFile({ temporary, path, bytes, durable: false });
    } catch {
      // See above.
    }
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.#folder, `${name}${ENDING}`)).catch(() => undefined);
  }

  /** Those of processes that are gone, the last look last. What cannot be read is removed. */
  async left(): Promise<LeftRecord[]> {
    const left: LeftRecord[] = [];
    for (const file of await readdir(this.#folder).catch((): string[] => [])) {
      const name = file.slice(0, -ENDING.length);
      if (!file.endsWith(ENDING) || !NAME.test(name)) continue;
      const record = parsed(join(this.#folder, file));
      if (record === undefined) await this.remove(name);
      else if (isGone(record.owner)) left.push({ ...record, name });
    }
    return left.sort((one, other) => one.time - other.time);
  }
}

/** After the next start of the machine nothing runs that ran before it; another container's processes cannot be known. */
function isGone(owner: ProcessMark): boolean {
  const alive = isAlive(owner);
  const bootOf = ({ realm }: ProcessMark): string => realm.split(' ')[0] ?? '';
  return alive === undefined ? bootOf(owner) !== bootOf(ownMark()) : !alive;
}

function parsed(path: string): (Omit<LeftRecord, 'name'> & { owner: ProcessMark }) | undefined {
  try {
    const value: unknown = JSON.parse(readPrivateFile(path));
    if (typeof value !== 'object' || value === null) return undefined;
    const { owner, call, since, time, unsure } = value as Readonly<Record<string, unknown>>;
    if (!isProcessMark(owner) || typeof since !== 'string' || typeof time !== 'number') return undefined;
    const names = Array.isArray(unsure) ? unsure.filter((line) => typeof line === 'string') : undefined;
    return { owner, call: isJournalCall(call) ? call : undefined, since, time, unsure: names };
  } catch {
    return undefined;
  }
}
