import { keyName, shownKey } from './key-names.js';

/** All that keys can do here, with the keys that do it unless the settings say otherwise. */
const ACTIONS = {
  submit: { keys: ['enter'], does: 'Sends what is typed, or takes what is chosen.' },
  newLine: { keys: ['shift+enter', 'alt+enter', 'ctrl+j'], does: 'Begins a new line; so does a backslash and Enter.' },
  complete: { keys: ['tab'], does: 'Completes the word.' },
  cancel: {
    keys: ['escape'],
    does: 'Closes the list, or stops the model; pressed twice, goes back to an earlier prompt.',
  },
  interrupt: { keys: ['ctrl+c'], does: 'Stops the model, clears what is typed; pressed twice, leaves.' },
  leave: { keys: ['ctrl+d'], does: 'Leaves when nothing is typed, else takes away the next character.' },
  suspend: { keys: ['ctrl+z'], does: 'Goes to the background; `fg` in the shell comes back.' },
  cycleMode: { keys: ['shift+tab'], does: 'Goes to the next approval mode.' },
  historySearch: { keys: ['ctrl+r'], does: 'Looks for an earlier prompt; pressed again, for an older one.' },
  openEditor: { keys: ['ctrl+g'], does: 'Opens what is typed in your editor.' },
  openTranscript: { keys: ['ctrl+o'], does: 'Shows the whole session, with all output.' },
  toggleTodos: { keys: ['ctrl+t'], does: 'Shows or hides the list of todos.' },
  clearScreen: { keys: ['ctrl+l'], does: 'Clears the screen.' },
  openPaste: { keys: ['alt+o'], does: 'Puts a pasted text in place of its mark.' },
  up: { keys: ['up', 'ctrl+p'], does: 'Goes to the row above; from the first, to the prompt before.' },
  down: { keys: ['down', 'ctrl+n'], does: 'Goes to the row below; from the last, to the prompt behind.' },
  left: { keys: ['left', 'ctrl+b'], does: 'Goes one character left.' },
  right: { keys: ['right', 'ctrl+f'], does: 'Goes one character right.' },
  wordLeft: { keys: ['alt+left', 'ctrl+left', 'alt+b'], does: 'Goes one word left.' },
  wordRight: { keys: ['alt+right', 'ctrl+right', 'alt+f'], does: 'Goes one word right.' },
  lineStart: { keys: ['home', 'ctrl+a'], does: 'Goes to the beginning of the line.' },
  lineEnd: { keys: ['end', 'ctrl+e'], does: 'Goes to the end of the line.' },
  textStart: { keys: ['ctrl+home'], does: 'Goes to the beginning of the text.' },
  textEnd: { keys: ['ctrl+end'], does: 'Goes to the end of the text.' },
  eraseBefore: {
    keys: ['backspace', 'shift+backspace', 'ctrl+h'],
    does: 'Takes away the character before the cursor.',
  },
  eraseAfter: { keys: ['delete'], does: 'Takes away the character behind the cursor.' },
  cutShellWordBefore: { keys: ['ctrl+w'], does: 'Cuts back to the blank before.' },
  cutWordBefore: { keys: ['alt+backspace', 'ctrl+backspace'], does: 'Cuts the word before the cursor.' },
  cutWordAfter: { keys: ['alt+d', 'alt+delete', 'ctrl+delete'], does: 'Cuts the word behind the cursor.' },
  cutToLineStart: { keys: ['ctrl+u'], does: 'Cuts to the beginning of the line.' },
  cutToLineEnd: { keys: ['ctrl+k'], does: 'Cuts to the end of the line.' },
  putIn: { keys: ['ctrl+y'], does: 'Puts in what was cut last.' },
  putInOlder: { keys: ['alt+y'], does: 'Puts in what was cut before that, in its place.' },
  // A terminal sends the same for all three.
  undo: { keys: ['ctrl+_', 'ctrl+-', 'ctrl+/'], does: 'Takes the last change of the text back.' },
  redo: { keys: ['alt+z', 'alt+_', 'ctrl+shift+z'], does: 'Makes it again.' },
} as const satisfies Readonly<Record<string, { readonly keys: readonly string[]; readonly does: string }>>;

export type KeyAction = keyof typeof ACTIONS;

/** Which keys do what. */
export interface KeyBindings {
  readonly actionOf: (name: string) => KeyAction | undefined;
  /** What of the settings does not count, and why; a sentence each. */
  readonly problems: readonly string[];
  /** For each action, in the order in which they are told. */
  readonly rows: readonly { readonly action: KeyAction; readonly keys: readonly string[] }[];
}

/** Without these nobody could send anything, or end it. */
const NEEDED: readonly KeyAction[] = ['submit', 'interrupt'];

/** The keys of the settings (`ui.keys`: keys by action) in place of the actions' own ones. Pure. */
export function bindKeys(chosen: Readonly<Record<string, string | readonly string[]>> = {}): KeyBindings {
  const problems: string[] = [];
  const actions = new Map<string, KeyAction>();
  const names = Object.keys(ACTIONS) as KeyAction[];
  const isBound = new Set<string>();
  for (const [action, written] of Object.entries(chosen)) {
    if (!isAction(action)) {
      problems.push(`ui.keys: there is no action ${JSON.stringify(action)}. /keys shows what there is.`);
      continue;
    }
    const keys = typeof written === 'string' ? [written] : written;
    const fit = keys.flatMap((key) => soundKey(action, key, actions, problems));
    if (fit.length === 0 && (keys.length > 0 || NEEDED.includes(action))) {
      problems.push(`ui.keys: ${action} keeps its own keys, for it would have none.`);
      continue;
    }
    isBound.add(action);
    for (const key of fit) actions.set(key, action);
  }
  for (const action of names) {
    if (isBound.has(action)) continue;
    for (const key of ACTIONS[action].keys) {
      const other = actions.get(key);
      if (other === undefined) actions.set(key, action);
      else problems.push(`ui.keys: ${shownKey(key)} is for ${other} now, no longer for ${action}.`);
    }
  }
  const rows = names.map((action) => ({
    action,
    keys: [...actions].filter(([, bound]) => bound === action).map(([key]) => key),
  }));
  return { actionOf: (name) => actions.get(name), problems, rows };
}

/** For people: which keys do what, as it is bound now. Actions without a key are left out. */
export function describeKeys({
  rows,
}: KeyBindings): readonly { readonly keys: readonly string[]; readonly does: string }[] {
  return rows
    .filter(({ keys }) => keys.length > 0)
    .map(({ action, keys }) => ({ keys: keys.map(shownKey), does: ACTIONS[action].does }));
}

function isAction(name: string): name is KeyAction {
  return Object.hasOwn(ACTIONS, name);
}

function soundKey(
  action: KeyAction,
  written: string,
  actions: ReadonlyMap<string, KeyAction>,
  problems: string[],
): readonly string[] {
  const key = keyName(written);
  if (key === undefined) {
    problems.push(`ui.keys: ${JSON.stringify(written)} is no key. Write it as ctrl+x, alt+enter or f5.`);
    return [];
  }
  if (Array.from(key).length === 1 || key === 'space') {
    problems.push(`ui.keys: ${shownKey(key)} cannot be bound to ${action}, for it could not be typed any more.`);
    return [];
  }
  const other = actions.get(key);
  if (other === undefined || other === action) return [key];
  problems.push(`ui.keys: ${shownKey(key)} is bound to ${other} and ${action}; it counts for ${other}.`);
  return [];
}
