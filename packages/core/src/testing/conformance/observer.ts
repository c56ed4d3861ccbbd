import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net, { isIP } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realPath } from '../../util/real-path.js';

/** Something that a call was seen to do. */
export type Seen =
  | { readonly kind: 'read' | 'write' | 'delete'; readonly path: string }
  | {
      readonly kind: 'run';
      /** Its whole command line. */
      readonly program: string;
      /** The same, word for word. */
      readonly argv: readonly string[];
      /** What a shell reads, where it is one. */
      readonly script?: string;
    }
  | { readonly kind: 'fetch'; readonly host: string }
  | { readonly kind: 'print'; readonly text: string };

type Report = (seen: Seen) => void;
type Method = (...given: readonly unknown[]) => unknown;

/**
 * Sees what some code does through Node's own modules, in whatever it goes on with too; what other code does meanwhile is not
 * taken for it. It does not see what native code, other threads and the programs that are started do, nor calls of functions that were taken
 * out of their modules by `require` before.
 */
export class Observer {
  readonly #within = new AsyncLocalStorage<Report>();
  readonly #restore: (() => void)[] = [];

  constructor() {
    for (const [names, look] of FILES) {
      for (const name of names) {
        for (const [holder, key] of [
          [fs, name],
          [fs, `${name}Sync`],
          [fs.promises, name],
        ] as const)
          this.#watch(holder, key, look);
      }
    }
    for (const holder of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
      for (const name of LOOKUPS) this.#watch(holder, name, lookAtLookup);
    this.#watch(childProcess.ChildProcess.prototype, 'spawn', lookAtSpawn);
    for (const name of ['spawnSync', 'execFileSync']) this.#watch(childProcess, name, lookAtSyncRun);
    this.#watch(childProcess, 'execSync', lookAtScriptRun);
    this.#watch(net.Socket.prototype, 'connect', lookAtConnect);
    this.#watch(dgram.Socket.prototype, 'send', lookAtSend);
    this.#watch(globalThis, 'fetch', lookAtFetch);
    for (const stream of [process.stdout, process.stderr]) this.#watchOutput(stream);
    // Test runners have a console of their own.
    for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table'])
      this.#watch(console, name, lookAtPrint);
    // Names that modules imported lead to what is there now.
    syncBuiltinESMExports();
  }

  /** Reports while `work` runs, and of everything that it leaves running. */
  run<T>(report: Report, work: () => T): T {
    return this.#within.run(report, work);
  }

  /** Reports nothing meanwhile. */
  aside<T>(work: () => T): T {
    return this.#within.exit(work);
  }

  /** Runs something later that is reported as what happens now. */
  resuming(): <T>(work: () => T) => T {
    const report = this.#within.getStore();
    return (work) => (report === undefined ? work() : this.#within.run(report, work));
  }

  close(): void {
    for (const restore of this.#restore.splice(0).toReversed()) restore();
    syncBuiltinESMExports();
    // Whatever is done in the process would go on to be handed from each step to the next for it, as for every one before it.
    this.#within.disable();
  }

  #watch(holder: object, key: string, look: (given: readonly unknown[], report: Report) => void): void {
    const within = this.#within;
    const original: unknown = Reflect.get(holder, key);
    if (typeof original !== 'function') return;
    const watched = function (this: unknown, ...given: readonly unknown[]): unknown {
      const report = within.getStore();
      // What looking needs is not what the code does.
      if (report !== undefined) within.exit(() => look(given, report));
      return Reflect.apply(original, this, given) as unknown;
    };
    // What stands on a function, as `realpath.native`, stays there.
    Object.assign(watched, original);
    this.#put(holder, key, watched);
  }

  #watchOutput(stream: NodeJS.WriteStream): void {
    const within = this.#within;
    const original = stream.write.bind(stream) as Method;
    const write = (...given: readonly unknown[]): unknown => {
      const report = within.getStore();
      if (report === undefined) return original(...given);
      lookAtPrint(given, report);
      const done = given.findLast((each) => typeof each === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
    this.#put(stream, 'write', write);
  }

  #put(holder: object, key: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(holder, key);
    Object.defineProperty(holder, key, {
      value,
      configurable: true,
      writable: true,
      enumerable: before?.enumerable ?? true,
    });
    this.#restore.push(() => {
      // Another one may have come on top since: then this one stays below it, and reports nothing.
      if (Reflect.get(holder, key) !== value) return;
      if (before === undefined) Reflect.deleteProperty(holder, key);
      else Object.defineProperty(holder, key, before);
    });
  }
}

type Look = (given: readonly unknown[], report: Report) => void;

const at =
  (kind: 'read' | 'write' | 'delete', index = 0): Look =>
  (given, report) => {
    const path = pathOf(given[index], kind === 'delete');
    if (path !== undefined) report({ kind, path });
  };
const both =
  (...looks: readonly Look[]): Look =>
  (given, report) => {
    for (const look of looks) look(given, report);
  };

