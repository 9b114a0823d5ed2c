/** An address in front of a primary and its standbys that leads to the present primary, as HAProxy does. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Relay {
  port: number;
  /** From now on it leads there, and the connections that led elsewhere are cut. */
  leadTo(port: number): void;
  /** From now on it leads there, and the connections that lead elsewhere stay. */
  leadNewTo(port: number): void;
  /** From now on nothing passes on the connections that are open, and they stay open. */
  hold(): void;
  stop(): void;
}

export async function startRelay(first: number): Promise<Relay> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(target, '127.0.0.1');
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        for (const each of [client, behind]) each.destroy();
      });
    }
    client.pipe(behind).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The relay has no port');
  return {
    port: address.port,
    leadTo: (port) => {
      target = port;
      cut();
    },
    leadNewTo: (port) => {
      target = port;
    },
    hold: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    stop: () => {
      server.close();
      cut();
    },
  };
}
