import path from 'node:path';

/** How paths are told to the client: below its folders as it spells them. */
export interface ClientPaths {
  /** An absolute path, canonical or not. */
  readonly toClient: (file: string) => string;
  /** Shortens paths in a line of text: relative below the folders, with `~` in the user's home. */
  readonly inTitle: (text: string) => string;
}

/** A folder as the client named it, and where it really is. Both absolute. */
export interface NamedFolder {
  readonly given: string;
  readonly canonical: string;
}

/** An editor knows its files below the folder that it opened, which may be a link; Tenon below what that leads to. Pure. */
export function clientPaths(folders: readonly NamedFolder[], userHome?: string): ClientPaths {
  const linked = folders
    .filter(({ given, canonical }) => given !== canonical)
    .toSorted((a, b) => b.canonical.length - a.canonical.length);
  return {
    toClient: (file) => {
      const folder = linked.find(({ canonical }) => file === canonical || file.startsWith(canonical + path.sep));
      return folder === undefined ? file : folder.given + file.slice(folder.canonical.length);
    },
    inTitle: (text) => shortened(text, folders, userHome),
  };
}

/** Characters that may surround a path in a text. */
const OPENS = ' \t"\'`([{@=:,';
const CLOSES = ' \t"\'`)]},:#';

function shortened(text: string, folders: readonly NamedFolder[], userHome: string | undefined): string {
  const names = [...new Set(folders.flatMap(({ given, canonical }) => [given, canonical]))];
  const innermostFirst = names.toSorted((a, b) => b.length - a.length);
  const short = innermostFirst.reduce((now, folder) => withName(now, folder, '', path.basename(folder)), text);
  return userHome === undefined ? short : withName(short, userHome, `~${path.sep}`, '~');
}

/** Replaces the folder in a text: by `begin` before a name below it, by `alone` where the folder itself is meant. */
function withName(text: string, folder: string, begin: string, alone: string): string {
  const [first = '', ...others] = text.split(folder);
  return others.reduce((before, behind) => {
    const isBelow = behind.startsWith(path.sep) && !CLOSES.includes(behind.charAt(1));
    const rest = behind.startsWith(path.sep) ? behind.slice(1) : behind;
    const isPath = OPENS.includes(before.slice(-1)) && (isBelow || CLOSES.includes(rest.charAt(0)));
    if (!isPath) return before + folder + behind;
    return before + (isBelow ? begin : alone) + rest;
  }, first);
}
