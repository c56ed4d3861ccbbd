import { findArticle } from './catalogue.js';
import { applyVoucher, quantityDiscount } from './discounts.js';
import { formatCents } from './money.js';
import { containedTax } from './tax.js';

/**
 * Works out an invoice.
 * `order` is a list of { sku, quantity }; `voucher` is in cents.
 */
export function makeInvoice(order, voucher = 0) {
  const lines = order.map(({ sku, quantity }) => {
    const article = findArticle(sku);
    const full = article.price * quantity;
    const total = full - quantityDiscount(full, quantity);
    return { title: article.title, quantity, total, tax: containedTax(total, article.taxClass) };
  });
  const sum = lines.reduce((total, line) => total + line.total, 0);
  return {
    lines,
    tax: lines.reduce((total, line) => total + line.tax, 0),
    total: applyVoucher(sum, voucher),
  };
}

/** The invoice as text, one line for each article. */
export function printInvoice(invoice) {
  const rows = invoice.lines.map((line) => `${line.quantity} x ${line.title}  ${formatCents(line.total)}`);
  return [...rows, `Total  ${formatCents(invoice.total)}`].join('\n');
}
