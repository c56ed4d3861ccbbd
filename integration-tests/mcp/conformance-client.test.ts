import { describe, expect, it } from 'vitest';
import { childProgram } from '../bundle-child.js';
import { conformanceSuite, runClientScenario } from '../conformance/suite.js';

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

const suite = conformanceSuite();
const { child: client } = childProgram('mcp/conformance-client.ts');

describe('the scenarios of the conformance suite for clients', () => {
  it.each(SCENARIOS)('%s of %s', async (scenario, revision) => {
    expect(await runClientScenario({ suite, client, scenario, revision })).toBe('passed');
  });
});
