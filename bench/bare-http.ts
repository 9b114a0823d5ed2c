/**
 * The least that a server in the gateway's shape can do on SQLite: node:http that reads the body, hashes the key, runs the
 * statement that the gateway runs, in a snapshot shared by each turn, and writes the gateway's headers. It checks nothing
 * else: no cost, scopes, variables, limits, deadline or log. Only for GraphQL reads. Reads DATABASE_URL, PORT and API_KEY.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { sqlitePath } from '../src/database/sqlite/open-sqlite.js';
import { SqliteSnapshot } from '../src/database/sqlite/reads.js';
import { SqliteConnection } from '../src/database/sqlite/sqlite-connection.js';
import { noStore, securityHeaders } from '../src/gateway/http/answer/headers.js';
import { createAdmission } from '../src/graphql/operation/admission.js';
import type { Variables } from '../src/model/selection.js';
import { compiledReadsOf } from '../src/query/compiled/reads.js';
import { schema } from '../test/support/schema.js';

const key = hash('sha256', process.env.API_KEY ?? '');
const limit = 32 * 1024 * 1024;
const headers = [...securityHeaders, ...noStore, 'Content-Type', 'application/json; charset=utf-8'];

const connection = new SqliteConnection(sqlitePath(process.env.DATABASE_URL ?? ''), { readonly: true });
connection.script('PRAGMA query_only = ON; PRAGMA cache_size = -128000;');
const snapshot = new SqliteSnapshot(connection);
const admission = createAdmission(schema, { costLimit: 1_000_000 });
const readOf = compiledReadsOf('sqlite', limit);

interface Request {
  query: string;
  variables: Variables;
}

type Answer = (variables: Variables) => string;

/** The compiled form of each text. */
const answers = new Map<string, Answer>();

function answerOf({ query, variables }: Request): Answer {
  const read = readOf(admission.fromRequest({ query, variables }, false));
  if (!read) throw new Error(`Not answered by one statement: ${query}`);
  return (given) => {
    const fields = read.run(given, (sql, values) => snapshot.read(sql, values));
    if (!fields || fields instanceof Promise) throw new Error('SQLite answers at once');
    return `{"data":{${fields.map((field) => `"${field.key}":${field.text}`).join()}}}`;
  };
}

function answer(request: Request): string {
  const known = answers.get(request.query) ?? answerOf(request);
  answers.set(request.query, known);
  return known(request.variables);
}

function bodyOf(request: IncomingMessage): Promise<Request> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
  });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, [...headers, 'Content-Length', String(body.length)]).end(body, 'latin1');
}

createServer((request, response) => {
  const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
  if (hash('sha256', secret) !== key) return send(response, 401, '{}');
  bodyOf(request).then(
    (body) => send(response, 200, answer(body)),
    (error) => send(response, 500, JSON.stringify({ errors: [String(error)] })),
  );
}).listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
