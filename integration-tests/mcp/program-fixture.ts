import { spawn, type ChildProcess } from 'node:child_process';

/** Programs that a test starts beside the clients; `close` ends them. */
export interface ProgramFixture {
  /** Resolves with the first match in what it writes. */
  start(args: readonly string[], ready: RegExp, env?: Readonly<Record<string, string>>): Promise<RegExpExecArray>;
  /** The one that was started last is killed. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export function createProgramFixture(): ProgramFixture {
  const running: ChildProcess[] = [];
  const end = (child: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return {
    start: (args, ready, env = {}) => {
      const child = spawn(process.execPath, args, {
        env: { PATH: process.env['PATH'], ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.push(child);
      return new Promise((resolve, reject) => {
        let read = '';
        const more = (chunk: Buffer): void => {
          read += String(chunk);
          const match = ready.exec(read);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', more);
        child.stderr.on('data', more);
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${read}`)));
      });
    },
    kill: async () => {
      const child = running.pop();
      if (child !== undefined) await end(child);
    },
    close: async () => {
      await Promise.all(running.splice(0).map(end));
    },
  };
}
