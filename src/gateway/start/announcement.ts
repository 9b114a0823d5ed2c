import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../common/network.js';
import { readAddress } from '../../database/address/postgresql-address.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import { sqlitePath } from '../../database/sqlite/open-sqlite.js';
import type { Config } from '../config/config.js';

/**
 * The text for the person who started the gateway: the URLs, the key if it was just created, and a first request to
 * paste. A key from the setting API_KEY is never shown.
 */
export function announcement(
  config: Config,
  { address, metrics }: { address: AddressInfo; metrics?: AddressInfo | undefined },
  { isNew }: Pick<OpenedDatabase, 'isNew'>,
  madeKey: string | undefined,
): string {
  const listens = urlOf(config.host, address);
  const url = config.publicUrl || listens;
  // The secret is in the fragment, which a browser never sends, and only if the gateway listens on this machine alone.
  const signsIn = madeKey !== undefined && isLoopback(config.host);
  const header = madeKey ? `'Authorization: Bearer ${madeKey}'` : '"Authorization: Bearer $API_KEY"';
  return `
Business Records Gateway

  REST      ${url}/api
  GraphQL   ${url}/graphql
  Explore   ${url}/${signsIn ? `#key=${madeKey}` : ''}  (in a browser${signsIn ? '; this link signs in' : ''})
${config.publicUrl ? `  Listens   ${listens}\n` : ''}  Records   ${isNew ? 'a new, empty database at ' : ''}${placeOf(config.databaseUrl)}${isNew ? emptyNote : ''}${metrics ? `\n  Metrics   ${urlOf(config.host, metrics)}/metrics` : ''}

${keyNote(config, madeKey)}

Try it:

  curl -H ${header} ${url}/api/assets/asset-repair

`;
}

const emptyNote = '\n            `records seed`, in a checkout `npx records seed`, fills it with sample records';

function keyNote(config: Config, madeKey: string | undefined): string {
  if (madeKey) return `  API key   ${madeKey}\n            made just now and shown this once; only its hash is kept`;
  if (config.apiKey) return '  API key   the one set as API_KEY';
  return '  API key   one made before; lost it? `records keys create --help`';
}

/** A URL that can be opened: a wildcard address is shown as localhost. */
function urlOf(host: string, { port }: AddressInfo): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The location of the records: an absolute path, or a URL without user and password. */
function placeOf(databaseUrl: string): string {
  if (databaseUrl.startsWith('file:')) return sqlitePath(databaseUrl);
  const { host = 'localhost', port, database = '', parameters } = readAddress(databaseUrl);
  const schema = parameters.schema === 'public' ? '' : `, in the schema ${parameters.schema}`;
  return `PostgreSQL at ${host}${port === undefined ? '' : `:${port}`}/${database}${schema}`;
}
