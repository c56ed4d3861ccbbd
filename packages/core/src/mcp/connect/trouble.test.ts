import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../util/failure.js';
import { CALL, ConnectionEnded, failureOf, oneLine, RequestLate, troubleOf, type Trouble } from './trouble.js';

const STDIO = { kind: 'stdio', command: 'x', args: [], cwd: '/', env: {} } as const;

const http = (status: number, text = ''): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status, statusText: 'Status', text });
const redirect = (message: string): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, { status: 307, statusText: 'Temporary Redirect' });
const fetchFailed = (code: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code }) });

describe('what went wrong', () => {
  it.each([
    [
      new ProtocolError(-32_602, 'Unknown tool: x.'),
      { kind: 'refused', code: -32_602, reason: 'error -32602: Unknown tool: x' },
    ],
    [new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'), { kind: 'lost' }],
    [new Error('Not connected'), { kind: 'unreached' }],
    [new ConnectionEnded('exit code 1'), { kind: 'lost', reason: 'exit code 1' }],
    [new RequestLate('too late'), { kind: 'late' }],
    [new UnauthorizedError(), { kind: 'sign-in' }],
    [new Failure('mcp_needs_sign_in', 'Run x.'), { kind: 'sign-in' }],
    [http(401), { kind: 'sign-in', status: 401 }],
    [http(404, 'Session not found'), { kind: 'expired', status: 404 }],
    [http(400, 'Server not initialized'), { kind: 'expired' }],
    [http(400, 'bad'), { kind: 'refused', reason: 'HTTP 400 Status: bad' }],
    [http(500, '<html>long page</html>'), { kind: 'refused', reason: 'HTTP 500 Status' }],
    [http(400, '{"error":{"code":-32022,"message":"too old"}}'), { code: -32_022, reason: 'HTTP 400 Status: too old' }],
    [new SseError(405, 'no', {} as never), { kind: 'refused', status: 405 }],
    [
      fetchFailed('ECONNREFUSED'),
      { kind: 'unreached', reason: 'connection refused (connect ECONNREFUSED 127.0.0.1:1)' },
    ],
    [
      fetchFailed('ENOTFOUND'),
      { kind: 'unreached', reason: 'no host of that name is known (connect ENOTFOUND 127.0.0.1:1)' },
    ],
    [fetchFailed('ETIMEDOUT'), { kind: 'unreached', reason: expect.stringContaining('the host does not answer (') }],
    [fetchFailed('ECONNRESET'), { kind: 'lost' }],
    [
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'x', {}, { cause: fetchFailed('ENOTFOUND') }),
      { kind: 'unreached' },
    ],
    [
      new TypeError('fetch failed', { cause: new Error('bad port') }),
      {
        kind: 'unreached',
        reason: expect.stringMatching(/^its port is one that .* \("bad port"\): .* another one$/) as unknown,
      },
    ],
    [
      redirect('Redirect to https://other.example/mcp not followed; use that URL as the endpoint if …'),
      {
        kind: 'refused',
        status: 307,
        reason:
          'HTTP 307: it sends elsewhere, to https://other.example/mcp. If that is the server that is meant, write that address as its `url`',
      },
    ],
    [
      redirect('Redirect from https to plain http not followed; try https://other.example/ as the endpoint'),
      { kind: 'refused', reason: expect.stringContaining('https://other.example/') },
    ],
    [redirect('no place'), { kind: 'refused', reason: 'HTTP 307: it sends elsewhere, and does not say where to' }],
    [new RequestLate('too late...'), { reason: 'too late' }],
    [new ConnectionEnded('it said so.'), { reason: 'it said so' }],
    [new Error('strange'), { kind: 'other', reason: 'strange' }],
    ['text', { kind: 'other', reason: 'text' }],
  ])('is told apart: %s', (error, trouble) => {
    expect(troubleOf(error)).toMatchObject(trouble);
  });

  it('is one line without what is not seen, and no more than that', () => {
    expect(oneLine('a\n\tb\u0000\u001b[31mc.')).toBe('a bc');
    expect(oneLine('x'.repeat(10_000))).toHaveLength(602);
  });

  it('says whether a call was done', () => {
    const server = { alias: 'db', transport: STDIO };
    const about = { server, what: CALL, cause: undefined };
    expect(failureOf({ kind: 'lost', reason: 'r' }, about).message).toContain('may or may not have been done');
    expect(failureOf({ kind: 'unreached', reason: 'r' }, about).message).toContain('Nothing was done');
    expect(failureOf({ kind: 'late', reason: 'r' }, about).message).toContain('may still be going on');
    expect(failureOf({ kind: 'refused', reason: 'error 1: x' }, about)).toMatchObject({
      code: 'mcp_error',
      message: 'The MCP server "db" answered the call with error 1: x',
    });
  });

  it('names the address, without what of it may be secret', () => {
    const url = 'https://ann:pw@mcp.example.com:8443/api/abcdefghijklmnopqrstuvwxyz0123/mcp?key=secret#x';
    const server = { alias: 'db', transport: { kind: 'http', url, headers: {} } } as const;
    const place = 'The MCP server "db" at https://mcp.example.com:8443/api/…/mcp';
    const message = (trouble: Trouble): string => failureOf(trouble, { server, what: CALL, cause: undefined }).message;
    expect(message({ kind: 'unreached', reason: 'connection refused' })).toBe(
      `${place} cannot be reached: connection refused. Nothing was done.`,
    );
    expect(message({ kind: 'refused', reason: 'HTTP 500', status: 500 })).toBe(
      `${place} answered the call with HTTP 500`,
    );
    expect(message({ kind: 'refused', reason: 'error 1: x' })).toBe(
      'The MCP server "db" answered the call with error 1: x',
    );
  });
});
