/** Names that a file system without case may hold to be one. */
export function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/**
 * Names that some file system takes for the same: any case, composed or not, look-alike letters, invisible
 * characters (HFS+), dots, blanks and streams at the end (NTFS), and the short name of `.git`.
 */
export function foldForAnyFileSystem(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  const bare = folded.replace(/(?<=.):.*$/s, '').replace(/(?<=[^. ])[. ]+$/, '');
  return /^gi(?:t|[\da-f]{4})~\d+$/.test(bare) ? '.git' : bare;
}
