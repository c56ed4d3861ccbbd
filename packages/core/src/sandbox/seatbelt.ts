import { join } from 'node:path';
import { makePlan, type SandboxPlaces } from './make-plan.js';
import { sandboxEnvironment } from './sandbox-environment.js';
import type { SandboxedCommand, SandboxRequest } from './sandbox-types.js';
import { seatbeltProfile } from './seatbelt-profile.js';
import { changedControlFiles, snapshotControlFiles } from './watch-control-files.js';

/** Prepares commands for macOS's sandbox-exec. It has no `/tmp` of its own: the temp folder is named by variables. */
export class SeatbeltSandbox {
  readonly #program: string;
  readonly #privateTemp: string;

  constructor(program: string, stateFolder: string) {
    this.#program = program;
    this.#privateTemp = join(stateFolder, 'tmp');
  }

  enter(request: SandboxRequest, places: SandboxPlaces): SandboxedCommand {
    const wanted = makePlan(places, this.#privateTemp);
    const plan = { ...wanted, writable: [...wanted.writable, this.#privateTemp] };
    const before = snapshotControlFiles(places.roots);
    return {
      argv: [this.#program, '-p', seatbeltProfile(plan), ...request.argv],
      cwd: request.cwd,
      env: { ...sandboxEnvironment(request.env, plan), TMPDIR: this.#privateTemp },
      descriptors: [],
      finish: async () => Promise.resolve({ controlFiles: changedControlFiles(before, places.roots, plan) }),
    };
  }
}
