export { type Chance, chanceOf } from '../../src/model/samples/chance.js';
