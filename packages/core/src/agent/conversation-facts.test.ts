import { expect, it } from 'vitest';
import type { Kind } from '../tools/tools.js';
import { ConversationFacts } from './conversation-facts.js';
import type { AgentEvent } from './events.js';
import { factParts } from './summary-facts.js';

type End = Extract<AgentEvent, { type: 'tool-call-end' }>;

let calls = 0;
function call(kind: Kind, paths: readonly string[], end: Partial<End> = {}): AgentEvent[] {
  const callId = `c${(calls += 1)}`;
  const common = { callId, toolName: `tool_${kind}`, title: paths.join(' ') };
  const locations = paths.map((path) => ({ path }));
  return [
    { type: 'tool-call-start', ...common, displayName: '', kind, locations, args: {}, repairs: [] },
    { type: 'tool-call-end', ...common, status: 'success', durationMs: 1, display: '', content: [], ...end },
  ];
}
const said = (id: string, text: string): AgentEvent => ({ type: 'user-message', id, text });
function factsOf(...events: readonly AgentEvent[]): ConversationFacts {
  const facts = new ConversationFacts();
  for (const event of events) facts.note(event);
  return facts;
}

const todos = [{ id: '1', content: 'write it', status: 'in_progress' } as const];

it('knows files, tasks and failures from the events alone', () => {
  const changes = { created: ['/w/new'], modified: ['/w/b'], deleted: [] };
  const facts = factsOf(
    said('1', 'do it'),
    ...call('read', ['/w/a']),
    ...call('edit', ['/w/a']),
    ...call('execute', [], { data: { changes } }),
    ...call('execute', [], { data: { changes: { created: 'no list', modified: [7] } } }),
    ...call('think', [], { display: { todos } }),
    ...call('edit', ['/w/c'], { status: 'error', error: { message: 'no match\nmore', type: 'edit_no_match' } }),
    ...call('read', ['/w/d', '/w/e']),
  );
  expect(facts.changedFiles()).toEqual(['/w/a', '/w/new', '/w/b']);
  expect(facts.readFiles()).toEqual(['/w/d', '/w/e']);
  expect(facts.todos()).toEqual(todos);
  expect(facts.failures()).toEqual(['tool_edit: /w/c: no match']);
  expect(factParts(facts).join('\n')).toContain('- [in_progress] 1: write it');
});

it('forgets what a rewind took back', () => {
  const facts = factsOf(
    said('1', 'first'),
    ...call('edit', ['/w/a']),
    said('2', 'second'),
    ...call('edit', ['/w/b']),
    ...call('think', [], { display: { todos } }),
    { type: 'rewind', to: '2', conversation: true },
  );
  expect(facts.words()).toEqual(['first']);
  expect(facts.changedFiles()).toEqual(['/w/a']);
  expect(facts.todos()).toEqual([]);
});

it('keeps short words whole, and says how many are left out', () => {
  const facts = factsOf(
    ...Array.from({ length: 30 }, (_, index) => said(`${index}`, `word ${index}`)),
    said('long', `begin ${'x'.repeat(5000)} end`),
  );
  const [words = ''] = factParts(facts);
  expect(words).toContain('- (11 more before these)');
  expect(words).toContain('- word 29');
  expect(words).toMatch(/begin x+\n[^]*characters of the middle[^]*x+ end/);
});
