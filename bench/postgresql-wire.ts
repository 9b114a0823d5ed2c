/**
 * A proxy to PostgreSQL that counts the statements passing through (protocol 3.0: a message is a type letter, its
 * length in four bytes, and its content; the first message has no letter).
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { StatementCounts } from './count-statements.js';

export interface PostgresqlWire {
  /** The URL of the same database through the proxy. */
  url: string;
  counts: StatementCounts;
  close(): void;
}

export async function postgresqlWire(databaseUrl: string): Promise<PostgresqlWire> {
  const counts: StatementCounts = { statements: 0, prepared: 0 };
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.setNoDelay().on('error', () => socket.destroy());
    }
    const take = messageReader((letter) => {
      if (letter === 'Q' || letter === 'E') counts.statements++;
      if (letter === 'P') counts.prepared++;
    });
    client.on('data', take);
    client.pipe(database).pipe(client);
  });
  const url = new URL(databaseUrl);
  url.port = String(await listen(server));
  return {
    url: url.href,
    counts,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Parses the client's bytes, in chunks of any size, and reports the type letter of each message. */
function messageReader(told: (letter: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const lengthAt = isFirst ? 0 : 1;
      if (rest.length < lengthAt + 4) return;
      const size = lengthAt + rest.readUInt32BE(lengthAt);
      if (rest.length < size) return;
      if (!isFirst) told(String.fromCharCode(rest[0] ?? 0));
      isFirst = false;
      rest = rest.subarray(size);
    }
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
    });
  });
}
