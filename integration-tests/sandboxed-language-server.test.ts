import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalMode, createToolSystem } from '@tenon/core';
import { whyNotHere } from './sandbox-fixture.js';

const reason = await whyNotHere();

/** A server that answers its first request, and tries to write in the workspace and outside before. */
const SERVER = `
const { writeFileSync } = require('node:fs');
for (const file of process.argv.slice(2)) try { writeFileSync(file, 'here'); } catch {}
let text = '';
process.stdin.on('data', (chunk) => {
  text += chunk;
  for (;;) {
    const head = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text);
    if (head === null || text.length < head[0].length + Number(head[1])) return;
    const message = JSON.parse(text.slice(head[0].length, head[0].length + Number(head[1])));
    text = text.slice(head[0].length + Number(head[1]));
    if (message.id === undefined) continue;
    const result = message.method === 'initialize' ? { capabilities: { hoverProvider: true } } : { contents: 'inside' };
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
    process.stdout.write('Content-Length: ' + answer.length + '\\r\\n\\r\\n' + answer);
  }
});
`;

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-held-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it.skipIf(reason !== undefined).each([
  ['required', false],
  ['off', true],
] as const)(
  'a language server where the sandbox is %s writes outside: %s',
  { timeout: 120_000 },
  async (mode, isOut) => {
    const [root, home, outside] = ['work', 'home', 'outside'].map((name) => mkdtempSync(join(base, `${name}-`)));
    if (root === undefined || home === undefined || outside === undefined) throw new Error('no folders');
    writeFileSync(join(root, 'server.cjs'), SERVER);
    writeFileSync(join(root, 'a.odd'), 'one\n');
    const system = await createToolSystem({
      roots: [root],
      tenonHome: home,
      userHome: home,
      approvalMode: ApprovalMode.YOLO,
      rules: [],
      environment: { PATH: process.env['PATH'] },
      sandbox: { mode },
      lsp: {
        isTrusted: true,
        servers: {
          odd: {
            command: process.execPath,
            args: [join(root, 'server.cjs'), join(root, 'in.txt'), join(outside, 'out.txt')],
            extensionToLanguage: { '.odd': 'odd' },
          },
        },
      },
    });
    try {
      const args = { operation: 'hover', filePath: 'a.odd', line: 1, character: 1 };
      const call = { callId: 'a', toolName: 'lsp', argumentsText: JSON.stringify(args) };
      const ended: string[] = [];
      for await (const event of system.runCalls([call], new AbortController().signal))
        if (event.type === 'tool-call-end') ended.push(JSON.stringify(event.content));
      expect(ended.join('')).toContain('inside');
      expect(existsSync(join(root, 'in.txt'))).toBe(true);
      expect(existsSync(join(outside, 'out.txt'))).toBe(isOut);
    } finally {
      await system.close();
    }
  },
);
