/** Where the records are. */
import * as z from 'zod';
import { databaseUrlProblem, postgresqlUrlProblem } from '../../database/database-url.js';
import { duration, list, setting } from './setting.js';

export const databaseSettings = {
  databaseUrl: setting({
    name: 'DATABASE_URL',
    ...address(databaseUrlProblem),
    default: 'file:./data/records.db',
    meaning:
      'Where the records are: file:<path> for SQLite, created on the first start, or postgresql://… for PostgreSQL, with ?schema=<name> and other parameters (docs/database.md).',
  }),
  databaseDirectUrl: setting({
    name: 'DATABASE_DIRECT_URL',
    ...optional(address(postgresqlUrlProblem)),
    meaning:
      'If DATABASE_URL leads to a pooler, such as PgBouncer: the same PostgreSQL database without it, for migrations and for signals between processes. If not set, migrations go through the pooler, and processes poll for commits of others.',
  }),
  databaseReadUrl: setting({
    name: 'DATABASE_READ_URL',
    ...listed(address((urls) => urls.split(',').map(postgresqlUrlProblem).find(Boolean))),
    meaning:
      'Hot standbys of the PostgreSQL database in DATABASE_URL, separated by commas. They answer reads, and a key still sees its own writes (docs/database.md).',
  }),
  databaseWait: setting({
    name: 'DATABASE_WAIT',
    form: duration,
    default: '60',
    meaning:
      'Seconds for which the start waits for a database that cannot be reached. With 0 it tries once, for 10 s at most.',
    requirement: 'must be a number of seconds from 0 to 9999',
  }),
};

/** An address, of which no part is shown: it may contain a password. */
function address(problemOf: (url: string) => string | undefined) {
  return {
    form: z.string().refine((url) => problemOf(url) === undefined),
    requirement: (url: string) => problemOf(url) ?? '',
    secret: true as const,
  };
}

function optional({ form, ...facts }: ReturnType<typeof address>) {
  return { ...facts, form: form.optional() };
}

function listed({ form, ...facts }: ReturnType<typeof address>) {
  return { ...facts, form: list(form) };
}
