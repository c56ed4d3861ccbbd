import { expect, it } from 'vitest';
import type { AgentEvent } from '../agent/events.js';
import { Conversation } from '../agent/conversation.js';
import { functionHook } from '../hooks/function-hook.js';
import type { FunctionHook } from '../hooks/hook-types.js';
import { openHooks, type OpenedHooks } from '../hooks/open-hooks.js';
import { askedWithHooks, SessionMoments } from './wire-hooks.js';

const never = new AbortController().signal;

it('hooks are told when a server asks the person something, who is asked at once', async () => {
  const told: string[] = [];
  let release: () => void = () => undefined;
  const slow = functionHook({
    event: 'Notification',
    matcher: 'elicitation_dialog',
    run: async ({ message }) => {
      told.push(message);
      await new Promise<void>((resolve) => (release = resolve));
    },
  });
  const hooks = hooksOf(slow);
  const asker = askedWithHooks(async () => ({ action: 'decline' }), hooks);
  const question = { kind: 'page', server: 'docs', message: 'm', url: 'https://x.example' } as const;
  expect(await asker?.(question, never)).toEqual({ action: 'decline' });
  expect(told).toEqual(['The server docs asks you something']);
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { events } = await hooks.session.notified({ message: '', notification_type: 'other' }, never);
  expect(events).toMatchObject([{ type: 'hook-run', event: 'Notification', outcome: 'passed' }]);
  await hooks.close();
});

it('hooks are told once the person has said nothing for a while, and not when they go on in time or leave', async () => {
  const told: string[] = [];
  const hooks = hooksOf(
    functionHook({ event: 'Notification', matcher: 'idle_prompt', run: ({ message }) => void told.push(message) }),
  );
  const recorded: AgentEvent[] = [];
  const moments = new SessionMoments(hooks, { isResumed: false, idleMs: 30 });
  const record = (event: AgentEvent): AgentEvent[] => {
    recorded.push(event);
    return [event];
  };
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 80));
  moments.waiting(record);
  await moments.begin({ model: 'm', conversation: new Conversation() }, never);
  await wait();
  expect(told).toEqual([]);
  moments.waiting(record);
  await wait();
  expect(told).toEqual(['Tenon waits for your words']);
  expect(recorded).toMatchObject([{ type: 'hook-run', event: 'Notification' }]);
  moments.waiting(record);
  await moments.end('other');
  await wait();
  expect(told).toHaveLength(1);
  await hooks.close();
});

function hooksOf(hook: FunctionHook): OpenedHooks {
  return openHooks({
    list: [hook],
    variables: {},
    connect: () => Promise.reject(new Error('no program')),
    environment: {},
    shell: { program: 'bash' },
    folder: '/',
    roots: ['/'],
    home: '/',
    session: () => ({ sessionId: 's', approvalMode: 'default' }),
  });
}
