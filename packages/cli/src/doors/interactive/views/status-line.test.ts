import { displayWidth } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { activityLine, statusLine } from './status-line.js';
import { plainLook } from './testing/looks.js';
import { after, callStart } from './testing/session.js';
import { welcome } from './welcome.js';

describe('the line about what is going on', () => {
  it('says what, for how long, and how it is ended', () => {
    const usage = { inputTokens: 12_345, outputTokens: 10 };
    const state = after([
      { type: 'user-message', text: 'x' },
      { type: 'assistant-message', content: [], finish: 'tool-calls', usage },
      callStart(),
    ]);
    expect(activityLine(state, plainLook({ now: 5_000, columns: 100 }))).toBe(
      '⠙ Running npm test 5.0 s · 12.3k tokens in · 10 out · Esc cancels',
    );
    expect(activityLine(state, plainLook({ columns: 20 }))).toHaveLength(20);
    expect(activityLine(after([]), plainLook())).toBeUndefined();
  });
});

describe('the line below the composer', () => {
  const facts = {
    model: 'some-model',
    mode: 'default',
    folder: '~/work/project',
    contextShare: 0.42,
    cost: '0.12 $',
    jobs: 2,
  };

  it('has mode, model, folder and how full the window is', () => {
    expect(statusLine(plainLook({ columns: 100 }), facts)).toMatch(
      /^default · some-model · ~\/work\/project +2 in the background · 0\.12 \$ · 42 % of the window$/,
    );
  });

  it('leaves out what has no room', () => {
    expect(statusLine(plainLook({ columns: 70 }), facts)).toMatch(/^default · some-model +2 in/);
    for (const columns of [10, 20, 40]) {
      expect(displayWidth(statusLine(plainLook({ columns, unicode: false }), facts))).toBeLessThanOrEqual(columns);
    }
  });
});

it('the welcome says who, with what, where, and what can be done', () => {
  const facts = {
    version: '1.2.3',
    model: 'm',
    mode: 'default',
    folder: '/w',
    hints: ['/help shows what you can do here.'],
  };
  expect(welcome(plainLook(), facts)).toEqual([
    'tenon 1.2.3  m, mode default',
    '/w',
    '/help shows what you can do here.',
  ]);
});
