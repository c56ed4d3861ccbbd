import { readFileSync } from 'node:fs';
import { readAnswerSchema } from '@tenon/core';
import { expect, it } from 'vitest';
import { readMessage } from './input-message.js';

const file = new URL('../../../schemas/input.schema.json', import.meta.url);
const schema = readAnswerSchema(JSON.parse(readFileSync(file, 'utf8')));

it.each([
  { type: 'user', text: 'x', attach: ['a'], id: 'i' },
  { type: 'user', message: { role: 'user', content: 'x' } },
  { type: 'user', message: { content: [{ type: 'text', text: 'x' }] }, session_id: 's' },
  { type: 'steer', text: 'x' },
  { type: 'cancel' },
  { type: 'set-mode', mode: 'auto-edit' },
  { type: 'approval', callId: 'c', outcome: 'cancel', feedback: 'no' },
  { type: 'end' },
  { type: 'user' },
  { type: 'user', text: ' ' },
  { type: 'usr', text: 'x' },
  { type: 'user', text: 'x', attach: 'a' },
  { type: 'set-mode', mode: 'fast' },
  { type: 'approval', callId: 'c', outcome: 'yes' },
  { type: 'steer' },
])('the schema of the input and its reader agree on %j', (message) => {
  expect(schema.problemOf(message) === null).toBe(readMessage(JSON.stringify(message)).ok);
});
