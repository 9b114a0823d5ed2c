/** Why PostgreSQL cannot be used, in one line with what mends it. No part of a password is in it. */

import { systemCode } from '../../common/write-problem.js';
import { adapterErrorOf, DatabaseStartError, databaseMessage, databaseProblem } from '../database-problem.js';
import { type PostgresqlAddress, readAddress } from '../database-url.js';
import { isOfConnecting } from './tool-session.js';

/** The code is of PostgreSQL, of the system or of TLS; what is said are the server's or the driver's own words. */
type Facts = ReturnType<typeof factsOf> & { code: string; said: string };

/** Undefined for an error that has nothing to do with the database. `setting` names where the address was given. */
export function postgresqlStartProblem(url: string, error: unknown, setting: string): DatabaseStartError | undefined {
  const code = adapterErrorOf(error)?.cause.originalCode || systemCode(error);
  const facts = { ...factsOf(readAddress(url)), code, said: lineOf(databaseMessage(error)) };
  // Only the file system begins a message with the code.
  if (code && facts.said.startsWith(`${code}: `)) return undefined;
  const remedy = remedies.find(([pattern]) => pattern.test(code) || pattern.test(facts.said));
  const isKnown = remedy || isOfConnecting(error) || /^(?!E)[\dA-Z]{5}$/.test(code);
  if (!isKnown && databaseProblem(error) === undefined) return undefined;
  const [, message] = remedy ?? [/^/, unknown];
  const mayPass = /^53300$/.test(code) || message === unreachable || message === standby;
  return new DatabaseStartError(message(facts).replaceAll('DATABASE_URL', setting), { cause: error, mayPass });
}

function factsOf({ host, port, user, database, parameters: { schema } }: PostgresqlAddress) {
  const { env } = process;
  const named = user ?? env.PGUSER ?? env.USER ?? '';
  const at = host ?? env.PGHOST ?? 'localhost';
  const place = port === undefined ? at : `${at.includes(':') ? `[${at}]` : at}:${port}`;
  return { place, user: named, database: database ?? env.PGDATABASE ?? named, schema };
}

