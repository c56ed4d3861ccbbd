import { doctorLines } from '../../../doctor/doctor-view.js';
import { runDoctor } from '../../../doctor/run-doctor.js';
import { terminalTraits } from '../../../doctor/terminal-traits.js';
import type { CommandBody } from './command-row.js';
import { say } from './lines.js';

/** `/doctor`: what is installed, what is missing and how to get it. */
export const doctorSlashCommand: CommandBody = {
  run: async (_typed, { surroundings, preparation, signal }) => {
    const findings = await runDoctor(surroundings, preparation, signal);
    const { unicode } = terminalTraits(surroundings.env, process.platform);
    return say(doctorLines(findings, unicode).join('\n'));
  },
};
