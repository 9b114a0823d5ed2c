/** What the database engine itself can check. */
import { sequencesBehind } from '../../change/journal/raise-sequences.js';
import { type Check, mostPlaces } from './check.js';
import { sqliteDamage, unlessDamaged } from './sqlite-damage.js';

/** The schema of the gateway: others belong to other programs. */
const ours = '(SELECT oid FROM pg_namespace WHERE nspname = current_schema())';

export const integrity: Check = {
  holds: 'the database is intact',
  isMendable: false,
  problems: async ({ provider, rows }) => {
    if (provider === 'sqlite') {
      const damage = await sqliteDamage(rows);
      const broken = ((await unlessDamaged(() => rows('PRAGMA foreign_key_check'))) ?? []).slice(0, mostPlaces);
      const orphans: string[] = [];
      for (const [table, row, parent] of broken) {
        const [found] = await rows(`SELECT "id" FROM "${table}" WHERE rowid = ${Number(row)}`);
        orphans.push(`The row ${found?.[0]} of ${table} refers to a row of ${parent} that is missing`);
      }
      return [...damage, ...orphans];
    }
    const indexes = await rows(
      `SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE NOT (indisvalid AND indisready) AND relnamespace = ${ours} LIMIT ${mostPlaces}`,
    );
    const constraints = await rows(
      `SELECT conname, conrelid::regclass::text FROM pg_constraint
       WHERE NOT convalidated AND connamespace = ${ours} LIMIT ${mostPlaces}`,
    );
    const behind = await sequencesBehind(rows);
    return [
      ...indexes.map(([name]) => `The index ${name} is not valid; run REINDEX INDEX ${name}`),
      ...constraints.map(
        ([name, table]) =>
          `The constraint ${name} of ${table} is not validated; run ALTER TABLE ${table} VALIDATE CONSTRAINT "${name}"`,
      ),
      ...behind.map(
        ({ sequence, table, last }) =>
          `The sequence ${sequence} is behind the rows of ${table}; start a gateway, which raises it to ${last} at least`,
      ),
    ];
  },
};
