/** The journal's entries stand in the order of the changes they record. */
import { positionColumn } from '../../change/journal/stored-entry.js';
import { type Check, mostPlaces } from './check.js';

export const journalOrder: Check = {
  holds: 'the journal is in order',
  isMendable: false,
  problems: async ({ provider, rows }, resources) => {
    const position = positionColumn(provider);
    const found: string[] = [];
    const given =
      provider === 'sqlite'
        ? `(SELECT coalesce(max("seq"), 0) FROM sqlite_sequence WHERE "name" = 'JournalEntry')`
        : `(SELECT "position" FROM "JournalState" WHERE "id" = 1)`;
    const beyond = await rows(
      `SELECT ${position} FROM "JournalEntry" WHERE ${position} > ${given} LIMIT ${mostPlaces}`,
    );
    found.push(...beyond.map(([at]) => `The entry at position ${at} of the journal is beyond the last position`));
    const twice = await rows(
      `SELECT ${position} FROM "JournalEntry" WHERE ${position} IS NOT NULL
       GROUP BY ${position} HAVING count(*) > 1 LIMIT ${mostPlaces}`,
    );
    found.push(...twice.map(([at]) => `Several entries of the journal have the position ${at}`));
    // Only of documents that are stored here: the version of any other parent begins anew after its last line is
    // deleted.
    const falling = await rows(
      `SELECT "at", "documentId" FROM (
         SELECT ${position} AS "at", "documentId", "revision",
           lag("revision") OVER (PARTITION BY "documentId" ORDER BY ${position}) AS "before"
         FROM "JournalEntry" WHERE "documentModel" IS NOT NULL AND ${position} IS NOT NULL
       ) AS entries WHERE "revision" < "before" LIMIT ${mostPlaces}`,
    );
    found.push(
      ...falling.map(
        ([at, id]) => `The entry at position ${at} has an older version of ${id} than the entry before it`,
      ),
    );
    for (const { model } of resources.filter(({ kind }) => kind !== 'child')) {
      const behind = await rows(
        `SELECT record."id" FROM "${model}" AS record JOIN (
           SELECT "documentId", max("revision") AS "last" FROM "JournalEntry"
           WHERE "documentModel" = '${model}' GROUP BY "documentId"
         ) AS entries ON entries."documentId" = record."id" WHERE record."version" < entries."last" LIMIT ${mostPlaces}`,
      );
      found.push(...behind.map(([id]) => `The journal has a later version of ${id} than the one that is stored`));
    }
    return found;
  },
};
