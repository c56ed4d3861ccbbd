import { parsePrice } from './money.js';

const PRICE_LIST = [
  { sku: 'mug', title: 'Enamel mug', price: '12.50' },
  { sku: 'lamp', title: 'Desk lamp', price: '64.00' },
  { sku: 'cable', title: 'Braided cable', price: '19.99' },
  { sku: 'book', title: 'Field notes', price: '8.75', taxClass: 'reduced' },
];

/** The article with its price in cents. */
export function findArticle(sku) {
  const entry = PRICE_LIST.find((article) => article.sku === sku);
  if (entry === undefined) {
    throw new RangeError(`no such article: ${sku}`);
  }
  return { ...entry, taxClass: entry.taxClass ?? 'standard', price: parsePrice(entry.price) };
}
