/** Calls of REST as operations of GraphQL. */
import type { Feature } from '../../gateway/feature.js';
import { addTranslate } from './translate-command.js';

export const translation: Feature = { name: 'translation', commands: addTranslate };
