import type { Database, SeenDatabase } from '../../src/database/open-database.js';

/** A database as a caller without roles sees it, for tests that have no gateway. */
export const seenByAll = (database: Database): SeenDatabase =>
  Object.create(database, { limit: { value: undefined, enumerable: true } });
