/** Records in bulk: exports, imports, and sample records. */
import type { Feature } from '../../gateway/feature.js';
import { addExport } from './export-command.js';
import { addImport } from './import-command.js';
import { addSeed } from './seed-command.js';

export const transfer: Feature = {
  name: 'transfer',
  commands(program, surroundings) {
    addExport(program, surroundings);
    addImport(program, surroundings);
    addSeed(program, surroundings);
  },
};
