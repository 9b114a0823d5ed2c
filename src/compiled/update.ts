/**
 * The statements that change a record and answer with its JSON. The condition is in the update itself, so of many racing
 * writers exactly one wins; where nothing fulfils it nothing is changed, and there is no row.
 */
import type { Batch, Statement } from '../database/direct.js';
import type { Provider } from '../database/migration-history.js';
import type { Resource } from '../model/resource.js';
import type { ChangedRecord } from '../records/changed-record.js';
import { timeValues } from '../records/values.js';
import { remembered } from './remembered.js';
import { storedBy } from './stored.js';

export type UpdateBatch = (record: ChangedRecord) => Batch;

/** `object` is the expression for the JSON text of the row `t0`; `showsMore` says that it reads further rows. */
export function updateBatches(
  provider: Provider,
  { model }: Resource,
  object: string,
  showsMore: boolean,
): UpdateBatch {
  if (provider === 'sqlite') {
    const change = changes({ provider, place: () => '?' });
    // Rows that only a trigger changes do not count.
    const sql = `SELECT ${object} FROM "${model}" AS t0 WHERE t0."id" = ?1 AND changes() = 1`;
    return (record) => ({ changes: [change(record)], answer: { sql, values: [record.id] } });
  }
  const change = changes({
    provider,
    place: (position) => `$${position}`,
    // The changed row stands in the place of its table, which does not hold it yet while the statement runs.
    frame: (update) => `WITH "${model}" AS (${update} RETURNING *) SELECT ${object} FROM "${model}" AS t0`,
    condition: showsMore ? asInSnapshot(model) : undefined,
  });
  return (record) => ({ changes: [], answer: change(record) });
}

/**
 * An update that waited for another writer sees the record as that one left it, and the rest of its statement all other
 * rows as they were before. Such an answer would be of no moment that ever was; then nothing is changed.
 */
const asInSnapshot = (model: string): string =>
  `"version" = (SELECT "seen"."version" FROM "${model}" AS "seen" WHERE "seen"."id" = "${model}"."id")`;

interface Form {
  provider: Provider;
  /** The n-th bound value, from 1. */
  place: (position: number) => string;
  /** The whole statement, given the update. */
  frame?: (update: string) => string;
  /** A further condition. */
  condition?: string | undefined;
}

/** One text for the records whose changes have the same columns and conditions. */
function changes({
  provider,
  place,
  frame = (update) => update,
  condition,
}: Form): (record: ChangedRecord) => Statement {
  const text = remembered();
  return ({ resource, id, values, version, statuses = [] }) => {
    const set = { ...values, ...timeValues(resource) };
    const versions = version === undefined ? [] : [version];
    const key = `${Object.keys(set)} ${versions.length} ${statuses.length}`;
    const sql = text(key, () => {
      let bound = 0;
      const bind = () => place(++bound);
      const columns = [...Object.keys(set).map((name) => `"${name}" = ${bind()}`), '"version" = "version" + 1'];
      const conditions = [`"id" = ${bind()}`, ...versions.map(() => `"version" = ${bind()}`)];
      if (statuses.length > 0) conditions.push(`"status" IN (${statuses.map(bind)})`);
      if (condition) conditions.push(condition);
      return frame(`UPDATE "${resource.model}" SET ${columns} WHERE ${conditions.join(' AND ')}`);
    });
    return { sql, values: [...Object.values(set), id, ...versions, ...statuses].map(storedBy[provider]) };
  };
}
