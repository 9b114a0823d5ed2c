/** Calls of REST as operations of GraphQL, and operations as calls. */
import type { Feature } from '../../gateway/feature.js';
import { addTranslate } from './translate-command.js';

export const translation: Feature = { name: 'translation', commands: addTranslate };
