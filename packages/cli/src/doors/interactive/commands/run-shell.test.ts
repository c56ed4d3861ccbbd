import { afterEach, expect, it } from 'vitest';
import { ToolConfirmationOutcome, ToolNames, type Approver, type CallEvent } from '@tenon/core';
import { createFakeApprover, type FakeApprover } from '@tenon/core/testing';
import type { CommandAnswer } from './command.js';
import { runShell, shellNote } from './run-shell.js';
import { createCommandBench, type CommandBench } from './testing/command-bench.js';
import { createTypedCalls, type TypedCalls } from './typed-calls.js';

let bench: CommandBench;
let person: FakeApprover;
let typed: TypedCalls;

async function open(args: readonly string[] = [], home = {}): Promise<void> {
  person = createFakeApprover([]);
  typed = createTypedCalls(person.approver);
  bench = await createCommandBench({ files: { 'a.txt': 'one\n' }, args, home, approver: typed.approver });
}

afterEach(async () => bench.close());

async function type(text: string): Promise<{ readonly answer: CommandAnswer; readonly events: readonly CallEvent[] }> {
  const events: CallEvent[] = [];
  const { agent } = bench;
  const signal = new AbortController().signal;
  const answer = await runShell(text, { agent, typed, signal, onEvent: (event) => events.push(event) });
  return { answer, events };
}

const statusOf = (events: readonly CallEvent[]): string | undefined => {
  const last = events.at(-1);
  return last?.type === 'tool-call-end' ? last.status : undefined;
};

it('runs what was typed without asking the person again, and tells the model of it', async () => {
  await open();
  const { answer, events } = await type('!echo said > b.txt; cat b.txt');
  expect(statusOf(events)).toBe('success');
  expect(person.requests).toEqual([]);
  expect(await bench.workspace.read('b.txt')).toBe('said\n');
  expect(answer.forModel).toContain('[The user ran a command themselves: "echo said > b.txt; cat b.txt".');
  expect(answer.forModel).toContain('said');
});

it('shows its output while it runs', async () => {
  await open();
  const { events } = await type('!echo first; sleep 1; echo second');
  const shown = events.flatMap((event) => (event.type === 'tool-call-update' ? [JSON.stringify(event.display)] : []));
  expect(shown.some((text) => text.includes('first') && !text.includes('second'))).toBe(true);
});

it('is denied what the policy denies, and says so to the model as well', async () => {
  await open(['--deny', 'Bash(rm *)']);
  const { answer, events } = await type('!rm a.txt');
  expect(statusOf(events)).toBe('denied');
  expect(await bench.workspace.read('a.txt')).toBe('one\n');
  expect(answer.forModel).toContain('(denied)');
});

it('takes a command alone as nothing', async () => {
  await open();
  const { answer, events } = await type('!  ');
  expect(events).toEqual([]);
  expect(answer.shown).toContain('Write a command behind the !');
});

it('says yes once, to letter by letter what was typed, and asks the person about all else', async () => {
  await open();
  const request = (callId: string, command: string, more: object = {}): Parameters<Approver>[0] => ({
    callId,
    toolName: ToolNames.SHELL,
    displayName: 'Shell',
    description: command,
    effects: [],
    details: { type: 'exec', title: 'Run', command },
    reason: 'it changes files',
    alwaysRules: [],
    canModify: false,
    changedSinceApproval: false,
    ...more,
  });
  const signal = new AbortController().signal;
  const outcome = async (of: Parameters<Approver>[0]): Promise<string> => (await typed.approver(of, signal)).outcome;
  typed.expect('1', 'make');
  expect(await outcome(request('1', 'make'))).toBe(ToolConfirmationOutcome.ProceedOnce);
  expect(await outcome(request('1', 'make'))).toBe(ToolConfirmationOutcome.Cancel);
  typed.expect('2', 'make');
  expect(await outcome(request('2', 'make install'))).toBe(ToolConfirmationOutcome.Cancel);
  typed.expect('3', 'make');
  expect(await outcome(request('3', 'make', { changedSinceApproval: true }))).toBe(ToolConfirmationOutcome.Cancel);
  typed.expect('4', 'make');
  expect(await outcome(request('4', 'make', { toolName: ToolNames.EDIT }))).toBe(ToolConfirmationOutcome.Cancel);
  typed.expect('5', 'make')();
  expect(await outcome(request('5', 'make'))).toBe(ToolConfirmationOutcome.Cancel);
  expect(person.requests).toHaveLength(5);
});

it('leaves the middle of a long output out of what the model is told', async () => {
  await open();
  const note = shellNote('cat big', 'success', [{ text: `begin${'x'.repeat(20_000)}end` }]);
  expect(note.length).toBeLessThan(8_300);
  expect(note).toMatch(/begin[\s\S]*characters left out[\s\S]*end/);
});
