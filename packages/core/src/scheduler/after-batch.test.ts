import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withAfterBatch, type BatchObserver } from './after-batch.js';
import type { CallEvent } from './call-events.js';

type CallEnd = Extract<CallEvent, { readonly type: 'tool-call-end' }>;

function end(callId: string, status: CallEnd['status'] = 'success'): CallEnd {
  return {
    type: 'tool-call-end',
    callId,
    toolName: 'edit',
    title: '',
    status,
    durationMs: 0,
    display: '',
    content: [{ text: callId }],
  };
}

async function* from(events: readonly CallEvent[]): AsyncGenerator<CallEvent> {
  for (const event of events) yield Promise.resolve(event);
}

async function all(events: AsyncIterable<CallEvent>): Promise<CallEvent[]> {
  const taken: CallEvent[] = [];
  for await (const event of events) taken.push(event);
  return taken;
}

const observer = (changed: (callId: string) => boolean, text = 'found'): BatchObserver => ({
  hasChanged: changed,
  settle: async () => Promise.resolve({ text }),
});

describe('withAfterBatch', () => {
  const { signal } = new AbortController();

  it('gives every end once, and adds to the last that changed something only', async () => {
    const statuses = fc.constantFrom<CallEnd['status']>('success', 'error', 'denied');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(statuses, fc.boolean())), async (calls) => {
        const ends = calls.map(([status], index) => end(String(index), status));
        const changing = (callId: string): boolean => calls[Number(callId)]?.[1] === true;
        const taken = (await all(withAfterBatch(from(ends), observer(changing), signal))) as CallEnd[];
        expect(taken.map(({ callId }) => callId).sort()).toEqual(ends.map(({ callId }) => callId).sort());
        const last = ends.findLast(({ callId, status }) => status === 'success' && changing(callId));
        expect(
          taken
            .filter(({ content }) => content.some((part) => 'text' in part && part.text.includes('\n\n')))
            .map(({ callId }) => callId),
        ).toEqual(last === undefined ? [] : [last.callId]);
      }),
    );
  });

  it('says that nothing could be checked where that fails, and nothing when the batch was cancelled', async () => {
    const failing: BatchObserver = { hasChanged: () => true, settle: async () => Promise.reject(new Error('x')) };
    const [told] = (await all(withAfterBatch(from([end('1')]), failing, signal))) as CallEnd[];
    expect(told?.content.at(-1)).toEqual({ text: '1\n\nCould not check the changed files.' });
    const cancelled = AbortSignal.abort();
    const [plain] = (await all(withAfterBatch(from([end('1')]), failing, cancelled))) as CallEnd[];
    expect(plain?.content).toHaveLength(1);
  });

  it('gives what it holds back also when the events fail', async () => {
    async function* broken(): AsyncGenerator<CallEvent> {
      yield end('1');
      throw await Promise.resolve(new Error('broken'));
    }
    const taken: CallEvent[] = [];
    const run = async (): Promise<void> => {
      for await (const event of withAfterBatch(
        broken(),
        observer(() => true),
        signal,
      ))
        taken.push(event);
    };
    await expect(run()).rejects.toThrow('broken');
    expect(taken).toHaveLength(1);
  });
});
