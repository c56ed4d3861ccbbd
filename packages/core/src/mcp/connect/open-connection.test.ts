import { describe, expect, it } from 'vitest';
import type { ServerDefinition } from '../server-definition.js';
import { nextAttempt, type Attempt } from './open-connection.js';
import type { Trouble } from './trouble.js';

const definition = (kind: 'stdio' | 'http' | 'auto', negotiation: 'legacy' | 'auto'): ServerDefinition => ({
  alias: 'a',
  origin: 'user',
  transport:
    kind === 'stdio' ? { kind, command: 'x', args: [], cwd: '/', env: {} } : { kind, url: 'http://x/', headers: {} },
  timeoutMs: 1,
  startupMs: 1,
  trust: false,
  excludeTools: [],
  sampling: false,
  negotiation,
  disabled: false,
});

const lost: Trouble = { kind: 'lost', reason: 'r' };
const newerOnly: Trouble = { kind: 'refused', reason: 'r', code: -32_022 };
const notFound: Trouble = { kind: 'expired', reason: 'r', status: 404 };

describe('after a failure', () => {
  it.each<[string, Attempt, Trouble, ServerDefinition, Attempt | undefined]>([
    [
      'a program that died of the probe',
      { kind: 'stdio', mode: 'auto' },
      lost,
      definition('stdio', 'auto'),
      { kind: 'stdio', mode: 'legacy' },
    ],
    ['a program that just died', { kind: 'stdio', mode: 'legacy' }, lost, definition('stdio', 'legacy'), undefined],
    [
      'a server of newer revisions only',
      { kind: 'stdio', mode: 'legacy' },
      newerOnly,
      definition('stdio', 'legacy'),
      { kind: 'stdio', mode: 'auto' },
    ],
    [
      'a server of the older transport',
      { kind: 'http', mode: 'auto' },
      notFound,
      definition('auto', 'auto'),
      { kind: 'sse', mode: 'legacy' },
    ],
    [
      'another transport was asked for',
      { kind: 'http', mode: 'auto' },
      notFound,
      definition('http', 'auto'),
      undefined,
    ],
    [
      'a silent server',
      { kind: 'http', mode: 'auto' },
      { kind: 'late', reason: 'r' },
      definition('http', 'auto'),
      { kind: 'http', mode: 'legacy' },
    ],
    [
      'nobody there',
      { kind: 'http', mode: 'auto' },
      { kind: 'unreached', reason: 'r' },
      definition('auto', 'auto'),
      undefined,
    ],
    [
      'a sign-in',
      { kind: 'http', mode: 'auto' },
      { kind: 'sign-in', reason: 'r', status: 401 },
      definition('auto', 'auto'),
      undefined,
    ],
    [
      'a refusal',
      { kind: 'http', mode: 'auto' },
      { kind: 'refused', reason: 'r', status: 403 },
      definition('auto', 'auto'),
      undefined,
    ],
    [
      'what is known is not so any more',
      { kind: 'http', mode: 'auto', prior: { kind: 'legacy' } },
      newerOnly,
      definition('http', 'auto'),
      { kind: 'http', mode: 'auto' },
    ],
  ])('%s', (_name, attempt, trouble, about, next) => {
    expect(nextAttempt(attempt, trouble, about)).toEqual(next);
  });
});
