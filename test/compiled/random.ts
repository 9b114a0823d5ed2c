export { type Chance, chanceOf } from '../../src/model/samples/story.js';
