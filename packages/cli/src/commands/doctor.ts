import { loadSettings } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { doctorLines } from '../doctor/doctor-view.js';
import { runDoctor } from '../doctor/run-doctor.js';
import { terminalTraits } from '../doctor/terminal-traits.js';
import { ExitCode } from '../exit-codes.js';
import { hostServersOf } from '../extension-options.js';
import { combine } from '../prepare-session.js';
import { settingsPlaces, type Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';
import { workspaceRoots } from '../workspace-roots.js';

/**
 * `tenon doctor [--json]`: what is installed, what is missing and how to get it. Works however broken the settings are. Exit
 * code 1 when something is wrong, not when something is only missing.
 */
export async function doctorCommand(surroundings: Surroundings, options: Options): Promise<ExitCode> {
  const { out, env, interrupts } = surroundings;
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, options.addDirs);
  const settings = await loadSettings(settingsPlaces(surroundings, roots[0], hostServersOf(surroundings, options)));
  const preparation = combine(roots, settings, options);
  const armed = interrupts.arm();
  try {
    const findings = await runDoctor(surroundings, preparation, AbortSignal.any([armed.signal, out.closed]));
    if (options.json) await out.writeData(jsonText(findings));
    else {
      const { unicode } = terminalTraits(env, process.platform);
      await out.write(safeBlock(`${doctorLines(findings, unicode).join('\n')}\n`));
    }
    return findings.some(({ state }) => state === 'problem') ? ExitCode.UNEXPECTED : ExitCode.OK;
  } catch (thrown) {
    if (armed.signal.aborted) return ExitCode.INTERRUPTED;
    throw thrown;
  } finally {
    armed.release();
  }
}
