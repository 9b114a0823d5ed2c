import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy like those of people: it passes on what lies below its paths, without them, to the gateway of each. */
export async function pathProxy() {
  const gateways = new Map<string, string>();
  const server = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const [path = '', gateway] = [...gateways].find(([path]) => url.startsWith(`${path}/`)) ?? [];
    if (!gateway) return void response.writeHead(404).end('The proxy knows no such path.');
    const target = new URL(gateway);
    const given = { host: target.hostname, port: target.port, path: url.slice(path.length), method, headers };
    const onwards = ask(given, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    response.on('close', () => onwards.destroy());
    request.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on the gateway is below the path. */
    pass: (path: string, gateway: string) => void gateways.set(path, gateway),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
