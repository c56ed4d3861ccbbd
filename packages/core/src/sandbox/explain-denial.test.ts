import { describe, expect, it } from 'vitest';
import { explainDenial } from './explain-denial.js';
import type { SandboxPlan } from './sandbox-types.js';

const PLAN: SandboxPlan = {
  writable: ['/nowhere/w', '/nowhere/home/.tenon/tmp'],
  readable: [],
  protected: ['/nowhere/w/.git/hooks', '/nowhere/w/.git/config', '/nowhere/w/.npmrc'],
  pinned: ['/nowhere/w/.git'],
  placeholders: ['/nowhere/w/.vscode'],
  masked: [
    { path: '/nowhere/home/.ssh', kind: 'folder' },
    { path: '/nowhere/home/.tenon', kind: 'folder' },
    { path: '/nowhere/home/.netrc', kind: 'file' },
  ],
  privateTemp: '/nowhere/t',
  network: 'off',
  hosts: [],
  processes: 4096,
  localSockets: false,
};
const explain = (output: string, exitCode: number | null = 1, plan: Partial<SandboxPlan> = {}): string | undefined => {
  const denial = explainDenial({ output, exitCode, cwd: '/nowhere/w' }, { ...PLAN, ...plan });
  return denial && [denial.kind, denial.path ?? denial.host].filter((part) => part !== undefined).join(' ');
};

describe('a denial in the sandbox', () => {
  it.each([
    ['bash: line 1: /nowhere/x: Read-only file system', 'write /nowhere/x'],
    ['bash: line 1: ../other/x: Read-only file system', 'write /nowhere/other/x'],
    ["touch: cannot touch '/nowhere/a b': Read-only file system", 'write /nowhere/a b'],
    ["cp: cannot create regular file '/usr/local/x': Read-only file system", 'write /usr/local/x'],
    ["Error: EROFS: read-only file system, open '/nowhere/x'", 'write /nowhere/x'],
    ["OSError: [Errno 30] Read-only file system: '/nowhere/x'", 'write /nowhere/x'],
    ['fatal: could not create leading directories of /nowhere/c: Read-only file system', 'write /nowhere/c'],
    ['npm error EROFS', 'write'],
    ['bash: line 1: .git/hooks/pre-commit: Read-only file system', 'write /nowhere/w/.git/hooks/pre-commit'],
    ["mv: cannot move '.git' to '.g': Device or resource busy", 'write /nowhere/w/.git'],
    ['error: could not write config file .git/config: Device or resource busy', 'write /nowhere/w/.git/config'],
    ["mkdir: cannot create directory '.vscode/x': Read-only file system", 'write /nowhere/w/.vscode/x'],
    ['cat: /nowhere/home/.ssh/id: Permission denied', 'read /nowhere/home/.ssh/id'],
    ["PermissionError: [Errno 13] Permission denied: '/nowhere/home/.netrc'", 'read /nowhere/home/.netrc'],
    ['curl: (6) Could not resolve host: example.com', 'network example.com'],
    ["fatal: unable to access 'https://github.com/a/b.git/': Could not resolve host: github.com", 'network github.com'],
    [
      'npm error network request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org',
      'network registry.npmjs.org',
    ],
    ['socket.gaierror: [Errno -3] Temporary failure in name resolution', 'network'],
    ['connect: Network is unreachable', 'network'],
    ['dial tcp: lookup proxy.golang.org: Temporary failure in name resolution', 'network proxy.golang.org'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'network 127.0.0.1'],
    ["bwrap: Can't chdir to /x: No such file or directory", 'setup'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'local-socket'],
    ['Error: listen EPERM: operation not permitted /tmp/x.sock', 'local-socket'],
  ])('%s → %s', (output, expected) => {
    expect(explain(`before\n${output}\nafter\n`)).toBe(expected);
  });

  it.each([
    ['a success', 'touch: /nowhere/x: Read-only file system', 0],
    ['ordinary rights in the workspace', 'bash: ./run.sh: Permission denied', 126],
    ['ordinary rights outside', 'cat: /nowhere/other: Permission denied', 1],
    ['the temp folder in what is hidden', 'cat: /nowhere/home/.tenon/tmp/x: Permission denied', 1],
    ['a test that fails', 'AssertionError: expected 1 to be 2', 1],
    ['nothing said', '', 1],
    ['a file that is missing', 'cat: x: No such file or directory', 1],
    ['a remote service that refuses', 'connect ECONNREFUSED 93.184.216.34:80', 1],
  ])('is not seen in %s', (_what, output, exitCode) => {
    expect(explain(output, exitCode)).toBeUndefined();
  });

  it('is no question of the network where there is one', () => {
    expect(explain('Could not resolve host: example.com', 6, { network: 'on' })).toBeUndefined();
  });

  it('takes no time for hostile output', () => {
    const begin = performance.now();
    for (const text of [
      "'".repeat(200_000),
      ': '.repeat(100_000),
      `${'/a'.repeat(100_000)}: Read-only file system`,
      `${'EROFS '.repeat(300)}\n`.repeat(40),
    ])
      explain(text);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});

describe('hosts that the list denied', () => {
  const refusedHosts = [{ host: 'evil.example', message: 'evil.example:443 is not among the hosts.' }];
  const of = (output: string, exitCode = 1): unknown =>
    explainDenial({ output, exitCode, cwd: '/nowhere/w', refusedHosts }, { ...PLAN, hosts: ['a.example'] });

  it('are told, whatever the program says of them', () => {
    const denial = { kind: 'network', host: 'evil.example', message: 'evil.example:443 is not among the hosts.' };
    expect(of('curl: (56) CONNECT tunnel failed, response 403')).toEqual(denial);
    expect(of('Could not resolve host: other.example')).toEqual(denial);
  });

  it('are not told of a command that succeeded, nor before a file that it could not change', () => {
    expect(of('', 0)).toBeUndefined();
    expect(of('bash: line 1: /nowhere/x: Read-only file system')).toMatchObject({ kind: 'write' });
  });

  it('a program that takes no proxy is told that there is one', () => {
    const denial = explainDenial(
      { output: 'Could not resolve host: a.example', exitCode: 6, cwd: '/nowhere/w' },
      { ...PLAN, hosts: ['a.example'] },
    );
    expect(denial?.message).toContain('but through its proxy (HTTPS_PROXY): a.example could not be reached');
  });
});
