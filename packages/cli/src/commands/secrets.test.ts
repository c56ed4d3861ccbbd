import { expect, it } from 'vitest';
import { secretsText } from './secrets.js';

it('lists names and places, and never a value', () => {
  const text = secretsText({
    isEnabled: true,
    secrets: [
      { name: 'STRIPE_KEY', from: 'STRIPE_KEY in /work/.env' },
      { name: 'STRIPE_KEY', from: 'STRIPE_KEY in /work/.env.test', isOther: true },
    ],
    kinds: ['aws-key'],
  });
  expect(text.split('\n').slice(0, 4)).toEqual([
    '2 secrets known by value:',
    '  __secret:STRIPE_KEY__: STRIPE_KEY in /work/.env',
    '  __secret:STRIPE_KEY.…__: STRIPE_KEY in /work/.env.test',
    'Hidden wherever they are seen: aws-key.',
  ]);
});

it('says so where nothing is hidden', () => {
  expect(secretsText({ isEnabled: false, secrets: [], kinds: [] })).toContain('secrets.enabled is off');
});
