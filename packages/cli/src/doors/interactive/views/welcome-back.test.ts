import { displayWidth } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { plainLook } from './testing/looks.js';
import { welcomeBack, welcomeBackLine } from './welcome-back.js';

const now = Date.parse('2026-03-04T12:00:00.000Z');
const last = { title: 'fix the failing test', lastAt: '2026-03-04T09:59:00.000Z', wasInterrupted: false };

describe('the line about the last session', () => {
  it('says when, what, and how to go on (S139)', () => {
    expect(welcomeBackLine(last, { columns: 100, now })).toBe(
      'Last here 2 hours ago: "fix the failing test" · /resume or tenon --continue',
    );
    expect(welcomeBack(last, { ...plainLook(), now })).toContain('fix the failing test');
  });

  it('says that it ended in the middle of a prompt', () => {
    expect(welcomeBackLine({ ...last, wasInterrupted: true }, { columns: 100, now })).toBe(
      'Last here 2 hours ago: "fix the failing test" was interrupted · /resume or tenon --continue',
    );
  });

  it('is one line in any width: the words are cut first, then the ways are left out', () => {
    const long = {
      ...last,
      title: 'rename 日本語 everything in the whole project, and then some',
      wasInterrupted: true,
    };
    for (let columns = 1; columns <= 140; columns += 1)
      expect(displayWidth(welcomeBackLine(long, { columns, now }))).toBeLessThanOrEqual(columns);
    expect(welcomeBackLine(long, { columns: 90, now })).toBe(
      'Last here 2 hours ago: "rename 日本語 ever…" was interrupted · /resume or tenon --continue',
    );
    expect(welcomeBackLine(long, { columns: 60, now })).toBe(
      'Last here 2 hours ago: "rename 日本語 ever…" was interrupted',
    );
  });

  it('shows what was said and does nothing with it', () => {
    const evil = { ...last, title: '\u001b[2J\u001b]0;x\u0007 hi\r\u202e' };
    const line = welcomeBackLine(evil, { columns: 120, now });
    expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(line).toContain('hi');
  });
});
