import { constantWord, numberWord, type ShellWord } from './shell-word.js';
import type { ShellState } from './shell-state.js';

/** Parameters that the shell itself sets to a number. Setting them is doubted, so that they stay one. */
const NUMBERS = /^(?:[?#$!]|RANDOM|SRANDOM|SECONDS|LINENO|UID|EUID|PPID|EPOCHSECONDS|BASHPID)$/;

/** Parameters that hold what the shell puts into them, whatever they are set to. */
const OWN = /^(?:_|GROUPS|FUNCNAME|DIRSTACK|PIPESTATUS|COPROC|OPTARG|OPTIND|COMP_\w*|BASH_\w*|EPOCHREALTIME|HOSTNAME)$/;

/** What `$name` stands for, as far as it is certain; undefined: anything. */
export function valueOf(
  name: string,
  { state, home }: { readonly state: ShellState; readonly home: string | undefined },
): ShellWord | undefined {
  if (/^[1-9]\d*$/.test(name)) return argumentOf(Number(name), state.args);
  if (name === '#' && state.args?.every(({ splits }) => !splits) === true)
    return constantWord(String(state.args.length));
  if (NUMBERS.test(name)) return numberWord(name);
  if (OWN.test(name)) return undefined;
  if (state.variables.has(name)) {
    const values = state.variables.get(name);
    return values?.length === 1 ? values[0] : undefined;
  }
  if (name === 'HOME' && home !== undefined) return constantWord(home);
  const [folder, ...more] = state.folders ?? [];
  return name === 'PWD' && folder !== undefined && more.length === 0 ? constantWord(folder) : undefined;
}

function argumentOf(place: number, args: ShellState['args']): ShellWord | undefined {
  if (args === undefined || args.slice(0, place).some(({ splits }) => splits)) return undefined;
  return args[place - 1] ?? constantWord('');
}

/** All positional parameters where each of them is one word. */
export function argumentsOf({ args }: ShellState): readonly ShellWord[] | undefined {
  return args?.every(({ splits, wildcardAt }) => !splits && wildcardAt === undefined) === true ? args : undefined;
}

/** Set or taken away by a script, they would be something else than what is known of them. */
export function isSetByShell(name: string): boolean {
  return NUMBERS.test(name);
}
