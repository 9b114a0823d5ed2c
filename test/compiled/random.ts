export { type Chance, chanceOf } from '../../src/transfer/seed/chance.js';
