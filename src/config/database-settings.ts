/** Where the records are. */
import * as z from 'zod';
import { list } from './forms.js';
import { setting } from './setting.js';

export const databaseSettings = {
  databaseUrl: setting({
    name: 'DATABASE_URL',
    form: z.string().regex(/^(file:|postgres(ql)?:\/\/)./),
    default: 'file:./data/records.db',
    meaning:
      'Where the records are: file:<path> for SQLite, created on the first start, or postgresql://… for PostgreSQL, with ?profile=distributed for engines on many machines (docs/database.md).',
    requirement: 'must begin with file: (SQLite) or postgresql:// (PostgreSQL)',
    secret: true, // a PostgreSQL URL contains the password
  }),
  databaseDirectUrl: setting({
    name: 'DATABASE_DIRECT_URL',
    form: z
      .string()
      .regex(/^postgres(ql)?:\/\/./)
      .optional(),
    meaning:
      'If DATABASE_URL leads to a pooler, such as PgBouncer: the same PostgreSQL database without it, for migrations and for signals between processes. If not set, migrations go through the pooler, and processes poll for commits of others.',
    requirement: 'must begin with postgresql://',
    secret: true, // it contains the password
  }),
  databaseReadUrl: setting({
    name: 'DATABASE_READ_URL',
    form: list(z.string().regex(/^postgres(ql)?:\/\/[^,]+(,postgres(ql)?:\/\/[^,]+)*$/)),
    meaning:
      'Hot standbys of the PostgreSQL database in DATABASE_URL, separated by commas. They answer reads, and a key still sees its own writes (docs/database.md).',
    requirement: 'must be URLs that begin with postgresql://, separated by commas',
    secret: true, // they contain passwords
  }),
};
