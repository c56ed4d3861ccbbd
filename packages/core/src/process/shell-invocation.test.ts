import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTempWorkspace } from '../testing/temp-workspace.js';
import { CommandSupervisor } from './command-supervisor.js';
import { OutputPipes } from './output-pipe.js';
import { problemOfText, shellInvocation } from './shell-invocation.js';
import { startCommand } from './start-command.js';

const workspace = await createTempWorkspace();
const { root } = workspace;
const supervisor = new CommandSupervisor();
afterAll(async () => {
  supervisor.endAll();
  await workspace.remove();
});

const EXIT = '\n\nif ($?) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }';
const TEXTS = [
  'echo a',
  `Write-Output "it's 100% $HOME"`,
  'a "b" c',
  String.raw`dir "C:\Program Files\"`,
  'echo `"$(x)`" # comment',
  'x `',
  '"quoted" "whole"',
  '-EncodedCommand AAAA',
  '-',
  '/c calc',
  'größe 💡',
  '%PATH% ^& !x!',
];

describe('what a shell is started with', () => {
  it.each(TEXTS)('is the text and nothing else: %j', (text) => {
    expect(shellInvocation({ program: 'bash' }, text, 'linux')).toEqual({ shell: text });
    const bash = { program: 'bash', path: 'C:\\Git\\bash.exe' } as const;
    expect(shellInvocation(bash, text, 'win32')).toEqual({ argv: ['C:\\Git\\bash.exe', '-c', text] });
    for (const program of ['pwsh', 'powershell'] as const) {
      const options = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command'];
      const expected = { argv: ['/ps', ...options, `${text}${EXIT}`] };
      expect(shellInvocation({ program, path: '/ps' }, text, 'linux')).toEqual(expected);
      expect(shellInvocation({ program, path: '/ps' }, text, 'win32')).toEqual(expected);
    }
    expect(shellInvocation({ program: 'cmd', path: 'C:\\cmd.exe' }, text, 'win32')).toEqual({
      argv: ['C:\\cmd.exe', '/d', '/s', '/c', `"${text}"`],
      isVerbatim: true,
    });
  });

  it('goes by the name where no path is known', () => {
    const command = shellInvocation({ program: 'pwsh' }, 'x', 'linux');
    expect('argv' in command && command.argv[0]).toBe('pwsh');
    expect(shellInvocation({ program: 'cmd' }, 'x', 'win32')).toMatchObject({
      argv: ['cmd.exe', '/d', '/s', '/c', '"x"'],
    });
  });

  it.each(['a\nb', 'a\r\nb', 'a\rb'])('is refused for cmd.exe where it would run the first line only: %j', (text) => {
    expect(() => shellInvocation({ program: 'cmd' }, text, 'win32')).toThrow(
      expect.objectContaining({ code: 'command_unfit', message: expect.stringContaining('Join the lines with &&') }),
    );
    expect(problemOfText('pwsh', text, 'win32')).toBeUndefined();
    expect(problemOfText('bash', text, 'linux')).toBeUndefined();
  });

  it('is refused where it is longer than a command line of Windows', () => {
    expect(problemOfText('cmd', 'x'.repeat(8000), 'win32')).toBeUndefined();
    expect(problemOfText('cmd', 'x'.repeat(8001), 'win32')).toContain('at most 8000');
    expect(problemOfText('pwsh', 'x'.repeat(32_001), 'win32')).toContain('at most 32000');
    expect(problemOfText('pwsh', '"'.repeat(16_001), 'win32')).toContain('too long');
    expect(problemOfText('pwsh', 'x'.repeat(60_000), 'linux')).toBeUndefined();
  });
});

/** Stands for a PowerShell: tells its words, and ends as it is told to. */
const stub = join(root, 'pwsh');
writeFileSync(stub, '#!/bin/bash\nprintf "%s\\0" "$@"\necho problem >&2\nexit "${STUB_EXIT:-0}"\n');
chmodSync(stub, 0o755);

describe('a program behind it', () => {
  it.each(TEXTS)('gets the words as they are: %j', async (text) => {
    const outcome = await supervisor.run(
      {
        command: shellInvocation({ program: 'pwsh', path: stub }, text, process.platform),
        cwd: root,
        env: { PATH: '/usr/bin:/bin', STUB_EXIT: '7' },
        timeoutMs: 20_000,
        keepBytes: 100_000,
        spoolFile: join(root, 'spool.txt'),
      },
      new AbortController().signal,
    );
    const words = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', `${text}${EXIT}`, 'problem\n'];
    expect(outcome.head.split('\0')).toEqual(words);
    expect(outcome.exitCode).toBe(7);
  });

  it('is heard on both streams where no shell can join them, as on Windows', async () => {
    const chunks: string[] = [];
    const started = await startCommand(
      { command: { argv: [stub, 'a b'] }, cwd: root, env: { PATH: '/usr/bin:/bin' }, timeoutMs: 9000, keepBytes: 9000 },
      {
        shell: '/no/shell',
        pipes: new OutputPipes(),
        terminalPackage: 'no-package',
        terminals: new Set(),
        pipeFolder: undefined,
        marker: 'a-marker',
        platform: 'win32',
      },
      (chunk) => void chunks.push(chunk.toString()),
    );
    if (typeof started === 'string') throw new Error(started);
    expect(await started.exited).toEqual({ code: 0, signal: null });
    await started.output.closed;
    expect(chunks.sort().join('')).toBe('a b\0problem\n');
  });
});
