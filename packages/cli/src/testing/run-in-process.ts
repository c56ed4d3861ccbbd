import { PassThrough } from 'node:stream';
import path from 'node:path';
import { runCli } from '../cli.js';
import { createExits } from '../exits.js';
import { createInterrupts } from '../interrupts.js';
import { createOutput, type Output } from '../output.js';
import type { Surroundings } from '../surroundings.js';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line without a process of its own: `work` below the folder is the workspace, `home` the person's. */
export async function runInProcess(
  folder: string,
  args: readonly string[],
  more: Partial<Pick<Surroundings, 'env' | 'managed' | 'stdin'>> & { readonly onStdout?: (text: string) => void } = {},
): Promise<Finished> {
  const { onStdout, ...given } = more;
  const texts = { stdout: '', stderr: '' };
  const output = (name: keyof typeof texts): Output => {
    const stream = new PassThrough();
    stream.on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString('utf8');
      if (name === 'stdout') onStdout?.(chunk.toString('utf8'));
    });
    return createOutput(stream as unknown as Parameters<typeof createOutput>[0], {}, () => undefined);
  };
  const [out, err] = [output('stdout'), output('stderr')];
  const home = path.join(folder, 'home');
  const code = await runCli({
    version: '0',
    args,
    cwd: path.join(folder, 'work'),
    userHome: home,
    tenonHome: path.join(home, '.tenon'),
    tempFolder: folder,
    stdin: () => new PassThrough(),
    out,
    err,
    screen: { output: err, stream: () => new PassThrough() },
    interrupts: createInterrupts(() => undefined),
    exits: createExits(),
    nodePath: process.execPath,
    ...given,
    env: { PATH: process.env['PATH'], ...given.env, HOME: home },
  });
  return { code, ...texts };
}
