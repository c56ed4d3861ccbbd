import { systemErrorCode } from '../util/failure.js';
import { digestOf } from '../trust/folder-trust.js';
import { plainValue } from './parse-settings-text.js';
import { readingProblem, readSmallFile } from './read-settings-file.js';
import { isObject } from '../util/is-object.js';

/** A file that holds servers and nothing else, such as `.mcp.json`. */
export interface ServersFile {
  readonly servers: Readonly<Record<string, unknown>>;
  readonly key: 'mcpServers' | 'servers';
  /** Hex SHA-256 of the very bytes that were read. */
  readonly digest: string;
  /** Why it says nothing. */
  readonly problem?: string;
}

/** Undefined where there is none. Never throws: what is wrong costs the file alone. */
export async function readServersFile(file: string): Promise<ServersFile | undefined> {
  try {
    const bytes = await readSmallFile(file);
    return {
      ...(await parseServers(new TextDecoder('utf-8', { fatal: true }).decode(bytes), file)),
      digest: digestOf(bytes),
    };
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { servers: {}, key: 'mcpServers', digest: '', problem: `${file}: ${readingProblem(thrown, code)}` };
  }
}

/** `{"mcpServers": {…}}`, or `{"servers": {…}}` as editors have it. `place`: for messages. */
export async function parseServers(text: string, place: string): Promise<Omit<ServersFile, 'digest'>> {
  const none = (problem: string): Omit<ServersFile, 'digest'> => ({
    servers: {},
    key: 'mcpServers',
    problem: `${place}: ${problem}`,
  });
  const { parseTree } = await import('jsonc-parser');
  const errors: { offset: number }[] = [];
  let value: unknown;
  try {
    const root = parseTree(text, errors as Parameters<typeof parseTree>[1] & object, { allowTrailingComma: true });
    value = root === undefined ? undefined : plainValue(root);
  } catch {
    // The parser recurses; only absurd nesting gets here.
    return none('is nested too deeply to be read.');
  }
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split(/\r\n|\r|\n/).length;
    return none(`is not valid JSON (line ${line}), so none of its servers is used. Correct it.`);
  }
  const key =
    isObject(value) && value['mcpServers'] === undefined && value['servers'] !== undefined ? 'servers' : 'mcpServers';
  const held = isObject(value) ? value[key] : undefined;
  if (isObject(held)) return { servers: held, key };
  return none('has no object "mcpServers", such as {"mcpServers": {"name": {"command": "…"}}}.');
}
