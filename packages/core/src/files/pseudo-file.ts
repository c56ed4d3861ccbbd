import { statfs, type FileHandle } from 'node:fs/promises';
import { Failure } from '../util/failure.js';

/** Linux file systems whose files are made up by the kernel as they are read (`linux/magic.h`). */
const PSEUDO_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x0027e0eb, 'cgroup'],
  [0x63677270, 'cgroup2'],
  [0x73636673, 'securityfs'],
  [0x62656570, 'configfs'],
  [0xcafe4a11, 'bpf'],
  [0x6165676c, 'pstore'],
  [0xde5e81e4, 'efivarfs'],
]);

/**
 * To be asked of an open file whose size is 0 or not what can be read: that is how such files look. They may never end,
 * hold up their reader, or change something by being read.
 * @throws Failure `not_a_regular_file`
 */
export async function refusePseudoFile(file: FileHandle, name: string): Promise<void> {
  if (process.platform !== 'linux') return;
  let type: number;
  try {
    ({ type } = await statfs(`/proc/self/fd/${file.fd}`));
  } catch {
    return;
  }
  const system = PSEUDO_FILE_SYSTEMS.get(type);
  if (system === undefined) return;
  throw new Failure(
    'not_a_regular_file',
    `Not a regular file but one that the kernel makes up as it is read (${system}): ${name}. Use a command such as cat.`,
  );
}
