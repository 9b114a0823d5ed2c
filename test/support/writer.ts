import type { WriteRequestContext } from '../../src/change/context.js';
import { Seal } from '../../src/common/seal.js';
import type { Database } from '../../src/database/open-database.js';
import { seenByAll } from './seen-by-all.js';

/** Who writes records in a test that has a database and no gateway. */
export const writer = (database: Database): WriteRequestContext => ({
  database: seenByAll(database),
  changes: { rules: {}, observers: [], locksSubmitted: false, writers: [], journal: false },
  identity: {
    keyId: 'test',
    name: 'test',
    scopes: ['*'],
    seal: new Seal('test'),
  },
  requestId: 'test',
});
