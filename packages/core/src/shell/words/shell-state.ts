import { isInteger, isSameWord, numberWord, type ShellWord } from './shell-word.js';

/** More possibilities than these are not followed. */
const MOST_FOLDERS = 4;
const MOST_VALUES = 16;
const MOST_VARIABLES = 200;

/** What a variable may hold; undefined: anything. */
export type Values = readonly ShellWord[] | undefined;

/** What is known of a shell between two commands. Never changed in place. */
export interface ShellState {
  /** Where the next command may run, absolute, as the shell itself names it; undefined: anywhere. */
  readonly folders: readonly string[] | undefined;
  /** What variables may hold; absent: not set here, so that they hold whatever the environment gives. */
  readonly variables: ReadonlyMap<string, Values>;
  /** The positional parameters; undefined: any number of anything. */
  readonly args: readonly ShellWord[] | undefined;
}

export function withVariable(state: ShellState, name: string, values: Values): ShellState {
  // One that is absent may hold anything as well.
  if (state.variables.size >= MOST_VARIABLES && !state.variables.has(name)) return state;
  const fits = values !== undefined && values.length > 0 && values.length <= MOST_VALUES;
  return { ...state, variables: new Map(state.variables).set(name, fits ? values : undefined) };
}

export function inFolders(state: ShellState, folders: readonly string[] | undefined): ShellState {
  const known = folders === undefined ? undefined : [...new Set(folders)];
  return { ...state, folders: known !== undefined && known.length <= MOST_FOLDERS ? known : undefined };
}

/** What holds when either may have happened. */
export function either(a: ShellState, b: ShellState): ShellState {
  if (a === b) return a;
  const folders = a.folders === undefined || b.folders === undefined ? undefined : [...a.folders, ...b.folders];
  return inFolders({ folders, variables: eitherVariables(a, b), args: eitherArgs(a.args, b.args) }, folders);
}

/** Variables with what either holds. */
export function eitherVariables(a: ShellState, b: ShellState): ReadonlyMap<string, Values> {
  if (a.variables === b.variables) return a.variables;
  const variables = new Map<string, Values>();
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()]))
    variables.set(name, eitherValue(a.variables.get(name), b.variables.get(name)));
  return variables;
}

function eitherArgs(a: ShellState['args'], b: ShellState['args']): ShellState['args'] {
  return areSame(a, b) ? a : undefined;
}

function eitherValue(a: Values, b: Values): Values {
  if (a === undefined || b === undefined) return undefined;
  const all = [...a];
  for (const word of b) if (!all.some((other) => isSameWord(other, word))) all.push(word);
  return all.length <= MOST_VALUES ? all : undefined;
}

/** What changes from one turn of a loop to the next may be anything; what stays a number stays one. */
export function widened(before: ShellState, after: ShellState): ShellState {
  const variables = new Map(before.variables);
  let isChanged = false;
  for (const [name, values] of after.variables) {
    const old = before.variables.get(name);
    if (before.variables.has(name) && areSame(old, values)) continue;
    const wide = [...(old ?? []), ...(values ?? [])];
    const areNumbers = old !== undefined && values !== undefined && wide.every(isInteger);
    const next = areNumbers ? [numberWord(name)] : undefined;
    if (before.variables.has(name) && areSame(old, next)) continue;
    variables.set(name, next);
    isChanged = true;
  }
  const isMoved = !isWithin(after.folders, before.folders);
  const hasOtherArgs = before.args !== undefined && !areSame(before.args, after.args);
  if (!isChanged && !isMoved && !hasOtherArgs) return before;
  return {
    folders: isMoved ? undefined : before.folders,
    variables,
    args: hasOtherArgs ? undefined : before.args,
  };
}

/** Nothing is known any more but that variables are set. */
export function anythingAfter(state: ShellState): ShellState {
  const variables = new Map([...state.variables.keys()].map((name): [string, Values] => [name, undefined]));
  return { folders: undefined, variables, args: undefined };
}

function areSame(a: Values, b: Values): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  return a.every((word, index) => {
    const other = b[index];
    return other !== undefined && isSameWord(word, other);
  });
}

function isWithin(folders: readonly string[] | undefined, all: readonly string[] | undefined): boolean {
  return all === undefined || (folders !== undefined && folders.every((folder) => all.includes(folder)));
}
