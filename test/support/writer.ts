import type { Database } from '../../src/database/open.js';
import type { WriteContext } from '../../src/records/change/writing.js';
import { Seal } from '../../src/seal.js';

/** Who writes records in a test that has a database and no gateway. */
export const writer = (database: Database): WriteContext => ({
  database,
  changes: { rules: {}, observers: [] },
  identity: {
    keyId: 'test',
    name: 'test',
    scopes: ['*'],
    seal: new Seal('test'),
  },
  requestId: 'test',
});
