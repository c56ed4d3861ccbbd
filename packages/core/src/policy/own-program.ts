import type { RunEffect } from '../effects/effect.js';
import { carriesCommand, mayCarryCommand, programName, startsNoArgument } from './programs.js';

/** The program's name, also as a package with a version. */
const NAME = /^tenon(?:@[\w.~^-]+)?$/;
/** The file that is run, where an interpreter is told to. */
const FILE =
  /(?:^|\/)tenon\/(?:[\w.-]+\/)*(?:main|cli|index|tenon)\.[cm]?[jt]s$|(?:^|\/)packages\/cli\/(?:dist|src)\/main\.[cm]?[jt]s$/;
/** The system opens no longer ones. */
const LONGEST_PATH = 4_096;
const PACKAGE_RUNNERS = /^(?:npm|pnpm|yarn|bun|deno|corepack|uv)$/;

/**
 * Why a command is asked about whatever rules, the mode and the sandbox say: it starts this very program, which can trust
 * folders, grant rules and undo, so that a model could approve its own calls. Undefined for any other one.
 */
export function ownProgramReason({ argv, readOnly, isStated }: RunEffect): string | undefined {
  if (readOnly || isStated === true) return undefined;
  const [program = '', ...words] = argv;
  const isOwn = (word: string): boolean =>
    word.length <= LONGEST_PATH && (NAME.test(programName(word)) || FILE.test(word.replaceAll('\\', '/')));
  const name = programName(program);
  const isRunner = mayCarryCommand(argv) || carriesCommand(name) || PACKAGE_RUNNERS.test(name);
  const mayStart = isRunner && !startsNoArgument(argv);
  const started = isOwn(program)
    ? program
    : mayStart
      ? (words.find((word) => NAME.test(word)) ?? words.find(isOwn))
      : undefined;
  return started === undefined
    ? undefined
    : `\`${started.slice(0, 60)}\` is the agent's own program, which can approve what the agent does`;
}
