import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { importPlaces, readPlace } from './import-places.js';

const files = (platform: NodeJS.Platform, home: string, env: Record<string, string> = {}): string[] =>
  importPlaces({ platform, home, root: platform === 'win32' ? 'C:\\work' : '/work', env }).map(({ file }) => file);

describe('the files of other tools', () => {
  it('are where each system has them', () => {
    const linux = files('linux', '/home/x');
    expect(linux).toContain('/home/x/.claude.json');
    expect(linux).toContain('/work/.mcp.json');
    expect(linux).toContain('/home/x/.config/Claude/claude_desktop_config.json');
    expect(linux).toContain('/home/x/.config/Code/User/mcp.json');
    expect(linux).toContain('/home/x/.config/opencode/opencode.jsonc');
    expect(linux).toContain('/work/.vscode/mcp.json');
    expect(linux).toContain('/home/x/.codex/config.toml');
    expect(linux).toContain('/home/x/.codeium/windsurf/mcp_config.json');
    const mac = files('darwin', '/Users/x');
    expect(mac).toContain('/Users/x/Library/Application Support/Claude/claude_desktop_config.json');
    expect(mac).toContain('/Users/x/Library/Application Support/Code/User/mcp.json');
    expect(mac).toContain('/Users/x/.config/opencode/opencode.json');
    const windows = files('win32', 'C:\\Users\\x');
    expect(windows).toContain('C:\\Users\\x\\AppData\\Roaming\\Claude\\claude_desktop_config.json');
    expect(windows).toContain('C:\\work\\.cursor\\mcp.json');
  });

  it('are where the environment says, if that is a whole path', () => {
    expect(files('linux', '/home/x', { XDG_CONFIG_HOME: '/c' })).toContain('/c/Code/User/mcp.json');
    expect(files('linux', '/home/x', { XDG_CONFIG_HOME: 'c' })).toContain('/home/x/.config/Code/User/mcp.json');
    expect(files('win32', 'C:\\x', { APPDATA: 'D:\\r' })).toContain('D:\\r\\Code\\User\\mcp.json');
  });

  it('are the word of the person, and each once, where the workspace is the home', () => {
    const places = importPlaces({ platform: 'linux', home: '/h', root: '/h', env: {} });
    expect(places.filter(({ file }) => file === '/h/.cursor/mcp.json')).toEqual([
      { source: 'cursor', title: 'Cursor', file: '/h/.cursor/mcp.json', level: 'user' },
    ]);
    expect(new Set(places.map(({ file }) => file)).size).toBe(places.length);
  });
});

describe('a file of another tool', () => {
  let folder = '';
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('is read, or it is said why not', async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tenon-places-'));
    const file = path.join(folder, 'a.json');
    await writeFile(file, '{"é": 1}');
    expect(await readPlace(file)).toEqual({ text: '{"é": 1}' });
    expect(await readPlace(path.join(folder, 'none'))).toBeUndefined();
    expect(await readPlace(path.join(file, 'below'))).toBeUndefined();
    await mkdir(path.join(folder, 'd'));
    expect(await readPlace(path.join(folder, 'd'))).toEqual({ problem: 'is not a regular file.' });
    await writeFile(file, Buffer.from([0xff, 0xfe]));
    expect(await readPlace(file)).toEqual({ problem: 'is not UTF-8 text. Save it as UTF-8.' });
    await symlink('loop', path.join(folder, 'loop'));
    expect(await readPlace(path.join(folder, 'loop'))).toEqual({ problem: 'cannot be read (ELOOP).' });
  });
});
