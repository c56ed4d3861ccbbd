import { expect, it } from 'vitest';
import { createExits } from './exits.js';

it('ends whatever is registered, past what fails, and nothing that was taken off', () => {
  const exits = createExits();
  const ended: string[] = [];
  exits.register(() => ended.push('a'));
  exits.register(() => {
    throw new Error('cannot be ended');
  });
  const takeOff = exits.register(() => ended.push('b'));
  exits.register(() => ended.push('c'));
  takeOff();
  exits.run();
  expect(ended).toEqual(['a', 'c']);
});
