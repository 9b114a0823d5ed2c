/** Replaces a person by an opaque name, everywhere in a database. */
import { renameAuthor } from '../../change/rename-author.js';
import { ExplainedError } from '../../common/config-error.js';
import type { Procedure } from '../../common/work.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import { datamodel } from '../../generated/datamodel.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import { newShortId } from '../../model/ids.js';

export interface Forgotten {
  /** What stands in place of the subject. */
  as: string;
  records: number;
  entries: number;
  uses: number;
}

/** @throws for a subject that is no person, and for one of whom nothing is known */
export async function forgetPerson(
  database: OpenedDatabase,
  subject: string,
  tell: (text: string) => void,
): Promise<Forgotten> {
  if (!subject.includes('|')) {
    throw new ExplainedError(
      `\`${subject}\` names no person: give issuer and subject with a | between, as \`createdBy\` has them. Keys are ended by \`records keys revoke\`.`,
    );
  }
  const as = `forgotten|${newShortId('x').slice(2)}`;
  let toldAt = Date.now();
  const progress = (rows: number) => {
    if (Date.now() - toldAt < 2_000) return;
    toldAt = Date.now();
    tell(`${rows.toLocaleString('en')} rows looked through\n`);
  };
  const resources = createResources(datamodel, catalogue);
  const { provider, perform } = database;
  const renamed = await renameAuthor(database, resources, { author: subject, other: as, name: 'forgotten' }, progress);
  const uses = await perform(function* (): Procedure<number> {
    const counts = new StatementBuilder(provider);
    const set = `UPDATE "ApiUse" SET "keyId" = ${counts.bind(as)} WHERE "keyId" = ${counts.bind(subject)} RETURNING 1`;
    const changed = yield { callsNoListeners: true, ...counts.statement(set) };
    const limit = new StatementBuilder(provider);
    yield {
      callsNoListeners: true,
      ...limit.statement(`DELETE FROM "RateWindow" WHERE "keyId" = ${limit.bind(subject)}`),
    };
    return changed.length;
  });
  if (renamed.records + renamed.entries + uses === 0) {
    throw new ExplainedError(
      `Nothing in this database names \`${subject}\`. Compare it with \`createdBy\` of a record.`,
    );
  }
  return { as, ...renamed, uses };
}
