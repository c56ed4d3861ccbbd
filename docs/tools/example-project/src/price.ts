import { area, type Bed } from './bed.js';

const SEED_PRICE = 4;

// TODO: compost costs something, too.
export function price(bed: Bed): number {
  return area(bed) * SEED_PRICE;
}
