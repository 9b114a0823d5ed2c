import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves the files of a folder, its `index.html` at `/`, and passes `/graphql` on to a gateway. */
export async function serveFolder(folder: string, gatewayUrl: string) {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => extname(name) in types)
      .map((name) => [`/${name}`, readFileSync(join(folder, name))]),
  );
  let passedTo = gatewayUrl;
  let answersToLose = 0;
  const passed = new Map<IncomingMessage, ServerResponse>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const [name = ''] = path.split('?');
    if (name === '/graphql') {
      const { method, headers } = request;
      const onwards = ask(new URL(path, passedTo), { method, headers }, (answer) => {
        if (answersToLose > 0) {
          answersToLose--;
          answer.on('end', () => response.destroy());
          return void answer.resume();
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => response.destroy());
        answer.pipe(response);
        passed.set(answer, response);
        response.on('close', () => passed.delete(answer));
      });
      onwards.on('error', () => response.destroy());
      response.on('close', () => onwards.destroy());
      return void request.pipe(onwards);
    }
    const asked = name === '/' ? '/index.html' : name;
    const file = files.get(asked);
    response.writeHead(file ? 200 : 404, { 'content-type': types[extname(asked)] ?? 'text/plain' });
    response.end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on this is the gateway. */
    passTo: (url: string) => {
      passedTo = url;
    },
    /** The next answer of the gateway is read, and not passed on. */
    loseAnswer: () => {
      answersToLose++;
    },
    /** Keeps back what comes of the present answers, such as streams, until the function is called that it returns. */
    holdBack: () => {
      const held = [...passed];
      for (const [answer, response] of held) answer.unpipe(response);
      return () => {
        for (const [answer, response] of held) answer.pipe(response);
      };
    },
    /** Ends all connections, streams among them. */
    cut: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
