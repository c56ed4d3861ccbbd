import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readOwnerFile } from '../util/owner-file.js';

const BYTES = 32;

/** The key of a project's placeholders, made when it is missing. Where it can be neither read nor kept, one for this session. */
export function placeholderKey(file: string): Buffer {
  const kept = readKey(file);
  if (kept !== undefined) return kept;
  const key = randomBytes(BYTES);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // Another Tenon was faster, or the file is not to be believed.
    return readKey(file) ?? key;
  }
  return key;
}

function readKey(file: string): Buffer | undefined {
  const read = readOwnerFile(file, 1024);
  if (read === undefined || 'problem' in read) return undefined;
  return /^[0-9a-f]{64}\n$/.test(read.text) ? Buffer.from(read.text.trim(), 'hex') : undefined;
}
