/** Ten of one article are cheaper: five percent off the line, rounded in the customer's favour. */
export function quantityDiscount(lineTotal, quantity) {
  return quantity >= 10 ? Math.ceil((lineTotal * 5) / 100) : 0;
}

/** A voucher never makes an invoice negative. */
export function applyVoucher(total, voucher) {
  return Math.max(0, total - voucher);
}
