import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';

/** Smaller files are left to the engine, which reads them anyway. */
const LARGE = 1024 * 1024;
const PROBE = 8 * 1024;

/** Names that promise text. Asking for the size of every file of a code base would cost more than searching them. */
const TEXT_NAME =
  /\.(?:[cm]?[jt]sx?|json|md|mdx|txt|html?|css|s[ac]ss|less|vue|svelte|py|rb|go|rs|java|kts?|scala|swift|c|cc|cpp|cxx|h|hpp|cs|php|sh|sql|ya?ml|toml|xml|svg|lock|snap|map|log|csv|ini|cfg|gradle|proto)$/i;

/** True for a file of more than 1 MiB whose beginning is binary: not worth reading to its end. False when in doubt. */
export function isLargeBinary(path: string): boolean {
  if (TEXT_NAME.test(path)) return false;
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.size <= LARGE) return false;
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const start = Buffer.alloc(PROBE);
      const text = start.subarray(0, readSync(file, start, 0, PROBE, 0));
      return text.includes(0) && !isUtf16(text);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

function isUtf16(start: Buffer): boolean {
  return (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
}
