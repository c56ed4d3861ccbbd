import { dirname } from 'node:path';
import type { ReadRules, WithheldBy } from '../effects/withheld.js';
import type { IgnoreRules } from '../files/ignore-rules.js';
import { decodeText } from '../files/text-codec.js';
import { WorkspaceGate, type ReadHandle } from '../files/workspace-gate.js';
import { toolNamed } from '../policy/tool-aliases.js';
import { Failure } from '../util/failure.js';
import { SKILL_FILE, type SkillCandidate } from './find-skill-files.js';

/** What is larger is no text that a model should read at once. */
export const MAX_SKILL_BYTES = 256 * 1024;

export interface SkillReaderOptions {
  /** The project's own temp folder: no part of any place. */
  readonly tempDir: string;
  /** `.qwenignore` of the roots. */
  readonly ignore: IgnoreRules;
  /** What rules keep from being read. */
  readonly readRules?: ReadRules | undefined;
}

export type ReadSkill =
  | { readonly kind: 'text'; /** Canonical. */ readonly real: string; readonly text: string; readonly bytes: number }
  /** The end of a sentence. */
  | { readonly kind: 'refused'; readonly why: string };

/** Why a file may not be told, by rules that may change while it does not: the end of a sentence; undefined where it may. */
export function refusalOf(
  { folder, place: { origin } }: SkillCandidate,
  real: string,
  { readRules, ignore }: Omit<SkillReaderOptions, 'tempDir'>,
): string | undefined {
  const withheld = readRules?.below(toolNamed('Read'), { path: folder, requested: folder });
  // What the tool that reads files may not read is not told unasked either.
  const rule: WithheldBy | undefined = withheld?.folder('') ?? withheld?.filesIn('')?.(SKILL_FILE);
  if (rule !== undefined) return `the ${rule.list} rule ${rule.text} (${rule.origin}) keeps it from being read`;
  return origin === 'project' && ignore.isIgnored(real, false) ? 'an ignore file of the project names it' : undefined;
}

/** Reads the file of a skill, held: of a project within that, of the person's own wherever they put it. */
export async function readSkill(
  { file, place: { within } }: Pick<SkillCandidate, 'file' | 'place'>,
  real: string,
  { tempDir, ignore }: Omit<SkillReaderOptions, 'readRules'>,
): Promise<ReadSkill> {
  try {
    const gate = new WorkspaceGate({ roots: [within ?? dirname(real)], tempDir, ignore });
    const read = async (handle: ReadHandle): Promise<ReadSkill> => {
      const bytes = await bytesOf(handle);
      const { text } = await decodeText(bytes, file);
      return { kind: 'text', real: handle.resolved.path, text, bytes: bytes.length };
    };
    return await gate.withFile(real, read, { expected: real });
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return refused(whyOf(thrown));
  }
}

function refused(why: string): ReadSkill {
  return { kind: 'refused', why };
}

async function bytesOf(handle: ReadHandle): Promise<Buffer> {
  if (handle.stat.size > MAX_SKILL_BYTES) throw tooLarge();
  const small = handle.readSmall();
  if (small !== undefined) return small;
  const file = await handle.open();
  try {
    // One byte more tells that it grew meanwhile.
    const buffer = Buffer.alloc(MAX_SKILL_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    throw tooLarge();
  } finally {
    await file.close();
  }
}

function tooLarge(): Failure {
  return new Failure('file_too_large', `it is larger than ${MAX_SKILL_BYTES / 1024} KiB`);
}

function whyOf({ code, message }: Failure): string {
  switch (code) {
    case 'path_not_in_workspace':
      return 'it leads out of the project';
    case 'path_ignored':
      return 'an ignore file of the project names it';
    case 'file_too_large':
      return message;
    case 'binary_file':
      return 'it is no text';
    case 'target_is_directory':
    case 'not_a_regular_file':
      return 'it is no regular file';
    case 'permission_denied':
      return 'there is no permission to read it';
    default:
      return `it cannot be read (${code})`;
  }
}
