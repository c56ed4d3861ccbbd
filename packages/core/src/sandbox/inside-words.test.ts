import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { insideWords, type InsideOptions } from './inside-words.js';

/** The last one is what small systems have. */
const folder = mkdtempSync(join(tmpdir(), 'tenon-shells-'));
afterAll(() => rmSync(folder, { recursive: true }));
if (existsSync('/usr/bin/busybox')) symlinkSync('/usr/bin/busybox', join(folder, 'sh'));
const SHELLS = ['/bin/bash', '/bin/dash', '/bin/sh', join(folder, 'sh')].filter((shell) => existsSync(shell));

const run = (argv: readonly [string, ...string[]], options: InsideOptions, shell = '/bin/bash'): string => {
  const [program, ...args] = insideWords(argv, options, shell);
  return spawnSync(program, args, { env: { PATH: '/usr/bin:/bin' } }).stdout.toString();
};

describe.runIf(process.platform === 'linux')('the words that run a command inside', () => {
  it('are its own where nothing is to be prepared', () => {
    expect(insideWords(['/bin/echo', 'a b'], {}, '/bin/bash')).toEqual(['/bin/echo', 'a b']);
  });

  it.each(SHELLS)('bound its processes, in %s', (shell) => {
    const limits = run(['/bin/cat', '/proc/self/limits'], { processes: 777 }, shell);
    expect(limits).toMatch(/^Max processes +777 +777 /m);
    expect(run(['/bin/echo', 'a  "b" $c'], { processes: 777 }, shell)).toBe('a  "b" $c\n');
  });

  it('leave a lower bound as it is', () => {
    const words = insideWords(['/bin/cat', '/proc/self/limits'], { processes: 777 }, '/bin/bash');
    const { stdout } = spawnSync('/bin/bash', [
      '-c',
      'ulimit -u 500; exec setpriv --reuid=65534 -- "$@"',
      'sh',
      ...words,
    ]);
    if (stdout.length > 0) expect(stdout.toString()).toMatch(/^Max processes +500 /m);
  });
});

describe.runIf(process.platform === 'linux')('the forwarder', () => {
  const task = { node: process.execPath, script: 7, input: 8, output: 9, proxyPort: 1, localPorts: [] };
  /** `program`: what Node is told to run. */
  const start = (shell: string, program: string): { code: number | null; output: string } => {
    const words = insideWords(
      // No pipe: for a moment the shell would hold its ends.
      ['/bin/sh', '-c', 'ls /proc/$$/fd; echo "$1"', 'sh', 'a b'],
      { forwarder: task },
      shell,
    );
    const file = join(folder, 'program.js');
    writeFileSync(file, program);
    const { status, stdout, stderr } = spawnSync(
      '/bin/bash',
      ['-c', 'exec "$@" 7<"$0" 8</dev/null 9>/dev/null', file, ...words],
      {
        env: { PATH: '/usr/bin:/bin', NODE_OPTIONS: '--require /nowhere' },
        // From a socket, bash believes that it was called from afar, and reads start-up files.
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return { code: status, output: stdout.toString() + stderr.toString() };
  };

  it.each(SHELLS)('starts before the command, which gets nothing of it, in %s', (shell) => {
    const ready = `const fs = require('fs'); fs.writeSync(1, fs.fstatSync(8) && fs.fstatSync(9) && 'ready'); fs.closeSync(1); setTimeout(() => {}, 300);`;
    expect(start(shell, ready)).toEqual({
      code: 0,
      output: expect.stringMatching(/^0\n1\n(?:\d{2,}\n)*2\n(?:\d{2,}\n)*a b\n$/),
    });
  });

  it.each(SHELLS)('that does not start keeps the command from starting, in %s', (shell) => {
    expect(start(shell, 'process.exit(1)')).toEqual({
      code: 1,
      output: 'bwrap: the way to the allowed hosts could not be opened\n',
    });
  });
});
