/** Looked for in every folder; `AGENTS.md` is what most agents share. */
export const CONTEXT_NAMES: readonly string[] = ['TENON.md', 'AGENTS.md', 'QWEN.md'];

/** Files of single other agents: the first of them, in a folder that has none of the above. */
export const FOREIGN_NAMES: readonly string[] = ['CLAUDE.md', 'GEMINI.md'];

/** Where facts are saved in Tenon's own folder, whatever names are looked for elsewhere. */
export const SAVED_NAME = 'TENON.md';

const MOST_NAMES = 16;

export interface ContextNames {
  readonly names: readonly string[];
  /** Tried in a folder that has none of `names`. */
  readonly instead: readonly string[];
  /** The name under which facts are saved in a project. */
  readonly saved: string;
  /** What of the setting does not count, a sentence each. */
  readonly problems: readonly string[];
}

/** The names to look for, as the setting `context.fileNames` gives them; a name may lead through folders (`.qwen/QWEN.md`). Pure. */
export function contextNames(setting: readonly string[] | undefined): ContextNames {
  if (setting === undefined) return { names: CONTEXT_NAMES, instead: FOREIGN_NAMES, saved: SAVED_NAME, problems: [] };
  const wanted = [...new Set(setting.map((name) => name.trim()))];
  const sound = wanted.filter(isName);
  const names = sound.slice(0, MOST_NAMES);
  const odd = wanted.filter((name) => !isName(name));
  const problems = odd.map(
    (name) => `context.fileNames: ${JSON.stringify(name)} is no name of a file below a folder, and is not looked for.`,
  );
  if (sound.length > MOST_NAMES) problems.push(`context.fileNames: only the first ${MOST_NAMES} names are looked for.`);
  const saved = names.includes(SAVED_NAME) ? SAVED_NAME : (names[0] ?? SAVED_NAME);
  return { names, instead: [], saved, problems };
}

function isName(name: string): boolean {
  return (
    !/[\\\u0000-\u001f\u007f]/.test(name) && name.split('/').every((part) => part !== '' && !/^\.{1,2}$/.test(part))
  );
}
