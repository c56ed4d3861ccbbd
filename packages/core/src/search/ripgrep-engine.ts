import { spawn, type ChildProcess } from 'node:child_process';
import { Failure, errorMessage } from '../util/failure.js';
import { MAX_MATCHES, type SearchEngine, type SearchSink } from './engine.js';
import { invalidPattern } from './pattern-problem.js';
import { RipgrepReader } from './ripgrep-json.js';

/** Enough of stderr for an error in the pattern, however much is complained about. */
const KEPT_STDERR = 16 * 1024;

export interface RipgrepRequest {
  /** Absolute path of the program. */
  readonly program: string;
  readonly pattern: string;
  /** A held folder; files are relative to it. */
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Searches with ripgrep. It is handed the files instead of walking itself: what is ignored is decided in
 * one place, by rules that start at the workspace root wherever the search starts.
 */
export function createRipgrepEngine(request: RipgrepRequest): SearchEngine {
  return {
    name: 'ripgrep',
    search: async (files, sink, signal) => {
      for (const batch of batches(files)) await run(request, batch, sink, signal);
    },
    // `-` is stdin, which is empty.
    checkPattern: async (signal) => run(request, ['-'], silentSink, signal),
    close: async () => undefined,
  };
}

const silentSink: SearchSink = { found: () => undefined, binary: () => undefined, failed: () => undefined };

/** Command lines are limited (Windows: 32,767 characters in all; Linux: 2 MiB with the environment). */
function* batches(files: readonly string[]): Generator<string[]> {
  const limit = process.platform === 'win32' ? 24_000 : 256 * 1024;
  let batch: string[] = [];
  let size = 0;
  for (const file of files) {
    const length = Buffer.byteLength(file) + 12;
    if (batch.length > 0 && size + length > limit) {
      yield batch;
      batch = [];
      size = 0;
    }
    // `./` keeps a name such as `-` from meaning something else.
    batch.push(`./${file}`);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

const FLAGS = [
  '--json',
  '--no-config',
  '--ignore-case',
  '--crlf',
  '--engine=auto',
  '--no-ignore',
  '--hidden',
  // No file is read on once the search as a whole would end.
  `--max-count=${MAX_MATCHES}`,
];

async function run(
  { program, pattern, workingDirectory, env }: RipgrepRequest,
  files: readonly string[],
  sink: SearchSink,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, [...FLAGS, '-e', pattern, '--', ...files], {
    cwd: workingDirectory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const reader = new RipgrepReader(sink);
  let stderr = '';
  let broken: unknown;
  child.stdout.on('data', (chunk: Buffer) => {
    if (signal.aborted || broken !== undefined) return;
    try {
      reader.push(chunk);
    } catch (thrown) {
      broken = thrown;
      child.kill('SIGKILL');
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < KEPT_STDERR) stderr += chunk.toString('utf8');
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const code = await ended(child);
    if (signal.aborted) reader.flush();
    signal.throwIfAborted();
    if (broken !== undefined)
      throw new Failure('grep_execution_error', `ripgrep's output could not be read: ${errorMessage(broken)}`);
    // 0: matches, 1: none, 2: an error, be it with one file.
    if (code !== 0 && code !== 1) judgeStderr(stderr, pattern, sink);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

/** The exit code; null when a signal ended it. */
async function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Failure('engine_unavailable', `ripgrep did not start: ${error.message}`, { cause: error })),
    );
    child.once('close', (code) => resolve(code));
  });
}

function judgeStderr(stderr: string, pattern: string, sink: SearchSink): void {
  const refused = patternRefusal(stderr, pattern);
  if (refused !== undefined) throw refused;
  const complaints = stderr.split('\n').filter((line) => line.startsWith('rg: '));
  if (complaints.length === 0)
    throw new Failure('grep_execution_error', `ripgrep failed: ${stderr.trim() || 'no reason given'}`);
  for (const line of complaints) {
    const [, path, reason] = /^rg: (?:\.[\\/](.*?): )?(.*)$/.exec(line) ?? [];
    sink.failed(path, reason ?? line);
  }
}

/** ripgrep wraps the pattern in `(?:…)`: its places are three characters further than the pattern's. */
const WRAPPING = 3;

function patternRefusal(stderr: string, pattern: string): Failure | undefined {
  if (
    !/^rg: (?:regex could not be compiled|regex parse error|PCRE2: error compiling|the literal|.*[Rr]egex.*size limit)/m.test(
      stderr,
    )
  )
    return undefined;
  const fancy = /PCRE2: error compiling pattern at offset (\d+): (.*)/.exec(stderr);
  const own = /^error: (.*)/m.exec(stderr)?.[1];
  // Look-around and back-references are PCRE2's business, so its complaint is the one that counts.
  if (fancy !== null && (own === undefined || /look-around|backreferences/.test(own))) {
    return invalidPattern(pattern, fancy[2] ?? '', Math.max(0, Number(fancy[1]) - WRAPPING));
  }
  const caret = /^ {4}( *)\^/m.exec(stderr)?.[1]?.length;
  const reason = own ?? stderr.split('\n')[0]?.replace(/^rg: /, '') ?? 'refused by ripgrep';
  return invalidPattern(pattern, reason, caret === undefined ? undefined : Math.max(0, caret - WRAPPING));
}
