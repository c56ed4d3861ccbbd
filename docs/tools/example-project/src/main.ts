import { price } from './price.js';

const beds = [
  { name: 'carrots', width: 2, length: 3 },
  { name: 'beans', width: 1, length: 4 },
];

for (const bed of beds) console.log(`${bed.name}: ${price(bed)}`);
