import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { systemPrompt } from './system-prompt.js';

const facts = { roots: ['/w'], approvalMode: ApprovalMode.DEFAULT, platform: 'linux', canAsk: true };

describe('systemPrompt', () => {
  it('tells the model to read before it edits, to give context, to find files first and to limit results (S138)', () => {
    const text = systemPrompt(facts);
    expect(text).toMatch(/find files with glob.*read with read_file before you edit/);
    expect(text).toContain('three or more lines of unchanged context');
    expect(text).toContain('Narrow searches by path, glob and limit');
    expect(text).toContain('Give absolute paths');
    expect(text).toContain('An error result says what to do next');
  });

  it('says which tool is for which change, and that nothing need be kept by hand', () => {
    const text = systemPrompt(facts);
    expect(text).toMatch(/with edit: .*several changes of one file in one call/);
    expect(text).toMatch(/several files .*moves and deletions go into one apply_patch/);
    expect(text).toMatch(/write_file for new files only, or to replace a whole file that you have read/);
    expect(text).toContain('Make no backup copies');
  });

  it('names every root, and says how far the model may go', () => {
    expect(systemPrompt({ ...facts, roots: ['/w', '/x', '/y'] })).toContain('/w; also /x, /y');
    expect(systemPrompt({ ...facts, approvalMode: ApprovalMode.PLAN })).toContain('nothing may be changed');
    expect(systemPrompt({ ...facts, canAsk: false })).toContain('Nobody can be asked');
  });
});
