/** A word that begins with `@` and is being typed. */
export interface OpenMention {
  /** Where its `@` stands, and up to where it goes: places of the line. */
  readonly from: number;
  readonly to: number;
  /** The path so far, as it is meant. */
  readonly path: string;
}

/** A word of the same form as `findMentions` of the engine finds in a prompt, up to the cursor. */
const OPEN = /(?:^|[\s([{])@(?:"([^"\n]*)|((?:\\.|[^\s\\"])*))$/;

/** The mention that the cursor is in, or at the end of. Pure. */
export function mentionAt(line: string, column: number): OpenMention | undefined {
  // Nobody types longer ones, and a line may have a megabyte.
  const near = Math.max(0, column - 4_000);
  const before = line.slice(near, column);
  const found = OPEN.exec(before);
  if (found === null) return undefined;
  const [whole, quoted, bare = ''] = found;
  const from = near + found.index + whole.indexOf('@');
  // The quote that ends it is a part of it.
  const to = quoted !== undefined && line[column] === '"' ? column + 1 : column;
  return { from, to, path: quoted ?? bare.replaceAll(/\\(.)/g, '$1') };
}

/** How a path is written so that it is found as that; undefined where it cannot be. Pure. */
export function writtenMention(path: string): string | undefined {
  if (/^[^\s\\"]+$/.test(path) && !/[.,;:!?)\]}]$/.test(path)) return `@${path}`;
  if (!/["\n]/.test(path)) return `@"${path}"`;
  if (/\n/.test(path) || /[.,;:!?)\]}]$/.test(path)) return undefined;
  return `@${path.replaceAll(/[\s\\"]/g, String.raw`\$&`)}`;
}
