/** Verified backups of SQLite. */
import type { Feature } from '../../gateway/feature.js';
import { addBackup, addRestore } from './backup-command.js';

export const backup: Feature = {
  name: 'backup',
  needs: ['check'],
  commands(program, surroundings) {
    addBackup(program, surroundings);
    addRestore(program, surroundings);
  },
};
