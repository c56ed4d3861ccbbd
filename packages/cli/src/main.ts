/** Put in by the build. */
declare const TENON_VERSION: string;

const [word, ...others] = process.argv.slice(2);
if ((word === '--version' || word === '-v') && others.length === 0) {
  // Answered before anything else is loaded: scripts ask this often.
  process.stdout.write(`${TENON_VERSION}\n`);
} else {
  const { compose } = await import('./compose.js');
  await compose(TENON_VERSION);
}
