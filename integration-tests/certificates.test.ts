import { afterEach, describe, expect, it } from 'vitest';
import { startForwardProxy } from '../packages/core/src/testing/forward-proxy.js';
import {
  hasOpenssl,
  startSealedFront,
  type SealedFront,
  type SealedFrontOptions,
} from '../packages/core/src/testing/sealed-front.js';
import { createBench, type Bench } from './cli-process.js';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Sealed {
  readonly bench: Bench;
  readonly front: SealedFront;
  /** Of the model behind TLS. */
  readonly env: Readonly<Record<string, string>>;
}

async function sealed(options: Omit<SealedFrontOptions, 'port'> = {}, host = '127.0.0.1'): Promise<Sealed> {
  const bench = await createBench([{ text: 'Hello.' }, { text: 'Again.' }]);
  ends.push(() => bench.end());
  const front = await startSealedFront({ port: Number(new URL(bench.model.baseUrl).port), ...options });
  ends.push(front.close);
  return { bench, front, env: { OPENAI_BASE_URL: `https://${host}:${front.port}/v1` } };
}

const AUTHORITY_WORDS =
  'Node does not know who signed its certificate. If that is your company or a proxy of it, put the certificate of that authority ' +
  'into a file and name it: NODE_EXTRA_CA_CERTS=/path/ca.pem.';

describe.skipIf(!hasOpenssl)('a model whose certificate is not accepted', () => {
  it('is asked once, and the message says how an authority of one’s own is made known (S142)', async () => {
    const { bench, front, env } = await sealed();
    const unknown = await bench.run(['-p', 'x'], { env });
    expect(unknown.code).toBe(9);
    expect(unknown.stderr).toContain(
      `/v1/chat/completions failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE. ${AUTHORITY_WORDS}`,
    );
    expect(unknown.stderr).not.toContain('Trying again');
    expect(front.connections()).toBe(1);
    const doctor = await bench.run(['doctor'], { env });
    expect(doctor.stdout + doctor.stderr).toContain('NODE_EXTRA_CA_CERTS=/path/ca.pem');
    const known = await bench.run(['-p', 'x'], { env: { ...env, NODE_EXTRA_CA_CERTS: front.authorityFile } });
    expect(known).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  });

  it('that has expired: look at the clock', async () => {
    const { bench, front, env } = await sealed({ days: -1 });
    const run = await bench.run(['-p', 'x'], { env: { ...env, NODE_EXTRA_CA_CERTS: front.authorityFile } });
    expect(run.code).toBe(9);
    expect(run.stderr).toContain('failed: CERT_HAS_EXPIRED. Its certificate is no longer valid, or the clock of this');
    expect(front.connections()).toBe(1);
  });

  it('that is for another host: look at the address', async () => {
    const { bench, front, env } = await sealed({ subject: 'DNS:model.example.test' });
    const run = await bench.run(['-p', 'x'], { env: { ...env, NODE_EXTRA_CA_CERTS: front.authorityFile } });
    expect(run.code).toBe(9);
    expect(run.stderr).toContain('failed: ERR_TLS_CERT_ALTNAME_INVALID. Its certificate is for another host.');
    expect(front.connections()).toBe(1);
  });

  it('is proved through the tunnel of a proxy as well', async () => {
    const { bench, front, env } = await sealed({ subject: 'DNS:model.example.test' }, 'model.example.test');
    const way = await startForwardProxy({ account: 'me:p@ss' });
    ends.push(way.close);
    const proxied = { ...env, HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${way.port}` };
    const unknown = await bench.run(['-p', 'x'], { env: proxied });
    expect([unknown.code, way.asked.length]).toEqual([9, 1]);
    expect(unknown.stderr).toContain(AUTHORITY_WORDS);
    const known = await bench.run(['-p', 'x'], { env: { ...proxied, NODE_EXTRA_CA_CERTS: front.authorityFile } });
    expect(known).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    expect(new Set(way.asked)).toEqual(new Set([`CONNECT model.example.test:${front.port}`]));
  });

  it('speaks no TLS: look at the address', async () => {
    const { bench } = await sealed();
    const env = { OPENAI_BASE_URL: bench.model.baseUrl.replace('http:', 'https:') };
    const run = await bench.run(['-p', 'x'], { env });
    expect(run.code).toBe(9);
    expect(run.stderr).toContain('TLS could not be agreed on there: the address may have to begin with http://');
    expect(run.stderr).not.toContain('Trying again');
  });
});

describe.skipIf(!hasOpenssl)('a server whose certificate is not accepted', () => {
  it('says the same', async () => {
    const { bench, front } = await sealed();
    const config = JSON.stringify({ mcpServers: { far: { url: `https://127.0.0.1:${front.port}/mcp` } } });
    const run = await bench.run(['--mcp-config', config, '--strict-mcp-config', 'mcp', 'test', 'far']);
    expect(run.code).toBe(1);
    expect(run.stdout + run.stderr).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(run.stdout + run.stderr).toContain(AUTHORITY_WORDS.replace(/\.$/u, ''));
  });
});
