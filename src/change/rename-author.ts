/** Takes a person out of what names authors: `createdBy` and `updatedBy` of records, and the entries of the journal. */
import type { Procedure, Value } from '../common/work.js';
import type { OpenedDatabase } from '../database/open-database.js';
import { StatementBuilder } from '../database/statement-builder.js';
import { allResources } from '../model/resources.js';

/** How many rows a transaction looks through, so that others wait for some ten milliseconds at most. */
const atOnce = 10_000;

/**
 * Writes `other` wherever `author` stands. Versions and times stay: nothing that a record says has changed. It can be run again
 * if it was interrupted. `tell` is called with each table before it is looked through.
 */
export async function renameAuthor(
  { provider, perform }: Pick<OpenedDatabase, 'provider' | 'perform'>,
  { author, other, name }: { author: string; other: string; name: string },
  tell: (table: string) => void,
) {
  /** Goes through a table in the order of its key; `write` is the statement for the rows between two of them. */
  const through = async (table: string, key: string, first: Value, write: (text: StatementBuilder) => string) => {
    tell(table);
    let changed = 0;
    for (let last = first; ; ) {
      const behind = last;
      const step = await perform(function* (): Procedure<{ end: Value; changed: number } | undefined> {
        const window = new StatementBuilder(provider);
        const rows = `SELECT "${key}" FROM "${table}" WHERE "${key}" > ${window.bind(behind)} ORDER BY "${key}" LIMIT ${atOnce}`;
        const [found] = yield window.statement(`SELECT max("${key}") FROM (${rows}) AS "window"`);
        if (found?.[0] == null) return undefined;
        const end = typeof first === 'number' ? Number(found[0]) : String(found[0]);
        const text = new StatementBuilder(provider);
        const sql = `${write(text)} AND "${key}" > ${text.bind(behind)} AND "${key}" <= ${text.bind(end)} RETURNING 1`;
        return { end, changed: (yield { callsNoListeners: true, ...text.statement(sql) }).length };
      });
      if (!step) return changed;
      changed += step.changed;
      last = step.end;
    }
  };
  const renamed = { records: 0, entries: 0 };
  for (const { model } of allResources.filter(({ kind }) => kind !== 'child')) {
    renamed.records += await through(model, 'id', '', (text) => {
      const [from, to] = [text.bind(author), text.bind(other)];
      const set = (column: string) => `"${column}" = CASE WHEN "${column}" = ${from} THEN ${to} ELSE "${column}" END`;
      return `UPDATE "${model}" SET ${set('createdBy')}, ${set('updatedBy')} WHERE (${from} IN ("createdBy", "updatedBy"))`;
    });
  }
  renamed.entries = await through('JournalEntry', 'entry', 0, (text) => {
    const set = `"keyId" = ${text.bind(other)}, "keyName" = ${text.bind(name)}`;
    return `UPDATE "JournalEntry" SET ${set} WHERE "keyId" = ${text.bind(author)}`;
  });
  return renamed;
}
