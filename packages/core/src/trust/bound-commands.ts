import { basename } from 'node:path';
import type { PipedRequest, StartPiped } from '../process/piped-process.js';
import { Failure } from '../util/failure.js';
import { projectScripts, type ProjectScript } from './project-scripts.js';

/** A command of a folder, and the files of the folder that ran for it when somebody agreed to it. */
export interface BoundCommand {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder, canonical. */
  readonly root: string;
  readonly scripts: readonly ProjectScript[];
}

/**
 * Starts programs as `start` does, but a bound command only while its files are what they were: what runs may be long after
 * somebody looked at them, and whatever writes in the folder could have changed them.
 *
 * @throws also Failure `program_changed`
 */
export function startBound(start: StartPiped, bound: readonly BoundCommand[]): StartPiped {
  if (bound.length === 0) return start;
  return async (request) => {
    for (const command of bound) if (isOf(command, request)) await expectUnchanged(command);
    return start(request);
  };
}

/** More words may come behind, and the program's path may have been found out. */
function isOf({ argv }: BoundCommand, { argv: asked }: PipedRequest): boolean {
  return argv.every((word, index) => (index === 0 ? basename(word) === basename(asked[0]) : word === asked[index]));
}

async function expectUnchanged({ argv, cwd, env, root, scripts }: BoundCommand): Promise<void> {
  const now = await projectScripts(argv, { cwd, root, env });
  const known = new Set(scripts.map(textOf));
  const changed = now.find((script) => !known.has(textOf(script))) ?? missing(scripts, now);
  if (changed === undefined) return;
  throw new Failure(
    'program_changed',
    `${argv[0] ?? ''} was not started: ${changed.path} of this folder, which it runs, is not what it was when the folder was trusted with it. \`tenon trust\` shows what would run, and \`tenon trust --yes\` agrees to it; it counts from the next start on.`,
  );
}

function missing(scripts: readonly ProjectScript[], now: readonly ProjectScript[]): ProjectScript | undefined {
  const there = new Set(now.map(textOf));
  return scripts.find((script) => !there.has(textOf(script)));
}

function textOf({ path, digest }: ProjectScript): string {
  return `${digest} ${path}`;
}
