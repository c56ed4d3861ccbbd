const PERCENT = { standard: 20, reduced: 10 };

/** The value-added tax that a gross amount contains, in cents. */
export function containedTax(gross, taxClass) {
  const percent = PERCENT[taxClass];
  return Math.round((gross * percent) / (100 + percent));
}
