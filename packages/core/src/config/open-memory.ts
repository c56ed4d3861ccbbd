import { relative, sep } from 'node:path';
import type { GitUser } from '../files/ignore-settings.js';
import type { ReadRules } from '../effects/withheld.js';
import type { FileVersions } from '../files/file-versions.js';
import type { IgnoreRules } from '../files/ignore-rules.js';
import { LocalFileSystem } from '../files/local-file-system.js';
import type { WorkspaceGate } from '../files/workspace-gate.js';
import { WorkspaceChanges } from '../journal/workspace-changes.js';
import { Memory, type MemorySettings } from '../memory/memory.js';
import type { MemoryStore } from '../memory/memory-types.js';
import { openMemoryGate } from '../memory/open-memory-gate.js';
import { ToolNames } from '../tools/tool-names.js';
import { isWithin } from '../util/paths-below.js';

export interface OpenMemoryOptions {
  readonly memory?: MemorySettings & {
    readonly home?: string;
    readonly userHome?: string;
    readonly environment?: Readonly<Record<string, string | undefined>>;
  };
  readonly gate: WorkspaceGate;
  readonly project: MemoryStore;
  readonly journalDir: string;
  readonly gitUser?: GitUser | undefined;
  readonly readRules?: ReadRules;
  readonly versions: FileVersions;
  readonly ignore: IgnoreRules;
  readonly gitIgnore: IgnoreRules;
}

/** What is remembered for this workspace. Facts for all projects are kept in the same journal, through a gate of their own. */
export function openMemory(options: OpenMemoryOptions): Memory {
  const { memory = {}, gate, journalDir, gitUser, versions, readRules } = options;
  const { home, userHome, environment = {}, ...settings } = memory;
  const { roots, tempDir } = gate;
  return new Memory({
    ...settings,
    roots,
    tempDir,
    home,
    userHome,
    environment,
    ignore: options.ignore,
    isWithheld: (path) => isWithheld(path, roots, readRules),
    isForeignFolder: (path) => options.gitIgnore.isIgnored(path, true),
    stores: {
      project: options.project,
      global: () => {
        const wide = openMemoryGate({ roots, tempDir, ignore: options.ignore, home });
        const changes = new WorkspaceChanges({ gate: wide, versions, journalDir, gitUser });
        return { gate: wide, files: new LocalFileSystem(wide), changes };
      },
    },
  });
}

/** What a rule keeps from the tool that reads files, or asks about, is not told unasked either. */
function isWithheld(path: string, roots: readonly string[], rules: ReadRules | undefined): boolean {
  const root = roots
    .filter((each) => isWithin(path, each))
    .toSorted((one, other) => other.length - one.length)
    .at(0);
  if (root === undefined || rules === undefined) return false;
  const withheld = rules.below(ToolNames.READ_FILE, { path: root, requested: root });
  if (withheld === undefined) return false;
  const names = relative(root, path).split(sep);
  const [name = ''] = names.slice(-1);
  const folders = names.map((_, index) => names.slice(0, index).join('/'));
  if (folders.some((folder) => withheld.folder(folder) !== undefined)) return true;
  return withheld.filesIn(folders.at(-1) ?? '')?.(name) !== undefined;
}
