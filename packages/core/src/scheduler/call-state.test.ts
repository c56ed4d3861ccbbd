import { describe, expect, it } from 'vitest';
import { advance } from './call-state.js';

describe('advance', () => {
  it('lets a call go its way and never past the end', () => {
    const running = advance(advance({ phase: 'received' }, { phase: 'queued' }), { phase: 'running' });
    const ended = advance(running, { phase: 'ended', status: 'success' });
    expect(() => advance(ended, { phase: 'running' })).toThrow('cannot go from ended to running');
    expect(() => advance({ phase: 'received' }, { phase: 'running' })).toThrow('from received to running');
  });
});
