import picomatch from 'picomatch';

/** Judges a path relative to the searched folder, with `/`. */
export type GlobMatcher = (relativePath: string) => boolean;

export interface GlobOptions {
  /** A pattern without `/` matches the last name at any depth, as a file filter is meant. False by default. */
  readonly anyDepth?: boolean;
  readonly ignoreCase?: boolean;
}

/**
 * Matches `*`, `**`, `?`, `[abc]`, `{js,ts}` (S99), dotfiles included. `!pattern` matches everything but;
 * without a `/` it excludes at any depth. A path that is spelled exactly like the pattern always matches,
 * so that `app/[id]/page.tsx` finds the file of that name.
 */
export function createGlobMatcher(pattern: string, options: GlobOptions = {}): GlobMatcher {
  if (pattern.startsWith('!') && !pattern.startsWith('!(')) {
    const excluded = createGlobMatcher(pattern.slice(1), { ...options, anyDepth: true });
    return (path) => !excluded(path);
  }
  const glob = pattern.replace(/^(?:\.\/)+/, '');
  const matches = picomatch(toPicomatch(glob), {
    dot: true,
    nonegate: true,
    nocase: options.ignoreCase === true,
  });
  const byLastName = options.anyDepth === true && !glob.includes('/');
  return (path) => path === glob || matches(byLastName ? path.slice(path.lastIndexOf('/') + 1) : path);
}

/** `app/(auth)/x` names a folder: only `@(…)`, `!(…)`, `+(…)`, `*(…)` and `?(…)` are groups. `[!a]` is `[^a]`. */
function toPicomatch(glob: string): string {
  const groups: boolean[] = [];
  let translated = '';
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index] ?? '';
    if (character === '\\') translated += character + (glob[++index] ?? '');
    else if (character === '(') {
      const isGroup = /[@!+*?]/.test(glob[index - 1] ?? '');
      groups.push(isGroup);
      translated += isGroup ? character : '\\(';
    } else if (character === ')') translated += groups.pop() === true ? character : '\\)';
    else if (character === '!' && glob[index - 1] === '[') translated += '^';
    else translated += character;
  }
  return translated;
}

/** The leading folders of a pattern that hold no wildcard, and the rest: `src/a/**` gives `src/a` and `**`. */
export function splitStaticFolder(pattern: string): { readonly folder: string; readonly rest: string } {
  if (pattern.startsWith('!')) return { folder: '', rest: pattern };
  const names = pattern.split('/');
  let count = 0;
  while (count < names.length - 1 && !/[*?[\]{}()!+@\\]/.test(names[count] ?? '')) count++;
  const folder = names.slice(0, count).join('/');
  return { folder: count > 0 && folder === '' ? '/' : folder, rest: names.slice(count).join('/') };
}
