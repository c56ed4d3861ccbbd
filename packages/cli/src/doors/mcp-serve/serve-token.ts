import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '@tenon/core';
import { ExitCode, ExitFailure } from '../../exit-codes.js';
import type { Surroundings } from '../../surroundings.js';

export interface ServeToken {
  readonly value: string;
  /** It was made here: the person must be told it. */
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/**
 * What every request over HTTP must carry: of the file, else of `TENON_MCP_TOKEN`, else a new one.
 * @throws ExitFailure `USAGE` for one that cannot be used
 */
export async function serveToken({ env, cwd }: Surroundings, file: string | undefined): Promise<ServeToken> {
  if (file !== undefined) return tokenOfFile(path.resolve(cwd ?? '/', file));
  const given = env['TENON_MCP_TOKEN'] ?? '';
  if (given === '') return { value: randomBytes(32).toString('base64url'), isNew: true, warnings: [] };
  return { value: checked(given, 'TENON_MCP_TOKEN'), isNew: false, warnings: [] };
}

async function tokenOfFile(file: string): Promise<ServeToken> {
  try {
    const [text, { mode }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
    const warning = `Others on this machine may read ${file}. Make it yours alone: chmod 600 ${file}`;
    return { value: checked(text.trim(), file), isNew: false, warnings: isOpen ? [warning] : [] };
  } catch (thrown) {
    if (thrown instanceof ExitFailure) throw thrown;
    throw refusal(`The token file ${file} cannot be read: ${errorMessage(thrown)}`);
  }
}

function checked(token: string, source: string): string {
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw refusal(
    `The token of ${source} must be 16 to 512 visible ASCII characters, such as \`openssl rand -hex 32\` makes.`,
  );
}

function refusal(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
