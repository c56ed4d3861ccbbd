import { describe, expect, it } from 'vitest';
import { Secrets } from '../secrets/secrets.js';
import { contentForModel, displayOf } from './execute-call.js';
import { DEFAULT_OUTPUT_LIMITS } from './services.js';

/** A secret whose single words are not recognized as secret. */
const SECRET = 'correct-horse-battery-staple';
const secrets = new Secrets({ environment: { DB_PASSWORD: SECRET }, roots: [], key: () => Buffer.alloc(32, 1) });
const shifts = Array.from(SECRET, (_, shift) => '.'.repeat(shift));

describe('a secret where a long result is cut', () => {
  it('leaves no part of itself, neither in what the model gets nor in the file with the rest', async () => {
    const told: string[] = [];
    const services = {
      secrets,
      limits: { ...DEFAULT_OUTPUT_LIMITS, maxBytes: 1000 },
      spill: async (text: string) => {
        told.push(text);
        return '/tmp/t/out-1.txt';
      },
    };
    for (const shift of shifts) {
      const llmContent = `${shift}${`${SECRET} `.repeat(100)}`;
      told.push(JSON.stringify(await contentForModel({ llmContent }, services)));
    }
    expect(told.join('\n')).toContain('left out here');
    expect(told.join('\n')).not.toMatch(/correct|horse|battery|staple/);
  });

  it('leaves no part of itself in what a person is shown', () => {
    for (const shift of shifts) {
      const shown = displayOf({ llmContent: `${shift}${`${SECRET} `.repeat(4000)}` }, { secrets });
      expect(shown).toMatch(/more characters are not shown\]$/);
      expect(shown).not.toMatch(/correct|horse|battery|staple/);
    }
  });
});