/** Methods of `fs`, of `fs.promises`, and their `Sync` forms. What only looks at names and sizes is no reading. */
const FILES: readonly (readonly [names: readonly string[], look: Look])[] = [
  [['readFile', 'readdir', 'opendir', 'createReadStream', 'openAsBlob', 'watch'], at('read')],
  [['open'], lookAtOpen],
  [
    [
      'writeFile',
      'appendFile',
      'truncate',
      'mkdir',
      'chmod',
      'lchmod',
      'chown',
      'lchown',
      'utimes',
      'lutimes',
      'createWriteStream',
    ],
    at('write'),
  ],
  [['mkdtemp'], at('write')],
  [['link', 'symlink'], at('write', 1)],
  [['copyFile', 'cp'], both(at('read'), at('write', 1))],
  [['rename'], both(at('delete'), at('write', 1))],
  [['unlink', 'rm', 'rmdir'], at('delete')],
  [['write', 'writev', 'writeFile', 'appendFile'], lookAtOutput],
];

/** Methods of `dns`, of `dns.promises`, and of what both make: a name that is asked for reaches a server. */
const LOOKUPS = [
  'lookup',
  'reverse',
  ...['', '4', '6', 'Any', 'Caa', 'Cname', 'Mx', 'Naptr', 'Ns', 'Ptr', 'Soa', 'Srv', 'Txt'].map(
    (type) => `resolve${type}`,
  ),
];

const WRITES =
  fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_APPEND;
/** Linux: a way to what lies there, without its content. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;

function lookAtOpen([path, flags]: readonly unknown[], report: Report): void {
  const opened = pathOf(path);
  if (opened === undefined) return;
  const isWrite = typeof flags === 'number' ? (flags & WRITES) !== 0 : typeof flags === 'string' && /[wa+]/.test(flags);
  if (isWrite) report({ kind: 'write', path: opened });
  const isLook =
    typeof flags === 'number' && ((flags & O_PATH) !== 0 || (flags & (fs.constants.O_DIRECTORY ?? 0)) !== 0);
  if (!isWrite && !isLook && !isFolder(opened)) report({ kind: 'read', path: opened });
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Where it really leads, or (`isName`) what the name itself is; undefined for a file that is open already. */
function pathOf(given: unknown, isName = false): string | undefined {
  try {
    const path =
      given instanceof URL
        ? fileURLToPath(given)
        : given instanceof Uint8Array
          ? Buffer.from(given).toString('utf8')
          : given;
    if (typeof path !== 'string') return undefined;
    return isName ? join(realPath(dirname(resolve(path))), basename(path)) : realPath(resolve(path));
  } catch {
    return undefined;
  }
}

function lookAtPrint([first]: readonly unknown[], report: Report): void {
  const text = String(first);
  // What a program wrote that was waited for is passed on, and may be nothing.
  if (text !== '') report({ kind: 'print', text });
}

/** The program's own output by its number. */
function lookAtOutput([to, what]: readonly unknown[], report: Report): void {
  if (to === 1 || to === 2) lookAtPrint([what], report);
}

function lookAtSpawn([options]: readonly unknown[], report: Report): void {
  const { file, args } = options as { readonly file?: string; readonly args?: readonly string[] };
  report(runOf(String(file), args?.slice(1) ?? []));
}

function lookAtSyncRun([program, second, third]: readonly unknown[], report: Report): void {
  const args: readonly unknown[] = Array.isArray(second) ? second : [];
  const options: unknown = Array.isArray(second) ? third : (second ?? third);
  const isScript = typeof options === 'object' && options !== null && Boolean(Reflect.get(options, 'shell'));
  const script = [program, ...args].join(' ');
  report(isScript ? scriptRun(script) : runOf(String(program), args));
}

function lookAtScriptRun([script]: readonly unknown[], report: Report): void {
  report(scriptRun(String(script)));
}

function scriptRun(script: string): Seen {
  return { kind: 'run', program: script, argv: ['sh', '-c', script], script };
}

function runOf(file: string, args: readonly unknown[]): Seen {
  const argv = [file, ...args.map(String)];
  const program = argv.join(' ');
  const flag = argv.findIndex((each) => /^(?:-[a-z]*c|\/c)$/i.test(each));
  const isShell = /(?:^|[\\/])(?:ba|da|z|k)?sh$|(?:^|[\\/])cmd(?:\.exe)?$/i.test(file);
  return { kind: 'run', program, argv, ...(isShell && flag > 0 && { script: argv[flag + 1] ?? '' }) };
}

function lookAtConnect([first, second]: readonly unknown[], report: Report): void {
  const target: unknown = Array.isArray(first) ? first[0] : first;
  const options =
    typeof target === 'object' && target !== null ? (target as { host?: string; path?: string }) : undefined;
  const path = options?.path ?? (typeof target === 'string' && !/^\d+$/.test(target) ? target : undefined);
  const host = options?.host ?? (typeof second === 'string' ? second : 'localhost');
  report({ kind: 'fetch', host: path === undefined ? host : `the socket ${path}` });
}

function lookAtSend(given: readonly unknown[], report: Report): void {
  const host = given.slice(1).find((each) => typeof each === 'string');
  report({ kind: 'fetch', host: typeof host === 'string' ? host : 'localhost' });
}

function lookAtLookup([name]: readonly unknown[], report: Report): void {
  if (typeof name === 'string' && name !== '' && isIP(name) === 0) report({ kind: 'fetch', host: name });
}

function lookAtFetch([target]: readonly unknown[], report: Report): void {
  const url = target instanceof Request ? target.url : String(target);
  if (URL.canParse(url) && /^https?:/.test(url)) report({ kind: 'fetch', host: new URL(url).hostname });
}
