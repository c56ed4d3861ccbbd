import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { startCollector, type Collector } from '../testing/collector-server.js';
import { hasOpenssl, startSealedFront } from '../testing/sealed-front.js';
import { probeTelemetry } from './probe-telemetry.js';
import { createOtlpSender, type OtlpSender } from './send-otlp.js';

let collector: Collector | undefined;
let sender: OtlpSender | undefined;
afterEach(async () => {
  await sender?.close();
  await collector?.close();
  [sender, collector] = [undefined, undefined];
});

/** The first request gets this answer, all others are taken. */
async function sendTo(first: (response: ServerResponse) => void, isHurried = false) {
  let count = 0;
  collector = await startCollector((response) => {
    count += 1;
    if (count === 1) first(response);
    else response.writeHead(200).end('{}');
  });
  sender = createOtlpSender({});
  if (isHurried) sender.hurry();
  const began = performance.now();
  const problem = await sender.send({ url: `${collector.endpoint}/v1/traces`, headers: {} }, { resourceSpans: [] });
  return { problem, ms: performance.now() - began, requests: collector.requests.length };
}

it('waits as long as the collector asks for, in seconds or until a date', async () => {
  const inSeconds = await sendTo((response) => response.writeHead(429, { 'retry-after': '2' }).end());
  expect(inSeconds).toMatchObject({ problem: undefined, requests: 2 });
  expect(inSeconds.ms).toBeGreaterThan(1900);
  await collector?.close();
  const date = new Date(Date.now() + 3000).toUTCString();
  const until = await sendTo((response) => response.writeHead(503, { 'retry-after': date }).end());
  expect(until).toMatchObject({ problem: undefined, requests: 2 });
  expect(until.ms).toBeGreaterThan(1500);
});

it('tries once more also at the end, where the collector asks for it and it is soon', async () => {
  const soon = await sendTo((response) => response.writeHead(503).end(), true);
  expect(soon).toMatchObject({ problem: undefined, requests: 2 });
  await collector?.close();
  const late = await sendTo((response) => response.writeHead(503, { 'retry-after': '60' }).end(), true);
  expect(late).toMatchObject({ problem: 'it answered with status 503', requests: 1 });
  await collector?.close();
  const gone = await sendTo((response) => response.destroy(), true);
  expect(gone.requests).toBe(1);
  expect(gone.problem).toBeDefined();
});

it('never quotes a header, which may be a key', async () => {
  sender = createOtlpSender({});
  const address = { url: 'http://127.0.0.1:9/v1/traces', headers: { 'x-key': 'hunter2\nx' } };
  expect(await sender.send(address, {})).toBe('its address or its headers cannot be used');
});

it('is tried without sending anything of a session', async () => {
  const signal = new AbortController().signal;
  expect(await probeTelemetry(undefined, {}, signal)).toBeUndefined();
  expect(await probeTelemetry({ endpoint: 'nowhere' }, {}, signal)).toMatchObject({
    problem: expect.any(String) as string,
  });
  collector = await startCollector();
  expect(await probeTelemetry({ endpoint: collector.endpoint, headers: { 'x-key': 'k' } }, {}, signal)).toEqual({
    origins: [collector.endpoint],
  });
  expect(collector.requests.map(({ path, body, headers }) => [path, body, headers['x-key']])).toEqual([
    ['/v1/traces', '{"resourceSpans":[]}', 'k'],
    ['/v1/metrics', '{"resourceMetrics":[]}', 'k'],
  ]);
  await collector.close();
  collector = await startCollector((response) => response.writeHead(401).end());
  expect(await probeTelemetry({ endpoint: collector.endpoint }, {}, signal)).toEqual({
    origins: [collector.endpoint],
    problem: `${collector.endpoint}: it answered with status 401`,
  });
});

it.skipIf(!hasOpenssl)('asks a collector that proves not who it is once, and says what to do', async () => {
  collector = await startCollector((response) => response.writeHead(200).end('{}'));
  const front = await startSealedFront({ port: Number(new URL(collector.endpoint).port) });
  sender = createOtlpSender({});
  const problem = await sender.send({ url: `https://127.0.0.1:${front.port}/v1/traces`, headers: {} }, {});
  expect(problem).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE. Node does not know who signed its certificate.');
  expect(problem).toMatch(/NODE_EXTRA_CA_CERTS=\/path\/ca\.pem$/u);
  expect(front.connections()).toBe(1);
  await front.close();
});
