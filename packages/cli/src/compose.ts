import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from './cli.js';
import { ExitCode } from './exit-codes.js';
import { createExits } from './exits.js';
import { createInterrupts } from './interrupts.js';
import { createOutput } from './output.js';
import type { Surroundings } from './surroundings.js';
import { sayLines } from './ui/say.js';

/** The edge: the only reader of the environment, the current folder and standard input. Ends the process. */
export async function compose(version: string): Promise<void> {
  const env = process.env;
  const failures: string[] = [];
  const out = createOutput(process.stdout, env, (message) => failures.push(message));
  const err = createOutput(process.stderr, env, () => undefined);
  const exits = createExits();
  // Every way out of the process comes by here: a second interruption, an error that nobody caught, the end below.
  process.on('exit', () => exits.run());
  const interrupts = createInterrupts(() => process.exit(ExitCode.INTERRUPTED));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupts.interrupt());

  const cwd = currentFolder();
  const userHome = homedir();
  const surroundings: Surroundings = {
    version,
    args: process.argv.slice(2),
    env,
    cwd,
    userHome,
    tenonHome: path.resolve(cwd ?? '/', env['TENON_HOME'] || path.join(userHome, '.tenon')),
    tempFolder: tmpdir(),
    stdin: () => process.stdin,
    out,
    err,
    screen: err.isTerminal
      ? { output: err, stream: () => process.stderr }
      : { output: out, stream: () => process.stdout },
    ownStreams: [process.stdout, process.stderr],
    interrupts,
    exits,
    nodePath: process.execPath,
    ...(process.argv[1] !== undefined && { programFile: process.argv[1] }),
  };
  let code = await runCli(surroundings);
  const [failure] = failures;
  if (failure !== undefined) {
    await sayLines(err, [`standard output cannot be written: ${failure}`]);
    code = ExitCode.UNEXPECTED;
  }
  // Every write has been awaited, so nothing is lost here; and nothing that was left open can hold the process up.
  process.exit(code);
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