const lineOf = (text: string): string => text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
const name = (text: string): string => (/^[a-z_][a-z\d_]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`);
const rights = ({ user, schema }: Facts) =>
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name(schema)} TO ${name(user)}; ` +
  `GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${name(schema)} TO ${name(user)}; ` +
  `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${name(schema)} TO ${name(user)}`;
const sees = 'docs/database.md#rights-of-the-role lists the rights that a role needs.';
const unknown = ({ place, said, code }: Facts) =>
  `PostgreSQL at ${place} cannot be used: ${said}${code && ` (${code})`}. See its log.`;

const unreachable = ({ place, code, said }: Facts) =>
  `PostgreSQL at ${place} cannot be reached (${code.startsWith('E') ? code : said}). Start it, or set DATABASE_URL to where it runs.`;

const standby = ({ place }: Facts) =>
  `PostgreSQL at ${place} is a hot standby, on which nothing can be written. Set DATABASE_URL to the primary.`;

/** By the codes of PostgreSQL (Appendix A of its manual), of Node and of OpenSSL, or by the words of the server. */
const remedies: [RegExp, (facts: Facts) => string][] = [
  [/leads to a hot standby/, standby],
  [
    /no channel binding/,
    ({ place }) =>
      `PostgreSQL at ${place} offers no channel binding, which channel_binding=require asks for. It takes TLS (sslmode) and a password by scram-sha-256, and no pooler between that does not offer it; or write channel_binding=prefer into DATABASE_URL.`,
  ],
  [
    /no pg_hba\.conf entry .*no encryption|SSL (connection )?is required/,
    ({ place, said }) =>
      `PostgreSQL at ${place} takes encrypted connections only (${said}). Add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE if the authority is your own.`,
  ],
  [
    /^(28P01|28000)$/,
    ({ place, user, said }) =>
      `PostgreSQL at ${place} does not let the user ${user} in: ${said}. Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.`,
  ],
  [
    /password must be a string/i,
    ({ place, user }) =>
      `PostgreSQL at ${place} asks for the password of the user ${user}. Set it in DATABASE_URL or in PGPASSWORD.`,
  ],
  [
    /^3D000$/,
    ({ place, user, database }) =>
      `PostgreSQL at ${place} has no database ${database}. Make it (as an administrator: CREATE DATABASE ${name(database)} OWNER ${name(user)} TEMPLATE template0 ENCODING 'UTF8'), or set DATABASE_URL.`,
  ],
  [
    /^53300$/,
    ({ place, said }) =>
      `PostgreSQL at ${place} has no connection left: ${said}. Raise max_connections or the limit of the role (ALTER ROLE … CONNECTION LIMIT), write a lower ?connection_limit= into DATABASE_URL, or free some.`,
  ],
  [
    /permission denied for schema|^3F000$/,
    ({ place, user, schema, said }) =>
      `The user ${user} may not use the schema ${schema} of PostgreSQL at ${place}: ${said}. Run as its owner: GRANT USAGE, CREATE ON SCHEMA ${name(schema)} TO ${name(user)}; without CREATE, migrate as its owner and set MIGRATE=false. ${sees}`,
  ],
  [
    // Only of connecting, the name is in quotes.
    /permission denied for database "/,
    ({ place, user, database, said }) =>
      `The user ${user} may not connect to the database ${database} of PostgreSQL at ${place}: ${said}. Run as the owner of the database: GRANT CONNECT ON DATABASE ${name(database)} TO ${name(user)}. ${sees}`,
  ],
  [
    /permission denied for database/,
    ({ place, user, database, schema, said }) =>
      `The user ${user} may not make the schema ${schema} in PostgreSQL at ${place}: ${said}. Run as the owner of the database: CREATE SCHEMA ${name(schema)} AUTHORIZATION ${name(user)}; or GRANT CREATE ON DATABASE ${name(database)} TO ${name(user)}. ${sees}`,
  ],
  [
    /must be owner of/,
    ({ place, user, said }) =>
      `The user ${user} may not migrate the database of PostgreSQL at ${place}: ${said}. Migrate as the owner (\`records migrate apply\`) and set MIGRATE=false, or run: GRANT <owner> TO ${name(user)}. ${sees}`,
  ],
  [
    /permission denied to set parameter "session_replication_role"/,
    ({ place, user, database }) =>
      `PostgreSQL at ${place} has session_replication_role = replica for the user ${user}: with it no foreign key and no trigger holds. Take it from where it is set (\`\\drds\` of psql shows roles and databases, SHOW the server, and ?options= the address); for the role: ALTER ROLE ${name(user)} RESET session_replication_role; for the database: ALTER DATABASE ${name(database)} RESET session_replication_role`,
  ],
  [
    /^42501$/,
    (facts) =>
      `The user ${facts.user} lacks a right in PostgreSQL at ${facts.place}: ${facts.said}. Run as the owner of the tables: ${rights(facts)}. ${sees}`,
  ],
  [
    /^25006$/,
    ({ place, database }) =>
      `The database ${database} of PostgreSQL at ${place} is read-only: it is a standby, or was made read-only. Set DATABASE_URL to the primary, or allow writes.`,
  ],
  [
    /^P3005$/,
    ({ place, database, schema }) =>
      `The schema ${schema} of the database ${database} in PostgreSQL at ${place} has tables of another program. Name a schema of its own by ?schema=records in DATABASE_URL, or another database.`,
  ],
  [
    /does not support SSL connections/,
    ({ place }) =>
      `PostgreSQL at ${place} has no TLS, which sslmode asks for. Turn it on in the server (ssl = on), or write sslmode=disable into DATABASE_URL.`,
  ],
  [
    /error establishing an SSL connection/,
    ({ place }) =>
      `What answers at ${place} is no PostgreSQL, or refuses TLS, which sslmode asks for. Set DATABASE_URL to the host and the port of PostgreSQL.`,
  ],
  [
    /^(ERR_(TLS|SSL|OSSL)\w*|\w*(CERT|CERTIFICATE|SIGNATURE|CRL)\w*|EPROTO|INVALID_CA)$|SSL alert|certificate/,
    ({ place, code, said }) =>
      `The TLS connection to PostgreSQL at ${place} failed: ${said} (${code}). Check sslmode, sslrootcert, sslcert and sslkey in DATABASE_URL: sslrootcert=FILE names the authority, and verify-full wants the host of the certificate.`,
  ],
  [
    /^(57014|25P0[234]|55P03)$/,
    ({ place, said }) =>
      `A statement of the start was ended by PostgreSQL at ${place}: ${said}. Look in pg_stat_activity for what holds it up, and start again.`,
  ],
  [
    /^(22023|42704|55P02)$/,
    ({ place, said }) =>
      `PostgreSQL at ${place} refuses a setting of the session: ${said}. Check the parameters of DATABASE_URL.`,
  ],
  [
    /^(E(CONN\w+|TIMEDOUT|NOTFOUND|AI_AGAIN|(HOST|NET)(UNREACH|DOWN))|08\w{3}|57P\w{2})$|^connect E|timeout|terminated/,
    unreachable,
  ],
];
