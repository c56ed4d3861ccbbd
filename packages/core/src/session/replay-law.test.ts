import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { applyCompaction } from '../agent/compaction.js';
import { Conversation } from '../agent/conversation.js';
import type { AgentEvent, CompactionPlan } from '../agent/events.js';
import type { LoopServices } from '../agent/loop-types.js';
import { runPrompt } from '../agent/loop.js';
import { ModelError } from '../models/model-error.js';
import type { MediaBlock, Message, ModelEvent, ModelPort, TextBlock } from '../models/model.js';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { CallRequest } from '../scheduler/prepare-call.js';
import { Kind } from '../tools/tools.js';
import { OpenSession, type SessionPlace } from './open-session.js';
import { replayConversation } from './replay-conversation.js';
import { loadSessionLog } from './session-log.js';

type CallFate = 'success' | 'error' | 'denied' | 'unfinished' | 'unstarted' | 'picture';

interface TurnPlan {
  readonly words: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string; readonly fate: CallFate }[];
  readonly ends: 'well' | 'cut' | 'refused';
  readonly note: string | undefined;
  readonly steering: readonly string[];
}

type Step =
  | {
      readonly kind: 'prompt';
      readonly text: string;
      readonly attached: readonly string[];
      readonly turns: readonly TurnPlan[];
      /** After so many events the reader stops, or the signal is aborted. */
      readonly stopsAfter: number | undefined;
      readonly abortsAfter: number | undefined;
      readonly maxToolCalls: number;
    }
  | { readonly kind: 'rewind'; readonly which: number }
  | { readonly kind: 'compact'; readonly drop: number; readonly summary: string | undefined; readonly before: number }
  | { readonly kind: 'reopen'; readonly fork: boolean };

const word = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('Grüße', '日本', '\ud800', 'a\nb', ''));
const callFate = fc.constantFrom<CallFate>('success', 'error', 'denied', 'unfinished', 'unstarted', 'picture');
const turn: fc.Arbitrary<TurnPlan> = fc.record({
  words: word,
  thinking: fc.constantFrom('', 'hm'),
  calls: fc.array(fc.record({ id: fc.constantFrom('a', 'b', '', 'attached'), fate: callFate }), { maxLength: 3 }),
  ends: fc.constantFrom('well', 'well', 'well', 'cut', 'refused'),
  note: fc.option(fc.constantFrom('a job ended', 'a server came'), { nil: undefined }),
  steering: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(word, { maxLength: 2 })),
});
const promptStep = fc.record({
  kind: fc.constant('prompt' as const),
  text: word,
  attached: fc.array(word, { maxLength: 2 }),
  turns: fc.array(turn, { maxLength: 3 }),
  stopsAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  abortsAfter: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  maxToolCalls: fc.constantFrom(0, 2, 100),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: promptStep },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rewind' as const), which: fc.nat({ max: 9 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('compact' as const),
      drop: fc.nat({ max: 3 }),
      summary: fc.option(word, { nil: undefined }),
      before: fc.nat({ max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), fork: fc.boolean() }) },
);

let folder: string;
let place: SessionPlace;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-replay-law-'));
  place = { sessions: join(folder, 'sessions'), locks: join(folder, 'locks'), roots: [folder] };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sessionStart = (sessionId: string) => (): Extract<AgentEvent, { type: 'session-start' }> => ({
  type: 'session-start',
  sessionId,
  version: 'test',
  model: 'scripted',
  roots: [folder],
  approvalMode: ApprovalMode.DEFAULT,
  tools: [],
});

/** Answers as the turns say, one after the other; then it says that it is done. */
function scripted(turns: readonly TurnPlan[]): ModelPort {
  const waiting = [...turns];
  async function* stream(): AsyncGenerator<ModelEvent> {
    const next = waiting.shift();
    yield { type: 'text-delta', text: next?.words ?? 'done' };
    if (next !== undefined && next.thinking !== '')
      yield { type: 'thinking-delta', text: next.thinking, signature: 'signed' };
    if (next?.ends === 'refused') throw new ModelError('no', { kind: 'bad-request' });
    for (const [index, { id }] of (next?.calls ?? []).entries())
      yield { type: 'tool-call-delta', index, id, name: 'tool', argumentsText: '{}' };
    if (next?.ends === 'cut') throw new ModelError('cut', { kind: 'auth' });
    yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } };
    yield { type: 'finish', reason: 'stop' };
  }
  return { label: 'scripted', model: 'scripted', stream };
}

