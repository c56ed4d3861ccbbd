import path from 'node:path';

/** How paths are told to the client: below its folders as it spells them. */
export interface ClientPaths {
  /** An absolute path, canonical or not. */
  readonly toClient: (file: string) => string;
}

/** A folder as the client named it, and where it really is. Both absolute. */
export interface NamedFolder {
  readonly given: string;
  readonly canonical: string;
}

/** An editor knows its files below the folder that it opened, which may be a link; Tenon below what that leads to. Pure. */
export function clientPaths(folders: readonly NamedFolder[]): ClientPaths {
  const linked = folders
    .filter(({ given, canonical }) => given !== canonical)
    .toSorted((a, b) => b.canonical.length - a.canonical.length);
  return {
    toClient: (file) => {
      const folder = linked.find(({ canonical }) => file === canonical || file.startsWith(canonical + path.sep));
      return folder === undefined ? file : folder.given + file.slice(folder.canonical.length);
    },
  };
}
