/** Requests whose bodies arrive later than their headers. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export const path = '/api/crm/industry-type';
export const industry = 'of a key that ended';
export const created = `mutation { createIndustryType(input: { industry: "${industry}" }) { record { id } } }`;

/** Requests with a body, by the surface and what they ask for. */
export const requests = {
  'a create by REST': { path, body: { industry } },
  'a create by REST with an Idempotency-Key': { path, body: { industry }, headers: { 'Idempotency-Key': 'once' } },
  'a mutation': { path: '/graphql', body: { query: created } },
  'a query': { path: '/graphql', body: { query: '{ industryTypes { totalCount } }' } },
  'a subscription': {
    path: '/graphql',
    body: { query: 'subscription { industryTypeChanged { position } }' },
    headers: { Accept: 'text/event-stream, application/json' },
  },
};

interface SlowRequest {
  path: string;
  body: unknown;
  headers?: Record<string, string>;
}

/** Sends the headers and three bytes of the body; the returned function sends the rest, and resolves with the answer. */
export async function sendSlowly(url: string, secret: string, { path, body, headers = {} }: SlowRequest) {
  const bytes = JSON.stringify(body);
  const lines = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers };
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${secret}\r\n`);
  for (const [name, value] of Object.entries(lines)) socket.write(`${name}: ${value}\r\n`);
  socket.write(`\r\n${bytes.slice(0, 3)}`);
  const answer = text(socket);
  // The headers have arrived and are worked on.
  await sleep(200);
  return async () => {
    socket.write(bytes.slice(3));
    // A stream would go on for ever.
    const closing = setTimeout(() => socket.end(), 5000);
    const [head = '', ...rest] = (await answer).split('\r\n\r\n');
    clearTimeout(closing);
    return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
  };
}

/** Longer than an answer about a key is cached. */
export const aSecond = 1100;
