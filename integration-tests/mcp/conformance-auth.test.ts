import { describe, expect, it } from 'vitest';
import { childProgram } from '../bundle-child.js';
import { conformanceSuite, runClientScenario } from '../conformance/suite.js';

const BOTH = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
];
const NEWEST = [
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
];
/** Of the extension for programs that sign in as themselves. */
const PROGRAMS = ['client-credentials-basic', 'client-credentials-jwt'];
const OLDEST = ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback'];

/**
 * What the suite has beside these and Tenon does not do: extensions of the protocol for the identity that a cloud gives
 * to what runs in it (wif-jwt-bearer), for companies that sign people in (enterprise-managed-authorization), and for tokens
 * bound to a key (dpop, dpop-nonce).
 */
const SCENARIOS = [
  ...[...BOTH, ...PROGRAMS].map((name) => [name, '2025-11-25'] as const),
  ...[...BOTH, ...PROGRAMS, ...NEWEST].map((name) => [name, '2026-07-28'] as const),
  ...OLDEST.map((name) => [name, '2025-03-26'] as const),
];

const suite = conformanceSuite();
const { child: client } = childProgram('mcp/conformance-auth-client.ts');

describe('the scenarios of the conformance suite for signing in', () => {
  it.concurrent.each(SCENARIOS)('%s of %s', async (scenario, revision) => {
    const wanted = { suite, client, scenario: `auth/${scenario}`, revision, isExtension: PROGRAMS.includes(scenario) };
    expect(await runClientScenario(wanted)).toBe('passed');
  });
});
