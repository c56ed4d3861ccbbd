import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SubagentEvent } from '../agent/events.js';
import type { CallEvent } from '../scheduler/call-events.js';
import { EventQueue } from '../util/event-queue.js';
import { AgentOutlet } from './agent-outlet.js';

const never = new AbortController().signal;
const registry = { findTool: () => ({ name: 'task' }) } as unknown as Parameters<AgentOutlet['merge']>[1];
const callStart = (callId: string) => ({ type: 'tool-call-start', callId }) as unknown as CallEvent;
const callEnd = (callId: string) => ({ type: 'tool-call-end', callId }) as unknown as CallEvent;
const told = (callId: string, turn: number): SubagentEvent => ({
  type: 'subagent-event',
  callId,
  agentId: `a-${callId}`,
  event: { type: 'turn-start', turn },
});
const end = (callId: string): SubagentEvent => ({
  type: 'subagent-end',
  callId,
  agentId: `a-${callId}`,
  stopReason: 'completed',
  model: 'm',
  turns: 1,
  toolCalls: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  durationMs: 1,
});
const calls = (...ids: readonly string[]) => ids.map((callId) => ({ callId, toolName: 'task', argumentsText: '' }));

it('keeps what each subagent tells in order, between the beginning and the end of its call, whoever is slow', async () => {
  const script = fc.array(fc.tuple(fc.constantFrom('x', 'y'), fc.nat(3)), { maxLength: 600 });
  await fc.assert(
    fc.asyncProperty(script, fc.nat(50), async (steps, slowAfter) => {
      const outlet = new AgentOutlet();
      const events = new EventQueue<CallEvent>();
      const merged = outlet.merge(calls('x', 'y'), registry, events);
      const write = async (id: string): Promise<void> => {
        events.push(callStart(id));
        let turn = 0;
        for (const [who, pause] of steps) {
          if (who !== id) continue;
          if (pause === 0) await Promise.resolve();
          await outlet.emit(told(id, (turn += 1)), never);
        }
        await outlet.emit(end(id), never);
        events.push(callEnd(id));
      };
      const writing = Promise.all([write('x'), write('y')]).then(() => events.end());
      const seen: string[] = [];
      for await (const event of merged) {
        if (seen.length === slowAfter) await new Promise((resolve) => setImmediate(resolve));
        const at = event.type === 'subagent-event' && event.event.type === 'turn-start' ? event.event.turn : event.type;
        seen.push(`${'callId' in event ? event.callId : ''} ${at}`);
      }
      await writing;
      for (const id of ['x', 'y']) {
        const turns = steps.filter(([who]) => who === id).map((_, index) => `${id} ${index + 1}`);
        const own = seen.filter((line) => line.startsWith(id));
        expect(own).toEqual([`${id} tool-call-start`, ...turns, `${id} subagent-end`, `${id} tool-call-end`]);
      }
    }),
    { numRuns: 40 },
  );
});

it('makes those who write wait for a reader who is far behind, until he reads, stops or they are stopped', async () => {
  const outlet = new AgentOutlet();
  const events = new EventQueue<CallEvent>();
  const merged = outlet.merge(calls('x'), registry, events)[Symbol.asyncIterator]();
  events.push(callStart('x'));
  await merged.next();
  let written = 0;
  const stop = new AbortController();
  const writing = (async () => {
    for (; written < 2000; written += 1) await outlet.emit(told('x', written), stop.signal);
  })();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(written).toBeLessThan(300);
  for (let read = 0; read < 200; read += 1) await merged.next();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(written).toBeGreaterThan(300);
  await merged.return?.();
  await writing;
  expect(written).toBe(2000);
  expect((await merged.next()).done).toBe(true);
});

it('keeps beginnings and ends that nobody reads, and does not end before what was told is read', async () => {
  const outlet = new AgentOutlet();
  await outlet.emit(told('x', 1), never);
  await outlet.emit(end('x'), never);
  expect(outlet.takeEvents()).toEqual([end('x')]);
  expect(outlet.takeEvents()).toEqual([]);
  const events = new EventQueue<CallEvent>();
  const merged = outlet.merge(calls('x'), registry, events);
  events.push(callStart('x'));
  void outlet.emit(end('x'), never);
  events.push(callEnd('x'));
  events.end();
  const seen: string[] = [];
  for await (const event of merged) seen.push(event.type);
  expect(seen).toEqual(['tool-call-start', 'subagent-end', 'tool-call-end']);
});

it('passes on what the batch throws, after what was told before', async () => {
  const outlet = new AgentOutlet();
  const failing = (async function* (): AsyncGenerator<CallEvent> {
    yield callStart('x');
    await outlet.emit(told('x', 1), never);
    throw new Error('broken');
  })();
  const seen: string[] = [];
  await expect(
    (async () => {
      for await (const event of outlet.merge(calls('x'), registry, failing)) seen.push(event.type);
    })(),
  ).rejects.toThrow('broken');
  expect(seen).toEqual(['tool-call-start', 'subagent-event']);
});
