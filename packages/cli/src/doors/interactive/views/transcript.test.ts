import { displayWidth, makeSafe, type AgentEvent } from '@tenon/core';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, type SessionEvent, type SessionState } from '../state/session-state.js';
import { reduce } from '../state/reduce.js';
import { createTheme } from '../themes/create-theme.js';
import type { Look } from './block.js';
import { createHighlighter } from './markdown/highlighter.js';
import { after, callEnd, callStart, promptEnd } from './testing/session.js';
import { plainLook } from './testing/looks.js';
import { createTranscript } from './transcript.js';

const transcript = createTranscript({ highlighter: createHighlighter() });
const live = (state: SessionState, look: Look = plainLook()): string[] =>
  transcript.live(state, look, 100).filter((line) => line !== '');
const say = (text: string): AgentEvent => ({ type: 'text-delta', text });
const turn: AgentEvent = { type: 'turn-start', turn: 1 };
const asked: AgentEvent = { type: 'user-message', text: 'Do it', id: 'm1' };

describe('a transcript', () => {
  it('prints what is done, in order, and forgets it', () => {
    const state = after([asked, turn, say('One.\n\nTwo '), say('words')]);
    const { lines, state: rest } = transcript.take(state, plainLook());
    expect(lines).toEqual(['', '› Do it', '', 'One.']);
    expect(live(rest)).toEqual(['Two words']);
    expect(transcript.take(rest, plainLook()).lines).toEqual([]);
    const ended = transcript.take(after([promptEnd()], rest), plainLook());
    expect(ended.lines).toEqual(['', 'Two words']);
    expect(ended.state.items).toEqual([]);
  });

  it('prints nothing that comes after something that goes on', () => {
    const state = after([callStart(), callStart({ callId: 'c2', title: 'other' }), callEnd({ callId: 'c2' })]);
    expect(transcript.take(state, plainLook()).lines).toEqual([]);
    const { lines } = transcript.take(after([callEnd()], state), plainLook());
    expect(lines).toEqual(['', '● Shell npm test … done', '● Shell other … done']);
  });

  it('shows the same from a log, which has no deltas', () => {
    const answer: SessionEvent = {
      type: 'assistant-message',
      content: [{ type: 'text', text: 'A *b*.\n\nC' }],
      finish: 'stop',
    };
    const streamed = after([asked, turn, say('A *b'), say('*.\n\nC'), answer, promptEnd()]);
    const logged = after([asked, turn, answer, promptEnd()]);
    expect(transcript.take(logged, plainLook()).lines).toEqual(transcript.take(streamed, plainLook()).lines);
  });

  it('takes back what was not printed when the answer begins again, and says so of what was', () => {
    const retry: AgentEvent = { type: 'model-retry', attempt: 1, delayMs: 2_000, reason: 'cut' };
    const unprinted = after([turn, say('Old'), retry, say('New'), promptEnd()]);
    expect(live(unprinted)).toEqual(['Trying again in 2.0 s: cut', 'New']);
    const begun = transcript.take(after([turn, say('Old.\n\nmore')]), plainLook());
    expect(begun.lines).toEqual(['', 'Old.']);
    expect(live(after([retry, say('New'), promptEnd()], begun.state))).toEqual([
      'Trying again in 2.0 s: cut',
      'The answer began again: what stands above of it is void.',
      'New',
    ]);
  });

  it('shows thoughts while they go on, then how long they took', () => {
    const state = after([turn, { type: 'thinking-delta', text: 'Hm\nso' }]);
    expect(live(state, plainLook({ now: 4_000 }))).toEqual(['✻ Thinking for 3.0 s', '  Hm', '  so']);
    const done = after([turn, { type: 'thinking-delta', text: 'Hm' }, say('Yes')]);
    expect(live(done)).toEqual(['✻ Thought for 1.0 s', 'Yes']);
    expect(live(done, plainLook({ isOpen: true }))).toEqual(['✻ Thought for 1.0 s', '  Hm', 'Yes']);
  });

  it('tells how a prompt ended, what was denied, and how changes are taken back', () => {
    const denial = { callId: 'c1', toolName: 't', title: 'rm x', reason: 'it deletes', rules: ['Shell(rm *)'] };
    const end = promptEnd({ stopReason: 'cancelled', denials: [denial], filesChanged: true });
    const state = after([asked, callStart(), callEnd(), end]);
    const text = live(state, plainLook({ columns: 200 })).join('\n');
    expect(text).toContain('interrupted\ndenied: rm x (it deletes)\n');
    expect(text).toContain('"/undo --turn" takes it back');
  });

  it('shows news, notices and what commands say', () => {
    const state = [
      { type: 'notice', level: 'warning', text: 'Look\u001b[2J' } as const,
      { type: 'shown', text: makeSafe('a table') } as const,
    ].reduce(reduce, EMPTY_STATE);
    expect(live(state)).toEqual([String.raw`Look\u{1b}[2J`, 'a table']);
    const plan = { droppedResults: [] };
    const news = after([
      { type: 'compaction', trigger: 'auto', plan, tokensBefore: 9000, tokensAfter: 800, told: ['old results'] },
      { type: 'model-change', model: 'm2' },
      { type: 'rewind', to: 'm1', conversation: true, files: { reverted: 1, left: 0 } },
      { type: 'job-wait', jobId: 'j1', command: 'sleep', prompt: 'Name?' },
    ]);
    expect(live(news, plainLook({ columns: 120 }))).toEqual([
      'The conversation was made shorter: about 9000 tokens became 800.',
      '  old results',
      'From here on m2 answers.',
      'The conversation went back to before this message. 1 file went back.',
      'j1 (sleep) waits for input: Name?',
    ]);
  });

  it('waits with code until its language is there, so that it is printed with colours', async () => {
    let loaded = (): void => undefined;
    const there = new Promise<void>((resolve) => (loaded = resolve));
    const own = createTranscript({ highlighter: createHighlighter(() => loaded()) });
    const look = plainLook({ theme: createTheme('dark', 'basic') });
    const state = after([turn, say('```rust\nfn main() {}\n```\nend')]);
    expect(own.take(state, look).lines).toEqual([]);
    await there;
    expect(own.take(state, look).lines.join('\n')).toContain('\u001b[95mfn\u001b[39m');
  });

  it('keeps what did not change: a frame of a long live part takes under 5 ms', () => {
    const outputs = Array.from({ length: 12 }, (_, index) =>
      callStart({ callId: `c${index}`, title: `call ${index}` }),
    );
    const updates = outputs.map(({ callId }): SessionEvent => {
      return {
        type: 'tool-call-update',
        callId,
        display: Array.from({ length: 50 }, (_, at) => `line ${at} 中文`).join('\n'),
      };
    });
    const look = plainLook({ columns: 100, theme: createTheme('dark', 'rgb') });
    let state = after([...outputs, ...updates, turn, say('| a | b |\n|---|---|\n')]);
    const times: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      state = after([say(`| row ${index} | **value** |\n`)], state);
      const began = performance.now();
      const lines = transcript.live(state, { ...look, now: index * 33 }, 60);
      times.push(performance.now() - began);
      expect(lines.length).toBeLessThanOrEqual(60);
    }
    expect(times.toSorted((left, right) => left - right)[15]).toBeLessThan(5);
  });

  it('opens a log of 5,000 messages in a moment when it is forgotten as it is printed', () => {
    const events = Array.from({ length: 5_000 }, (_, index): SessionEvent[] => [
      { type: 'user-message', text: `question ${index}` },
      { type: 'assistant-message', content: [{ type: 'text', text: `Answer **${index}**.` }], finish: 'stop' },
    ]).flat();
    const began = performance.now();
    let state = EMPTY_STATE;
    let count = 0;
    for (const event of events) {
      const printed = transcript.take(after([event], state), plainLook());
      state = printed.state;
      count += printed.lines.length;
    }
    expect(count).toBe(20_000);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it('is right at 40 columns with wide characters', () => {
    const state = after([
      { type: 'user-message', text: '请解释这个函数为什么会失败，并且给出一个更好的实现方法👍' },
      turn,
      say('# 标题很长的一个标题需要换行才能显示完整的内容吧\n\n- 列表项目也很长需要换行才能显示完整的内容\n'),
      callStart({ title: '中文命令'.repeat(20) }),
      callEnd({ display: '失败了'.repeat(40), status: 'error' }),
    ]);
    const look = plainLook({ columns: 40, theme: createTheme('light', 'indexed') });
    for (const line of transcript.live(state, look, 100)) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });
});
