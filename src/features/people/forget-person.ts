/** Replaces a person by an opaque name, everywhere in a database. */
import { renameAuthor } from '../../change/rename-author.js';
import { ExplainedError } from '../../common/config-error.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import { newShortId } from '../../model/ids.js';

/**
 * `as` is what stands in place of the subject. `tell` is called with each table before it is looked through. @throws for a subject that is no person, and for one of whom nothing is known
 */
export async function forgetPerson(database: OpenedDatabase, subject: string, tell: (table: string) => void) {
  if (!subject.includes('|')) {
    throw new ExplainedError(
      `\`${subject}\` names no person: give issuer and subject with a | between, as \`createdBy\` has them. Keys are ended by \`records keys revoke\`.`,
    );
  }
  const as = `forgotten|${newShortId('x').slice(2)}`;
  const renamed = await renameAuthor(database, { author: subject, other: as, name: 'forgotten' }, tell);
  const { client } = database;
  const { count: uses } = await client.apiUse.updateMany({ where: { keyId: subject }, data: { keyId: as } });
  await client.rateWindow.deleteMany({ where: { keyId: subject } });
  if (renamed.records + renamed.entries + uses === 0) {
    throw new ExplainedError(
      `Nothing in this database names \`${subject}\`. Compare it with \`createdBy\` of a record.`,
    );
  }
  return { as, ...renamed, uses };
}
