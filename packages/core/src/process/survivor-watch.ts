import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { CALL_MARKER, type ProcessRoot } from './process-table.js';

/** A watcher that is lost as often is not started by itself any more. */
const MOST_STARTS = 5;
/** Of the system, by its full path; a shell takes a fortieth of the memory that Node would, and no time to start. */
const SHELL = '/bin/sh';

/**
 * Keeps a list of processes, told on its input: `+` or `-`, number, start and marker. When the input ends, they have
 * a second to end by themselves (their own input ended at the same moment), a second from TERM, then KILL. Who lives:
 * the group of a leader that is still the same process, and whatever carries a marker. POSIX sh; `grep -z` and
 * fractions of seconds are taken where they are known.
 */
const SCRIPT = String.raw`
list=
while read -r sign pid started marker; do
  if [ "$sign" = + ]; then list="$list $pid:$started:$marker"; continue; fi
  kept=
  for each in $list; do [ "$each" = "$pid:$started:$marker" ] || kept="$kept $each"; done
  list=$kept
done
[ -n "$list" ] || exit 0
is_same() {
  [ "$2" = - ] && { kill -0 "-$1" 2>/dev/null; return; }
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  set -- "$2" ${'$'}{stat##*) }
  [ "$2" != Z ] && [ "$1" = "${'$'}{21}" ]
}
markers=
for each in $list; do markers="$markers -e ${CALL_MARKER}=${'$'}{each##*:}"; done
living() {
  for each in $list; do
    pid=${'$'}{each%%:*}; rest=${'$'}{each#*:}
    is_same "$pid" "${'$'}{rest%%:*}" && echo "-$pid"
  done
  grep -lzsxF $markers /proc/[0-9]*/environ 2>/dev/null | while read -r file; do
    file=${'$'}{file#/proc/}; echo "${'$'}{file%/environ}"
  done
}
wait_for_them() {
  for turn in 1 2 3 4 5; do
    [ -n "$(living)" ] || exit 0
    sleep 0.2 2>/dev/null || sleep 1
  done
}
tell() { for each in $(living); do kill "-$1" "$each" 2>/dev/null; done; }
wait_for_them
tell TERM; tell CONT
wait_for_them
tell KILL; tell KILL
`;

/**
 * Ends what this process started when it cannot do so itself any more, because it was killed: one small process for all
 * of them, which holds a pipe to this one. Started with the first that it is told of. Best effort: without it, what was
 * left is ended at the next start (`endLeftBehind`).
 */
export class SurvivorWatch {
  readonly #living = new Map<string, ProcessRoot>();
  #watcher: ChildProcess | undefined;
  #starts = 0;

  add(root: ProcessRoot): void {
    this.#living.set(root.marker, root);
    if (process.platform === 'win32') return;
    if (this.#watcher === undefined) this.#start();
    else this.#tell('+', root);
  }

  remove(root: ProcessRoot): void {
    if (this.#living.delete(root.marker)) this.#tell('-', root);
  }

  /** Nothing runs any more. More may be added later. */
  close(): void {
    for (const root of this.#living.values()) this.#tell('-', root);
    this.#living.clear();
    this.#watcher?.stdin?.end();
    this.#watcher = undefined;
  }

  #start(): void {
    try {
      // In a session of its own, so that what ends this one does not end it.
      const watcher = spawn(SHELL, ['-c', SCRIPT], {
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      watcher.once('exit', () => this.#lost(watcher));
      watcher.on('error', () => this.#lost(watcher));
      watcher.stdin.on('error', () => undefined);
      watcher.unref();
      // It must not keep this process from ending.
      if (watcher.stdin instanceof Socket) watcher.stdin.unref();
      this.#watcher = watcher;
      for (const root of this.#living.values()) this.#tell('+', root);
    } catch {
      // No process can be started now; the next one that is added tries again.
    }
  }

  /** Somebody ended it. */
  #lost(watcher: ChildProcess): void {
    if (this.#watcher !== watcher) return;
    this.#watcher = undefined;
    this.#starts += 1;
    if (this.#living.size > 0 && this.#starts < MOST_STARTS) this.#start();
  }

  #tell(sign: '+' | '-', { pid, started, marker }: ProcessRoot): void {
    this.#watcher?.stdin?.write(`${sign} ${pid} ${started ?? '-'} ${marker}\n`);
  }
}
