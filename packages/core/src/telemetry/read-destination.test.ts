import { describe, expect, it } from 'vitest';
import { readDestination } from './read-destination.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://theirs.example:4318/base/' };

describe('where telemetry goes', () => {
  it('is nowhere unless it is configured: variables alone, or headers alone, switch nothing on', () => {
    expect(readDestination(undefined, ENDPOINT)).toBeUndefined();
    expect(readDestination({ headers: { a: 'b' }, content: true }, ENDPOINT)).toBeUndefined();
    expect(readDestination({ enabled: false, endpoint: 'http://mine.example' }, {})).toBeUndefined();
    expect(readDestination({ enabled: true }, { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' })).toBeUndefined();
    expect(readDestination({ endpoint: 'http://mine.example' }, { OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it.each([
    ['http://mine.example:4318', 'http://mine.example:4318/v1/traces'],
    ['http://mine.example:4318/', 'http://mine.example:4318/v1/traces'],
    ['https://mine.example/otlp/v1/traces', 'https://mine.example/otlp/v1/traces'],
    ['https://mine.example/otlp?token=x', 'https://mine.example/otlp/v1/traces?token=x'],
    ['https://mine.example/otlp/v1/metrics/', 'https://mine.example/otlp/v1/traces'],
  ])('is the endpoint of the settings, %s, and then no variable counts, their keys least of all', (endpoint, url) => {
    const environment = { ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'key=theirs', OTEL_SERVICE_NAME: 'theirs' };
    expect(readDestination({ endpoint, enabled: true, headers: { key: 'mine' } }, environment)).toMatchObject({
      traces: { url, headers: { key: 'mine' } },
      metrics: { url: url.replace('traces', 'metrics'), headers: { key: 'mine' } },
      resource: { 'service.name': 'tenon' },
      content: false,
      metricsIntervalMs: 60_000,
    });
  });

  it('is what the variables say where it is switched on and no endpoint is given', () => {
    const environment = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://numbers.example/all',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=a%20b, other=1',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'key=c',
      OTEL_SERVICE_NAME: 'my tenon',
      OTEL_RESOURCE_ATTRIBUTES: 'team=tools,service.name=x,broken,bad=%zz',
    };
    expect(readDestination({ enabled: true }, environment)).toEqual({
      traces: { url: 'http://theirs.example:4318/base/v1/traces', headers: { key: 'a b', other: '1' } },
      metrics: { url: 'http://numbers.example/all', headers: { key: 'c', other: '1' } },
      resource: { 'service.name': 'my tenon', team: 'tools' },
      content: false,
      metricsIntervalMs: 60_000,
    });
    expect(readDestination({ enabled: true }, {})).toMatchObject({
      traces: { url: 'http://localhost:4318/v1/traces' },
    });
    const without = readDestination({ enabled: true }, { ...ENDPOINT, OTEL_METRICS_EXPORTER: 'none' });
    expect(without).toMatchObject({ metrics: undefined });
    expect(
      readDestination({ enabled: true }, { OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' }),
    ).toBeUndefined();
  });

  it('has the name and the password of its address in a header, where requests may have them', () => {
    const authorization = `Basic ${Buffer.from('me:p/w').toString('base64')}`;
    const traces = { url: 'https://mine.example/v1/traces', headers: { a: 'b', authorization } };
    const endpoint = 'https://me:p%2Fw@mine.example';
    expect(readDestination({ endpoint, headers: { a: 'b' } }, {})).toMatchObject({ traces });
    const headers = { Authorization: 'Bearer x' };
    expect(readDestination({ endpoint, headers }, {})).toMatchObject({ traces: { url: traces.url, headers } });
    const variables = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://me:p%2Fw@mine.example/v1/traces' };
    expect(readDestination({ enabled: true }, variables)).toMatchObject({
      traces: { url: traces.url, headers: { authorization } },
    });
  });

  it('is nowhere, and that is told, where it cannot be reached', () => {
    const grpc = readDestination({ enabled: true }, { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(grpc).toMatchObject({ problem: expect.stringContaining('grpc') as string });
    const path = readDestination({ enabled: true }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'unix:///run/otel' });
    expect(path).toMatchObject({ problem: expect.stringContaining('no http address') as string });
    expect(readDestination({ endpoint: 'nowhere' }, {})).toMatchObject({ problem: expect.any(String) as string });
  });
});
