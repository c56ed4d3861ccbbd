const HEADER = 12;
/** Times, device, inode, mode, owner, size, SHA-1 and flags; the path follows. */
const ENTRY = 62;
const MODE_AT = 24;
const FLAGS_AT = 60;
const EXTENDED = 0x4000;
const LINK = 0o160000;
const TYPE = 0o170000;
const CHECKSUM = 20;

/**
 * Whether an index (`gitformat-index`, versions 2 to 4, SHA-1) names a repository below, into which git would look with that
 * one's own settings. True as well for what cannot be read with certainty: damaged, or kept in several files.
 */
export function mayHaveLinks(bytes: Buffer): boolean {
  try {
    return readLinks(bytes);
  } catch (thrown) {
    // Reading beyond the end of the bytes.
    if (thrown instanceof RangeError) return true;
    throw thrown;
  }
}

function readLinks(bytes: Buffer): boolean {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return true;
  let at = HEADER;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    if ((bytes.readUInt32BE(at + MODE_AT) & TYPE) === LINK) return true;
    const isExtended = (bytes.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0;
    let name = at + ENTRY + (isExtended ? 2 : 0);
    // Version 4 says in front how much of the last path is kept.
    if (version === 4) {
      while (((bytes[name] ?? 0) & 0x80) !== 0) name += 1;
      name += 1;
    }
    const end = bytes.indexOf(0, name);
    if (end === -1) return true;
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return hasSharedIndex(bytes, at);
}

/** An extension `link` names another file with further entries. */
function hasSharedIndex(bytes: Buffer, start: number): boolean {
  for (let at = start; at < bytes.length - CHECKSUM;) {
    if (bytes.toString('latin1', at, at + 4) === 'link') return true;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return false;
}
