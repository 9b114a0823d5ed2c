/** A proxy in front of PostgreSQL that hides which of its connections is behind one, as poolers do. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Returns the URL through it, and the way to stop. */
export async function startPooler(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(Number(target.port), target.hostname);
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, behind].map((each) => each.destroy()));
    }
    client.pipe(behind);
    behind.on('data', (chunk) => client.write(withOtherProcess(chunk)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The message BackendKeyData: `K`, its length, the process and its key. */
const backendKeyData = Buffer.from([0x4b, 0, 0, 0, 12]);

function withOtherProcess(chunk: Buffer): Buffer {
  const place = chunk.indexOf(backendKeyData);
  if (place < 0) return chunk;
  const other = Buffer.from(chunk);
  other.writeInt32BE(1, place + backendKeyData.length);
  return other;
}
