import { resolve } from 'node:path';
import { exactText, type ShellWord } from '../words/shell-word.js';

/** Where `cd` may lead from where the shell may be, as the shell itself names it: `..` takes back a name. Undefined: anywhere. */
export function reachFrom(folders: readonly string[] | undefined, word: ShellWord): readonly string[] | undefined {
  const text = exactText(word);
  if (text === undefined || text === '') return undefined;
  if (text.startsWith('/')) return [resolve(text)];
  return folders?.map((folder) => resolve(folder, text));
}

/** The same for what the system opens: `..` is the folder above wherever a link leads, so that it must be left to the system. */
export function openedFrom(folders: readonly string[] | undefined, text: string): readonly string[] | undefined {
  if (text === '') return undefined;
  if (text.startsWith('/')) return [text];
  return folders?.map((folder) => `${folder === '/' ? '' : folder}/${text}`);
}
