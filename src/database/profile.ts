/**
 * Which features the database behind a URL has. The profile `distributed` is for engines that use PostgreSQL's protocol
 * and keep records on many machines: transactions are SERIALIZABLE, and there are no triggers of statements, no
 * sequences, no advisory or table locks, and no NOTIFY. Its tables come from a migration history of their own, which
 * uses none of these.
 */
import { DatabaseStartError } from './database-start-error.js';

export type Profile = 'postgresql' | 'distributed';

const parameter = 'profile';

/** The profile that the URL of a PostgreSQL database names. @throws DatabaseStartError if there is none of that name */
export function profileOf(url: string): Profile {
  const name = URL.canParse(url) ? new URL(url).searchParams.get(parameter) : null;
  if (name === null) return 'postgresql';
  if (name === 'distributed') return 'distributed';
  throw new DatabaseStartError(
    `DATABASE_URL has the profile ${name}, which is unknown. Leave it out, or write ?profile=distributed.`,
  );
}
