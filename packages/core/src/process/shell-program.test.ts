import { describe, expect, it } from 'vitest';
import { chooseShell, type ShellPlaces, type ShellProgram } from './shell-program.js';

const WINDOWS = {
  ProgramFiles: 'C:\\Program Files',
  LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local',
  SystemRoot: 'C:\\Windows',
  Path: 'C:\\Windows\\system32;tools;D:\\work\\app\\bin;D:\\pwsh',
};
const GIT_BASH = 'C:\\Program Files\\Git\\bin\\bash.exe';
const OLD = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';

function onWindows(...files: string[]): ShellPlaces {
  return {
    platform: 'win32',
    environment: WINDOWS,
    isExecutable: (path) => files.includes(path),
    isOwn: (path) => path.startsWith('D:\\work\\app'),
  };
}

function onLinux(PATH: string, ...files: string[]): ShellPlaces {
  return {
    platform: 'linux',
    environment: { PATH },
    isExecutable: (path) => files.includes(path),
    isOwn: (path) => path.startsWith('/work/app/'),
  };
}

describe('on Linux and macOS', () => {
  it('is bash without a wish, and when bash is wished for', () => {
    expect(chooseShell(undefined, onLinux('/usr/bin', '/usr/bin/pwsh'))).toEqual({ program: 'bash' });
    expect(chooseShell('bash', onLinux('/usr/bin'))).toEqual({ program: 'bash' });
  });

  it('is PowerShell where it stands in PATH, in a folder that no project can change', () => {
    const found = onLinux('/work/app/bin:bin:/opt/ps:/usr/bin', '/work/app/bin/pwsh', 'bin/pwsh', '/usr/bin/pwsh');
    expect(chooseShell('pwsh', found)).toEqual({ program: 'pwsh', path: '/usr/bin/pwsh' });
    const own = onLinux('/work/app/bin:bin', '/work/app/bin/pwsh', 'bin/pwsh');
    expect(() => chooseShell('pwsh', own)).toThrow(
      'The setting shell.program is "pwsh", but it was not found in an absolute folder of PATH outside the workspace. Install PowerShell 7, or set shell.program to "bash".',
    );
  });

  it.each(['cmd', 'powershell'] as const)(
    'says of %s that it exists on Windows only, and what to set instead',
    (wanted) => {
      expect(() => chooseShell(wanted, onLinux('/usr/bin', `/usr/bin/${wanted}`))).toThrow(
        expect.objectContaining({
          code: 'shell_unusable',
          message: expect.stringMatching(/"(?:cmd|powershell)", which exists on Windows only\. Set it to .*"bash"\./),
        }),
      );
    },
  );
});

describe('on Windows', () => {
  it.each<[string, string[], ShellProgram, string]>([
    ['the bash of Git', [GIT_BASH, OLD], 'bash', GIT_BASH],
    ['PowerShell 7 without a bash', ['D:\\pwsh\\pwsh.exe', OLD], 'pwsh', 'D:\\pwsh\\pwsh.exe'],
    ['what Windows has when nothing was installed', [OLD], 'powershell', OLD],
  ])('is %s when nothing is set', (_, files, program, path) => {
    expect(chooseShell(undefined, onWindows(...files))).toEqual({ program, path });
  });

  it('takes no bash that belongs to another system, and nothing of the project', () => {
    const files = ['C:\\Windows\\System32\\bash.exe', 'D:\\work\\app\\bin\\pwsh.exe', 'tools\\pwsh.exe', OLD];
    expect(chooseShell(undefined, onWindows(...files)).program).toBe('powershell');
    expect(() => chooseShell('bash', onWindows(...files))).toThrow('Install Git for Windows');
    expect(() => chooseShell('pwsh', onWindows(...files))).toThrow('Install PowerShell 7');
  });

  it('is cmd.exe of the system when it is set', () => {
    const path = 'C:\\Windows\\System32\\cmd.exe';
    expect(chooseShell('cmd', onWindows(path, GIT_BASH))).toEqual({ program: 'cmd', path });
  });

  it('finds variables in any case, and fails with a next step when there is no shell at all', () => {
    const local = 'C:\\Users\\ann\\AppData\\Local\\Programs\\Git\\bin\\bash.exe';
    expect(chooseShell(undefined, onWindows(local))).toEqual({ program: 'bash', path: local });
    expect(() => chooseShell(undefined, onWindows())).toThrow('Install one, or set shell.program.');
  });
});
