/**
 * A proxy in front of PostgreSQL that makes every nth statement of a gateway fail with a real 40001: it replaces the
 * statement by a call of a function that raises the error, so the server undoes the transaction as in a true conflict.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Messages } from './postgresql-messages.js';

/**
 * One of this many statements fails. A prime, so that repeated work fails at another statement each time. A transaction
 * with more statements never succeeds.
 */
const oneIn = Number(process.env.CONFLICT_ONE_IN ?? 23);

/** Creates the function that raises a conflict, in the database that tests copy. */
export const raisingConflicts = `CREATE FUNCTION "gateway_test_conflict"() RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
  BEGIN RAISE EXCEPTION 'could not serialize access (test)' USING ERRCODE = '40001'; END $$`;
const raise = 'SELECT gateway_test_conflict()';
const prepared = 'gateway_test_conflict';

/** How many statements this process has made to fail. */
export const conflicts = { count: 0 };

let statements = 0;
let started: Promise<number> | undefined;

/** The URL of the same database through the proxy, with the profile `distributed`. */
export async function throughConflicts(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const target = { port: Number(url.port), host: url.hostname };
  started ??= start(target);
  url.port = String(await started);
  url.searchParams.set('profile', 'distributed');
  return url.href;
}

async function start(target: { port: number; host: string }): Promise<number> {
  const server = createServer((client) => {
    const behind = connect(target);
    for (const socket of [client, behind]) {
      socket.on('error', () => undefined).on('close', () => [client, behind].map((each) => each.destroy()));
    }
    relay(client, behind);
  });
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
  return address.port;
}

function relay(client: Socket, behind: Socket): void {
  const texts = new Map<string, string>();
  let isGateway = false;
  // The first message has no type. The connections of a gateway are recognised by its application name.
  const requests = new Messages({ first: true }, (type, message) => {
    if (type === '') isGateway = /application_name\0business-records-gateway\0/.test(message.toString('latin1'));
    behind.write(isGateway ? altered(type, message, texts) : message);
  });
  client.on('data', (chunk) => requests.take(chunk));

  // When the server is ready for the first time, the failing statement is prepared, before the gateway is told that it
  // is ready.
  let isPreparing = false;
  let isPrepared = false;
  const answers = new Messages({ first: false }, (type, message) => {
    if (type === 'Z' && isGateway && !isPreparing) {
      isPreparing = true;
      behind.write(query(`PREPARE ${prepared} AS ${raise}`));
      return;
    }
    if (isPreparing && !isPrepared) {
      if (type !== 'Z') return;
      isPrepared = true;
    }
    client.write(message);
  });
  behind.on('data', (chunk) => answers.take(chunk));
}

/** The message of a gateway, or the one that fails in its place. */
function altered(type: string, message: Buffer, texts: Map<string, string>): Buffer {
  if (type === 'P') {
    const [name = '', text = ''] = textsOf(message);
    texts.set(name, text);
  } else if (type === 'Q') {
    const [text = ''] = textsOf(message);
    if (!isCounted(text) || !hasTurn()) return message;
    return query(/^COMMIT/i.test(text) ? `ROLLBACK; ${raise}` : raise);
  } else if (type === 'B') {
    const [portal = '', statement = ''] = textsOf(message);
    if (isCounted(texts.get(statement) ?? '') && hasTurn()) return binding(portal);
  }
  return message;
}

/** Statements that begin or end a transaction or set a savepoint cannot conflict, except a commit. */
const isCounted = (text: string): boolean => !/^\s*(BEGIN|START|ROLLBACK|SAVEPOINT|RELEASE|SET|SHOW)\b/i.test(text);

function hasTurn(): boolean {
  if (++statements % oneIn !== 0) return false;
  conflicts.count++;
  return true;
}

/** The texts at the beginning of a message, each of which ends with a zero. */
const textsOf = (message: Buffer): string[] => message.subarray(5).toString('utf8').split('\0', 2);

const query = (text: string): Buffer => messageOf('Q', Buffer.from(`${text}\0`));

/** Binds the statement that fails, without values, in place of another. */
const binding = (portal: string): Buffer =>
  messageOf('B', Buffer.concat([Buffer.from(`${portal}\0${prepared}\0`), Buffer.alloc(6)]));

function messageOf(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
