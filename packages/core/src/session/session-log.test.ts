import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSessionLog, SessionLog } from './session-log.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-log-'));
  file = join(folder, 'deep', 'session.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const now = new Date('2026-01-02T03:04:05Z');
const words = (text: string) => ({ type: 'user-message', text }) as const;

describe('SessionLog', () => {
  it('writes one line for each event as it happens, for the owner only', () => {
    const log = new SessionLog(file);
    log.append(words('one'), now);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2);
    log.append({ type: 'text-delta', text: 'not logged' }, now);
    log.append(words('two'), now);
    log.close();
    expect(loadSessionLog(file)).toEqual({
      events: [
        { sequence: 1, time: now.toISOString(), event: words('one') },
        { sequence: 2, time: now.toISOString(), event: words('two') },
      ],
      problems: [],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('drops a last line that was cut, at any byte, and says so; what follows is whole', () => {
    const log = new SessionLog(file);
    log.append(words('one'), now);
    const whole = statSync(file).size;
    log.append(words('zwei €'), now);
    log.close();
    const full = readFileSync(file);
    for (let size = whole + 1; size < full.length; size++) {
      writeFileSync(file, full);
      truncateSync(file, size);
      expect(loadSessionLog(file).events).toHaveLength(1);
      expect(loadSessionLog(file).problems[0]).toContain('cut off');
      const again = new SessionLog(file);
      expect(again.problems.join(' ')).toContain('cut off');
      again.append(words('three'), now);
      again.close();
      const loaded = loadSessionLog(file);
      expect(loaded.events.map((line) => [line.sequence, line.event])).toEqual([
        [1, words('one')],
        [2, words('three')],
      ]);
      expect(loaded.problems).toEqual([]);
    }
  });

  it('leaves out a damaged line in the middle and reports its number', () => {
    const log = new SessionLog(file);
    log.append(words('one'), now);
    log.close();
    appendFileSync(file, '{"broken\n[]\n');
    const again = new SessionLog(file);
    again.append(words('two'), now);
    again.close();
    const { events, problems } = loadSessionLog(file);
    expect(events.map((line) => line.event)).toEqual([words('one'), words('two')]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain('Line 2');
  });

  describe('whose lines were changed by others', () => {
    const told = (change: (lines: readonly string[]) => readonly string[]): { said: string[]; problems: string } => {
      const log = new SessionLog(file);
      for (const text of ['one', 'two', 'three', 'four']) log.append(words(text), now);
      log.close();
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      writeFileSync(file, `${change(lines).join('\n')}\n`);
      const { events, problems } = loadSessionLog(file);
      const said = events.map(({ event }) => ('text' in event ? event.text : event.type));
      return { said, problems: problems.join(' ') };
    };
    const [at, all] = [
      (lines: readonly string[], index: number): string => lines[index] ?? '',
      ['one', 'two', 'three', 'four'],
    ];

    it('has each once, where one is there twice', () => {
      const { said, problems } = told((lines) => [...lines.slice(0, 2), at(lines, 1), ...lines.slice(2)]);
      expect(said).toEqual(all);
      expect(problems).toBe('Line 3 of the session log is there twice; it was left out.');
    });

    it('has them in their order, and says that they were moved', () => {
      const { said, problems } = told((lines) => [at(lines, 0), at(lines, 2), at(lines, 1), at(lines, 3)]);
      expect(said).toEqual(all);
      expect(problems).toContain('Line 2 of the session log does not follow');
    });

    it('leaves out what says something else than was written, whatever it is, and nothing more', () => {
      for (const other of ['"please"', '5', '{"a":1}']) {
        const { said, problems } = told((lines) => lines.map((line) => line.replace('"two"', other)));
        expect(said).toEqual(['one', 'three', 'four']);
        expect(problems).toContain('Line 2 of the session log was changed');
        rmSync(file);
      }
    });

    it('leaves out what was put in, and says where something was taken out', () => {
      const line = JSON.stringify({ sequence: 9, time: now.toISOString(), event: words('evil') });
      const put = told((lines) => [...lines.slice(0, 3), line, at(lines, 3)]);
      expect(put.said).toEqual(all);
      expect(put.problems).toContain('Line 4 of the session log was put in');
      rmSync(file);
      const taken = told((lines) => lines.filter((_, index) => index !== 1));
      expect(taken.said).toEqual(['one', 'three', 'four']);
      expect(taken.problems).toContain('lines were taken out or moved there');
    });

    it('says that its first lines are missing, and nothing of the sort of one that is whole', () => {
      const headless = told((lines) => lines.slice(2));
      expect(headless.said).toEqual(['three', 'four']);
      expect(headless.problems).toBe('The first 2 lines of the session log are missing.');
      rmSync(file);
      expect(told((lines) => lines).problems).toBe('');
    });
  });

  it('holds an image once, however often it comes, also when it goes on; lost with its line it is told', () => {
    const data = 'AAAA'.repeat(5000);
    const media = { type: 'media', mimeType: 'image/png', data } as const;
    const attached = { type: 'context-added', as: 'user', content: [media, { type: 'text', text: 'x' }] } as const;
    const ended = {
      type: 'tool-call-end',
      callId: 'c',
      toolName: 't',
      title: '',
      status: 'success',
      durationMs: 1,
      display: '',
      content: [{ inlineData: { mimeType: 'image/png', data } }, { text: 'x' }],
    } as const;
    for (const event of [words('one'), ended, attached]) {
      const log = new SessionLog(file);
      log.append(event, now);
      log.close();
    }
    expect(readFileSync(file, 'utf8').split(data)).toHaveLength(2);
    expect(loadSessionLog(file).events.map(({ event }) => event)).toEqual([words('one'), ended, attached]);
    const [first, , third] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${first}\n{"damaged\n${third}\n`);
    const { events, problems } = loadSessionLog(file);
    expect(problems).toHaveLength(2);
    expect(problems[1]).toContain('attachment in line 3');
    expect(events[1]?.event).toMatchObject({ content: [{ type: 'text' }, { type: 'text', text: 'x' }] });
  });

  it('leaves whole file contents out, and keeps the diff', () => {
    const log = new SessionLog(file);
    const display = { fileDiff: '@@', fileName: 'f', filePath: '/f', originalContent: 'big', newContent: 'big' };
    log.append(
      {
        type: 'tool-call-end',
        callId: 'c',
        toolName: 't',
        title: '',
        status: 'success',
        durationMs: 1,
        display,
        content: [],
      },
      now,
    );
    log.close();
    expect(readFileSync(file, 'utf8')).not.toContain('big');
    expect(readFileSync(file, 'utf8')).toContain('@@');
  });
});
