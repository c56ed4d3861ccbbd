/** Amounts of money are whole numbers of cents everywhere in this project. */

/** Reads a price as the price list has it, such as "19.99" or "5". */
export function parsePrice(text) {
  if (!/^\d+(\.\d{1,2})?$/.test(text)) {
    throw new RangeError(`not a price: ${text}`);
  }
  const amount = Number(text);
  const cents = Math.trunc(amount * 100);
  return cents;
}

/** Prints cents for people: 1999 becomes "19.99". */
export function formatCents(cents) {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
