import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents, parsePrice } from '../src/money.js';

test('reads whole prices and prices with cents', () => {
  assert.equal(parsePrice('5'), 500);
  assert.equal(parsePrice('12.50'), 1250);
  assert.equal(parsePrice('0.05'), 5);
});

test('refuses what is not a price', () => {
  assert.throws(() => parsePrice('12,50'), RangeError);
  assert.throws(() => parsePrice(''), RangeError);
});

test('prints cents', () => {
  assert.equal(formatCents(1999), '19.99');
  assert.equal(formatCents(7), '0.07');
  assert.equal(formatCents(-250), '-2.50');
});
