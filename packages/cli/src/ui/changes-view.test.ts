import { createPainter, type DiffedPath, type LoggedChanges, type RevertReport } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { diffLines, diffNotes, logLines, revertLines } from './changes-view.js';

const plain = createPainter(false);
const HOSTILE = 'a\u001b[2K\u202e\nb.txt';
const SHOWN = String.raw`a\u{1b}[2K\u{202e}\nb.txt`;

const call: LoggedChanges = {
  id: 'ab12cd34',
  entryIds: ['0-0-ab12cd34'],
  number: 1,
  kind: 'command',
  undone: false,
  time: '2026-01-02T03:04:05.000Z',
  callId: 'call_1',
  toolName: 'a_tool',
  title: HOSTILE,
  turn: 3,
  calls: [],
  uncovered: ['It does not cover x.'],
  files: [],
};

const file = (name: string): DiffedPath => ({ path: `/w/${name}`, name, change: 'created', changedSince: false });

describe('logLines', () => {
  it('shows names and titles as what they are', () => {
    const shown = logLines({ calls: [{ ...call, files: [file(HOSTILE)] }], more: 0, problems: [] }, plain);
    expect(shown.split('\n').slice(1)).toEqual([`     A ${SHOWN}`, '     It does not cover x.', '']);
    expect(shown).toMatch(/^1 {2}2026-01-0\d \d\d:\d\d:05 {2}ab12cd34 {2}a_tool /);
    expect(shown).toContain(`${SHOWN} turn 3\n`);
  });

  it('counts what it does not list', () => {
    const files = Array.from({ length: 10 }, (_, index) => file(`f${index}`));
    const shown = logLines({ calls: [{ ...call, files }], more: 4, problems: [] }, plain);
    expect(shown).toContain('… and 2 more files');
    expect(shown).toContain('… and 4 more; "tenon log 5" lists them all');
  });
});

describe('diffLines', () => {
  it('shows the diff and what a diff cannot say', () => {
    const diff = '--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+\u001b[31m\n';
    const files: DiffedPath[] = [
      { ...file('x'), diff, changedSince: true },
      { ...file('y.bin'), change: 'modified', note: 'not a text file, 1 → 2 bytes' },
      file('empty'),
    ];
    const found = { calls: [call], files, problems: [] };
    const shown = diffLines(found, { paint: plain, colour: false, columns: 80 });
    expect(shown).toContain(String.raw`+\u{1b}[31m`);
    expect(diffNotes(found)).toEqual([
      'x has changed since',
      'y.bin was modified: not a text file, 1 → 2 bytes',
      'empty was created; it is empty',
    ]);
    for (const note of diffNotes(found)) expect(shown).toContain(note);
  });
});

describe('revertLines', () => {
  const report: RevertReport = {
    kind: 'undo',
    dryRun: false,
    entryId: 'u',
    calls: [call],
    files: [
      { path: '/w/a', result: 'merged' },
      {
        path: `/w/${HOSTILE}`,
        result: 'left',
        reason: 'because',
        lines: [
          { first: 2, last: 2 },
          { first: 4, last: 6 },
        ],
      },
    ],
    complete: false,
    beside: [],
    problems: [],
  };

  it('says what was done to each file and why one was left', () => {
    expect(revertLines(report).split('\n')).toEqual([
      'Took back 1 call:',
      `  ab12cd34  a_tool ${SHOWN}`,
      '  /w/a: restored, with what was changed since kept',
      `  /w/${SHOWN}: left alone: because (lines 2, 4–6)`,
      '  It does not cover x.',
      expect.stringMatching(/^"tenon redo" makes it again\. Once nothing is in the way .*take it back too\.$/),
      '',
    ]);
  });

  it('names the commands of where it is read', () => {
    const inSession = revertLines({ ...report, beside: [{ id: 'ef56', title: 'npm run x', files: 2 }] }, '/');
    expect(inSession).toContain('"/redo" makes it again. ');
    expect(inSession).toContain('"/redo" and then "/undo" take it back too.');
    expect(inSession).toContain('"/undo ef56" takes that back.');
    expect(inSession).not.toContain('tenon');
  });

  it('says what changed while a job of the call ran, and stays', () => {
    const shown = revertLines({ ...report, beside: [{ id: 'ef56', title: `npm run ${HOSTILE}`, files: 2 }] });
    expect(shown).toContain(
      `  While "npm run ${SHOWN}" ran in the background, 2 files changed, by it or by others; "tenon undo ef56" takes that back.`,
    );
  });

  it('says when nothing was done, and what would be', () => {
    const { entryId: _, ...undone } = report;
    expect(revertLines(undone)).toMatch(/^Could not take back 1 call:\n/);
    expect(revertLines({ ...undone, dryRun: true })).toMatch(/^Would take back 1 call:\n/);
    expect(revertLines({ ...report, kind: 'redo', calls: [call, call] })).toMatch(/^Made again 2 calls:\n/);
  });
});
