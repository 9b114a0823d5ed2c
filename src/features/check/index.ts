/** Checks whether a database is intact, and corrects what can be corrected. */
import type { Feature } from '../../gateway/feature.js';
import { addCheck } from './check-command.js';

export const check: Feature = { name: 'check', commands: addCheck };
