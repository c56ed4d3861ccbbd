import { scriptWords } from './inherited-descriptors.js';
import type { ForwarderTask } from './network/forwarder-script.js';

export interface InsideOptions {
  /** How many processes it may hold at a time; undefined: as many as it likes. */
  readonly processes?: number;
  /** What carries its connections out. `node`: absolute path of Node, as it is inside. */
  readonly forwarder?: ForwarderTask & {
    readonly node: string;
    /** The descriptor from which Node reads what it runs. */
    readonly script: number;
  };
}

/** What would change how Node runs the forwarder. */
const NODE_VARIABLES = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'NODE_V8_COVERAGE',
  'NODE_DEBUG',
  'NODE_REDIRECT_WARNINGS',
];

/**
 * The words that run a command inside: first a shell, where there is something to prepare, that then becomes the command.
 * The forwarder is nobody's child by then, so that no command waits for it; it ends with the sandbox. The command starts
 * once the forwarder listens.
 */
export function insideWords(
  argv: readonly [string, ...string[]],
  { processes, forwarder }: InsideOptions,
  shell: string,
): [string, ...string[]] {
  // Some shells know the first letter for it, some the second.
  const limit =
    processes === undefined ? [] : [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`];
  if (forwarder === undefined)
    return limit.length === 0 ? [...argv] : [...scriptWords(shell, `${limit.join('')}; exec "$@"`), ...argv];
  const { node, script: code, ...task } = forwarder;
  const start = [
    'cd /',
    `unset ${NODE_VARIABLES.join(' ')}`,
    // Where this runs in Electron, its program is Node only when it is told so.
    `ELECTRON_RUN_AS_NODE=1 exec "$1" - "$2" <&${code} ${code}<&- 2>/dev/null`,
  ].join('; ');
  const script = [
    ...limit,
    `case $({ ${start}; } &) in ready) ;; *) echo "bwrap: the way to the allowed hosts could not be opened" >&2; exit 1 ;; esac`,
    `exec ${task.input}<&- ${task.output}>&- ${code}<&-`,
    'shift 2',
    'exec "$@"',
  ].join('\n');
  return [...scriptWords(shell, script), node, JSON.stringify(task), ...argv];
}
