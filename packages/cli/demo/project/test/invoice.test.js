import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeInvoice, printInvoice } from '../src/invoice.js';

test('adds up a small order', () => {
  const invoice = makeInvoice([
    { sku: 'mug', quantity: 2 },
    { sku: 'book', quantity: 1 },
  ]);
  assert.equal(invoice.total, 3375);
  assert.equal(invoice.tax, 497);
});

test('charges three cables at their list price', () => {
  const invoice = makeInvoice([{ sku: 'cable', quantity: 3 }]);
  assert.equal(invoice.total, 5997);
});

test('gives five percent off from ten pieces', () => {
  const invoice = makeInvoice([{ sku: 'lamp', quantity: 10 }]);
  assert.equal(invoice.total, 60800);
});

test('never goes below zero with a voucher', () => {
  const invoice = makeInvoice([{ sku: 'book', quantity: 1 }], 5000);
  assert.equal(invoice.total, 0);
});

test('prints one line for each article', () => {
  const invoice = makeInvoice([{ sku: 'mug', quantity: 1 }]);
  assert.equal(printInvoice(invoice), '1 x Enamel mug  12.50\nTotal  12.50');
});
