import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

/** Runs as an ordinary user (root may write anything, so root becomes nobody first) on files of that user's own. */
const SCRIPT = `
  import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const [core, base] = process.argv.slice(1);
  const { createToolSystem, ApprovalMode } = await import(core);
  if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
  const root = join(base, 'ws');
  mkdirSync(root);
  writeFileSync(join(root, 'locked'), 'locked');
  chmodSync(join(root, 'locked'), 0o444);
  writeFileSync(join(root, 'hidden'), 'hidden');
  chmodSync(join(root, 'hidden'), 0o000);
  mkdirSync(join(root, 'closed'), { mode: 0o555 });
  const system = await createToolSystem({
    roots: [root], tenonHome: join(base, 'home'), userHome: base, approvalMode: ApprovalMode.YOLO, rules: [], environment: {},
  });
  const call = (toolName, args) => ({ callId: toolName + args.file_path, toolName, argumentsText: JSON.stringify(args) });
  const calls = [
    call('write_file', { file_path: join(root, 'locked'), content: 'x' }),
    call('write_file', { file_path: join(root, 'closed', 'new'), content: 'x' }),
    call('read_file', { file_path: join(root, 'hidden') }),
  ];
  const codes = {};
  for await (const event of system.runCalls(calls, new AbortController().signal)) {
    if (event.type === 'tool-call-end') codes[event.callId.split('/').at(-1)] = event.error?.type ?? 'done';
  }
  const closedHome = await createToolSystem({
    roots: [root], tenonHome: join(root, 'closed', 'home'), userHome: base, approvalMode: ApprovalMode.YOLO, rules: [], environment: {},
  }).then(() => 'made', (failure) => failure.code + ': ' + failure.message);
  console.log(JSON.stringify({ codes, closedHome, locked: readFileSync(join(root, 'locked'), 'utf8') }));
`;

it('leaves alone what the file system does not let the user write or read (S81)', () => {
  const base = mkdtempSync(join(tmpdir(), 'tenon-permissions-'));
  try {
    execFileSync('chmod', ['777', base]);
    const core = pathToFileURL(join(import.meta.dirname, '..', 'packages', 'core', 'dist', 'index.js')).href;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, core, base], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({
      codes: { locked: 'permission_denied', new: 'permission_denied', hidden: 'permission_denied' },
      closedHome: expect.stringMatching(/^home_unusable: .*cannot be made \(EACCES\)/),
      locked: 'locked',
    });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
