import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';

export interface OpenUrlOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** No program that lies in it is started. */
  readonly cwd: string | undefined;
}

/** How long the program may take to say that it failed. In milliseconds. */
const WAIT_MS = 2000;

/**
 * Has the person's browser open a page. The address is one argument, no shell sees it. False when there is no browser to be
 * seen from here (no display), or it did not start: the person has the address to open it elsewhere.
 */
export async function openUrl(url: string, options: OpenUrlOptions): Promise<boolean> {
  const command = openCommand(url, options);
  if (command === undefined) return false;
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false });
    const timer = setTimeout(() => resolve(true), WAIT_MS);
    const settle = (isOpen: boolean): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.on('error', () => settle(false));
    child.on('exit', (code) => settle(code === 0));
    child.unref();
  });
}

/** Program and arguments; undefined for what is no page, and where no browser can be. */
export function openCommand(url: string, options: OpenUrlOptions): readonly [string, ...string[]] | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const { platform, env } = options;
  if (platform === 'darwin') return ['/usr/bin/open', href];
  if (platform === 'win32') {
    const system = env['SystemRoot'] ?? 'C:\\Windows';
    return [`${system}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler', href];
  }
  // Without a display xdg-open starts a browser for text, in the midst of this terminal.
  if ((env['DISPLAY'] ?? '') === '' && (env['WAYLAND_DISPLAY'] ?? '') === '') return undefined;
  const program = findOpener(options);
  return program === undefined ? undefined : [program, href];
}

function findOpener({ env, cwd }: OpenUrlOptions): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    const program = path.join(folder, 'xdg-open');
    try {
      accessSync(program, constants.X_OK);
      if (cwd === undefined || !isBelow(realpathSync(program), cwd)) return program;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}

function isBelow(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}
