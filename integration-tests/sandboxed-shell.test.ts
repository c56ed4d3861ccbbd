import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode, type Rule } from '@tenon/core';
import { whyNotHere } from './sandbox-fixture.js';
import { callShell, sandboxedSystems, type SandboxedSystems } from './sandboxed-systems.js';

const reason = await whyNotHere();
if (reason !== undefined) process.stdout.write(`The sandboxed shell is not tried: ${reason}\n`);

describe.skipIf(reason !== undefined)('the shell tool in a sandbox', () => {
  let systems: SandboxedSystems;
  let root: string;
  /** In the temp folder the sandbox has files of its own. */
  let outside: string;

  beforeEach(() => {
    systems = sandboxedSystems();
    ({ root } = systems);
    outside = mkdtempSync(join(homedir(), '.tenon-outside-'));
  });
  afterEach(async () => {
    await systems.close();
    rmSync(outside, { recursive: true, force: true });
  });

  it('asks for nothing in auto_edit that the sandbox contains, and runs it (S119)', async () => {
    const system = await systems.open();
    // Nobody knows what a script does, and nobody can be asked here.
    writeFileSync(join(root, 'build.sh'), 'mkdir -p out && echo made > out/a.txt && cat out/a.txt\n');
    const text = await callShell(system, { command: 'bash build.sh' });
    expect(text).toContain('made');
    expect(readFileSync(join(root, 'out/a.txt'), 'utf8')).toBe('made\n');
    expect((await system.config.getSandboxStatus()).mechanism).toBe('bubblewrap');
  });

  it('still asks in default mode, and where there is no sandbox', async () => {
    writeFileSync(join(root, 'build.sh'), 'touch made\n');
    for (const options of [
      { approvalMode: ApprovalMode.DEFAULT },
      { sandbox: { mode: 'off' as const } },
      { rules: [{ list: 'ask', text: 'Bash(bash *)', origin: 'test' } satisfies Rule] },
    ]) {
      await callShell(await systems.open(options), { command: 'bash build.sh' });
      expect(existsSync(join(root, 'made'))).toBe(false);
    }
  });

  it('says what it kept a command from, and how to have it run outside, which is a question of its own (S66)', async () => {
    const system = await systems.open();
    writeFileSync(join(root, 'out.sh'), `echo x > ${join(outside, 'x.txt')}\n`);
    const text = await callShell(system, { command: 'bash out.sh' });
    expect(text).toContain('read-only in the sandbox');
    expect(text).toContain('unsandboxed: true');
    expect(existsSync(join(outside, 'x.txt'))).toBe(false);
    await callShell(system, { command: 'bash out.sh', unsandboxed: true });
    expect(existsSync(join(outside, 'x.txt'))).toBe(false);
    const yolo = await systems.open({ approvalMode: ApprovalMode.YOLO });
    await callShell(yolo, { command: 'bash out.sh', unsandboxed: true });
    expect(existsSync(join(outside, 'x.txt'))).toBe(true);
  });

  it('takes a control file that a command made out of the workspace', async () => {
    const system = await systems.open();
    mkdirSync(join(root, 'deep'));
    writeFileSync(join(root, 'make.sh'), 'echo evil > .envrc; echo evil > deep/.npmrc; echo fine > plain.txt\n');
    const text = await callShell(system, { command: 'bash make.sh' });
    expect([existsSync(join(root, '.envrc')), existsSync(join(root, 'deep/.npmrc'))]).toEqual([false, false]);
    expect(existsSync(join(root, 'plain.txt'))).toBe(true);
    expect(text).toContain('.envrc, a control file');
    expect(text).toContain('deep/.npmrc, a control file');
  });

  it('holds what another shell runs as well, which here is a stub of PowerShell', async () => {
    const text = '#!/bin/bash\n[[ $4 == -Command ]] && exec /bin/bash -c "${5%$\'\\n\\n\'if*}"\n';
    writeFileSync(join(outside, 'pwsh'), text, { mode: 0o755 });
    const system = await systems.open({
      environment: { PATH: `${outside}:${process.env['PATH'] ?? ''}`, HOME: join(systems.base, 'home') },
      shell: { program: 'pwsh' },
    });
    const told = await callShell(system, {
      command: `echo in > a.txt; echo out > ${join(outside, 'x.txt')}; echo "$0 ran"`,
    });
    expect(told).toContain('ran');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('in\n');
    expect(existsSync(join(outside, 'x.txt'))).toBe(false);
  });

  it('runs jobs in it too, and ends them with all they started', async () => {
    const system = await systems.open();
    writeFileSync(join(root, 'serve.sh'), `echo ready; touch ${join(outside, 'no.txt')}; sleep 60\n`);
    const text = await callShell(system, {
      command: 'bash serve.sh',
      is_background: true,
      ready: { pattern: 'ready' },
    });
    expect(text).toContain('job-1');
    await system.close();
    expect(existsSync(join(outside, 'no.txt'))).toBe(false);
  });
});
