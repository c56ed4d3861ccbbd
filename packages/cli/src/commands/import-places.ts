import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { ForeignSource } from '@tenon/core';

/** The tools by the words that name them on the command line. */
export const IMPORT_SOURCES = {
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  cursor: 'Cursor',
  vscode: 'VS Code',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  codex: 'Codex',
  opencode: 'opencode',
  windsurf: 'Windsurf',
  cline: 'Cline',
} as const satisfies Partial<Record<ForeignSource, string>>;
export type ImportSource = keyof typeof IMPORT_SOURCES;

/** A file in which a tool may have servers. */
export interface ImportPlace {
  readonly source: ForeignSource;
  /** The tool, for people. */
  readonly title: string;
  /** Absolute. */
  readonly file: string;
  /** Whose word it is. */
  readonly level: 'user' | 'project';
}

export interface PlaceContext {
  readonly platform: NodeJS.Platform;
  /** The person's home, absolute. */
  readonly home: string;
  /** The workspace, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Everywhere the tools have their servers, the person's files of each before the project's. Pure: nothing is looked at. */
export function importPlaces({ platform, home, root, env }: PlaceContext): readonly ImportPlace[] {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const join = (...steps: string[]): string => paths.join(...steps);
  const given = (name: string): string | undefined => {
    const value = env[name];
    return value !== undefined && paths.isAbsolute(value) ? value : undefined;
  };
  const xdg = given('XDG_CONFIG_HOME') ?? join(home, '.config');
  const system =
    platform === 'win32'
      ? (given('APPDATA') ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : xdg;
  const cline = join('globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json');
  const own: Readonly<Record<ImportSource, readonly string[]>> = {
    'claude-code': [join(home, '.claude.json')],
    'claude-desktop': [join(system, 'Claude', 'claude_desktop_config.json')],
    cursor: [join(home, '.cursor', 'mcp.json')],
    vscode: ['Code', 'Code - Insiders'].map((name) => join(system, name, 'User', 'mcp.json')),
    gemini: [join(home, '.gemini', 'settings.json')],
    qwen: [join(home, '.qwen', 'settings.json')],
    codex: [join(home, '.codex', 'config.toml')],
    opencode: ['config.json', 'opencode.json', 'opencode.jsonc'].map((name) => join(xdg, 'opencode', name)),
    windsurf: [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    cline: [join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'), join(system, 'Code', 'User', cline)],
  };
  const ofProject: Readonly<Partial<Record<ImportSource, readonly string[]>>> = {
    'claude-code': ['.mcp.json'],
    cursor: [join('.cursor', 'mcp.json')],
    vscode: [join('.vscode', 'mcp.json')],
    gemini: [join('.gemini', 'settings.json')],
    qwen: [join('.qwen', 'settings.json')],
    codex: [join('.codex', 'config.toml')],
    opencode: [
      'opencode.json',
      'opencode.jsonc',
      join('.opencode', 'opencode.json'),
      join('.opencode', 'opencode.jsonc'),
    ],
  };
  const places = SOURCES.flatMap((source): ImportPlace[] => {
    const title = IMPORT_SOURCES[source];
    return [
      ...own[source].map((file) => ({ source, title, file, level: 'user' as const })),
      ...(ofProject[source] ?? []).map((name) => ({
        source,
        title,
        file: join(root, name),
        level: 'project' as const,
      })),
    ];
  });
  // Where the workspace is the home itself, one file stands for both.
  return places.filter(({ file }, index) => places.findIndex((place) => place.file === file) === index);
}

const SOURCES: readonly ImportSource[] = (Object.keys(IMPORT_SOURCES) as ImportSource[]).toSorted();

// Claude Code keeps the history of all projects in its file.
const MOST_BYTES = 64 * 1024 * 1024;

/** What stands in it; undefined where there is no such file. Nothing of it is changed. */
export async function readPlace(
  file: string,
): Promise<{ readonly text: string } | { readonly problem: string } | undefined> {
  try {
    // O_NONBLOCK: a FIFO of that name must not hang it.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const info = await handle.stat();
      if (!info.isFile()) return { problem: 'is not a regular file.' };
      if (info.size > MOST_BYTES) return { problem: `is larger than ${MOST_BYTES} bytes.` };
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile()) };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'is not UTF-8 text. Save it as UTF-8.' };
    return { problem: `cannot be read (${code === '' ? 'no reason given' : code}).` };
  }
}
