import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that has reached a receiver. */
export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  url: string;
  at: number;
}

export type Answering = (request: Received, response: ServerResponse, raw: IncomingMessage) => void;

/** An HTTP server that keeps what it receives, and answers 204 unless told otherwise. Ends with the test. */
export async function startReceiver(answer: Answering = (_, response) => void response.writeHead(204).end()) {
  const received: Received[] = [];
  const receiver = { url: '', received, answer, connections: 0, close: () => {} };
  const server = createServer(async (request, response) => {
    let text = '';
    request.setEncoding('utf8');
    try {
      for await (const piece of request) text += piece;
    } catch {
      return;
    }
    const { headers, url = '' } = request;
    const one = { headers, text, url, at: performance.now() };
    received.push(one);
    receiver.answer(one, response, request);
  });
  server.on('connection', () => {
    receiver.connections++;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  receiver.url = `http://127.0.0.1:${port}/hook`;
  receiver.close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(receiver.close);
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
