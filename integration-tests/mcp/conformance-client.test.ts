import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { childProgram } from '../bundle-child.js';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const LOADER = fileURLToPath(new URL('../conformance/loader.mjs', import.meta.url));

/**
 * All scenarios for clients but those that sign in, which conformance-auth.test.ts runs, and those of the extension for
 * skills (sep-2640-…), which Tenon does not have. None is expected to fail.
 */
const SCENARIOS = [
  ['initialize', '2025-06-18'],
  ['initialize', '2025-11-25'],
  ['tools_call', '2025-06-18'],
  ['tools_call', '2025-11-25'],
  ['elicitation-sep1034-client-defaults', '2025-11-25'],
  ['sse-retry', '2025-11-25'],
  ['json-schema-2020-12-preservation', '2025-11-25'],
  ['tools_call', '2026-07-28'],
  ['request-metadata', '2026-07-28'],
  ['sep-2322-client-request-state', '2026-07-28'],
  ['http-standard-headers', '2026-07-28'],
  ['http-custom-headers', '2026-07-28'],
  ['http-invalid-tool-headers', '2026-07-28'],
  ['json-schema-ref-no-deref', '2026-07-28'],
  ['json-schema-2020-12-preservation', '2026-07-28'],
] as const;

const { base: folder, child: client } = childProgram('mcp/conformance-client.ts');

function run(scenario: string, revision: string): Promise<{ readonly code: number; readonly text: string }> {
  const args = ['--import', LOADER, SUITE, 'client', '--command', `${process.execPath} ${client}`];
  const which = ['--scenario', scenario, '--spec-version', revision, '--timeout', '40000'];
  return new Promise((resolve) => {
    execFile(process.execPath, [...args, ...which], { cwd: folder, timeout: 50_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: `${stdout}\n${stderr}` });
    });
  });
}

describe('the scenarios of the conformance suite for clients', () => {
  it.each(SCENARIOS)('%s of %s', async (scenario, revision) => {
    const { code, text } = await run(scenario, revision);
    expect(code === 0 ? 'passed' : text).toBe('passed');
  });
});
