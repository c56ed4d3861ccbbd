/** Put in by the build. */
declare const TENON_VERSION: string;

const [word, ...others] = process.argv.slice(2);
const [place] = others;
if ((word === '--version' || word === '-v') && others.length === 0) {
  // Answered before anything else is loaded: scripts ask this often.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => void reportBrokenOutput(error));
  process.stdout.write(`${TENON_VERSION}\n`);
} else if (word === 'follow-output' && place !== undefined) {
  // What terminals of editors run (`doors/acp/terminals/`): it starts as fast as it can.
  const { followOutput } = await import('./follow-output.js');
  process.exitCode = await followOutput(place, process.stdout);
} else {
  const { compose } = await import('./compose.js');
  await compose(TENON_VERSION);
}

/** As any other command ends: without a word when the reader went away, with one line for a full disk. */
async function reportBrokenOutput(error: NodeJS.ErrnoException): Promise<void> {
  const { ExitCode } = await import('./exit-codes.js');
  const isGone = error.code === 'EPIPE' || error.code === 'ECONNRESET';
  process.exitCode = isGone ? ExitCode.OUTPUT_CLOSED : ExitCode.UNEXPECTED;
  process.stderr.on('error', () => undefined);
  if (!isGone) process.stderr.write(`tenon: standard output cannot be written: ${error.message}\n`);
}