/** Each call as its turn says; what never starts or ends stays without an event. */
async function* runCalls(
  calls: readonly CallRequest[],
  fates: (index: number) => CallFate,
  signal: AbortSignal,
): AsyncGenerator<CallEvent> {
  const shown = { displayName: 'Tool', kind: Kind.Other, title: 'tool', locations: [], args: {}, repairs: [] };
  for (const [index, { callId, toolName }] of calls.entries()) {
    const fate = signal.aborted ? 'unstarted' : fates(index);
    if (fate === 'unstarted') continue;
    yield { type: 'tool-call-start', callId, toolName, ...shown };
    if (fate === 'unfinished') continue;
    const status = fate === 'picture' ? 'success' : fate;
    const content =
      fate === 'picture' ? [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] : [{ text: `${fate} ${callId}` }];
    yield { type: 'tool-call-end', callId, toolName, title: 'tool', status, durationMs: 1, display: 'done', content };
  }
}

function servicesFor(session: OpenSession, plan: Extract<Step, { kind: 'prompt' }>): LoopServices {
  const turns = [...plan.turns];
  const notes = plan.turns.map(({ note }) => note);
  let current: TurnPlan | undefined;
  return {
    model: scripted(plan.turns),
    conversation: session.conversation,
    system: () => 'system',
    tools: () => [],
    runCalls: (calls, signal) => runCalls(calls, (index) => current?.calls[index]?.fate ?? 'success', signal),
    maxTurns: 6,
    maxToolCalls: plan.maxToolCalls,
    takeSteering: () => current?.steering ?? [],
    jobs: {
      takeEvents: () => [],
      takeNote: () => {
        current = turns.shift();
        return notes.shift();
      },
      endAll: async () => [],
    },
  };
}

async function* attachedOf(texts: readonly string[]): AsyncGenerator<AgentEvent, readonly (TextBlock | MediaBlock)[]> {
  for (const text of texts) yield { type: 'notice', level: 'info', text };
  return texts.map((text) => ({ type: 'text', text }));
}

async function doPrompt(session: OpenSession, plan: Extract<Step, { kind: 'prompt' }>): Promise<void> {
  const aborting = new AbortController();
  async function* events(): AsyncGenerator<AgentEvent> {
    yield* session.begin(sessionStart(session.id));
    const prompt = { text: plan.text, attach: () => attachedOf(plan.attached) };
    for await (const event of runPrompt(prompt, servicesFor(session, plan), aborting.signal))
      yield* session.record(event);
  }
  let count = 0;
  for await (const _ of events()) {
    if (count === plan.abortsAfter) aborting.abort(new Error('stop'));
    if (count === plan.stopsAfter) break;
    count += 1;
  }
}

function doCompact(session: OpenSession, plan: Extract<Step, { kind: 'compact' }>): void {
  const { conversation } = session;
  const { messages } = conversation;
  const droppedResults = messages
    .flatMap((message) => (message.role === 'tool' ? message.content.map(({ callId }) => callId) : []))
    .slice(0, plan.drop);
  const before = messages.findIndex(({ role }, index) => role === 'assistant' && index >= plan.before);
  const summary = plan.summary === undefined || before <= 0 ? {} : { summary: { text: plan.summary, before } };
  const compaction: CompactionPlan = { droppedResults, ...summary };
  conversation.compact(compaction, applyCompaction(messages, compaction));
  const told = { trigger: 'manual', tokensBefore: 2, tokensAfter: 1, told: [] } as const;
  for (const _ of session.record({ type: 'compaction', plan: compaction, ...told }));
}

const undo = {
  filesWithin: async (wanted: readonly unknown[]) => wanted.map(() => []),
} as unknown as Parameters<OpenSession['rewindPoints']>[0];

async function doStep(session: OpenSession, plan: Step): Promise<OpenSession> {
  if (plan.kind === 'prompt') await doPrompt(session, plan);
  else if (plan.kind === 'compact') doCompact(session, plan);
  else if (plan.kind === 'rewind') {
    const points = (await session.rewindPoints(undo)).filter(({ hasConversation }) => hasConversation);
    const point = points[plan.which % Math.max(1, points.length)];
    const what = { conversation: true, files: false };
    if (point !== undefined) await session.rewind(point.id, what, { undo, start: sessionStart(session.id) });
  } else if (session.conversation.messages.length > 0) {
    // A copy to which nothing was added goes when it is closed.
    for (const _ of session.record({ type: 'notice', level: 'info', text: 'opened again' }));
    const { file } = session;
    session.close();
    return OpenSession.open(place, { file, fork: plan.fork });
  }
  return session;
}

function replayed(file: string): readonly Message[] {
  const conversation = new Conversation();
  replayConversation(loadSessionLog(file).events, conversation);
  return conversation.messages;
}

it('a log replays to the very messages that the session had, whatever happened in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      let session = await OpenSession.open(place);
      try {
        for (const plan of steps) {
          session = await doStep(session, plan);
          if (session.conversation.messages.length > 0)
            expect(replayed(session.file)).toEqual(session.conversation.messages);
        }
      } finally {
        session.close();
      }
    }),
    { numRuns: 400 },
  );
});
