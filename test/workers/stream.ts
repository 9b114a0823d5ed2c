import { Agent, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { API_KEY, type Workers } from './workers.js';

export interface OpenStream {
  status: number;
  /** All that it has told. */
  told(): string;
  hasEnded(): boolean;
  close(): void;
}

/** Opens a stream of all changes on a connection of its own. */
export async function openStream({ url }: Workers): Promise<OpenStream> {
  const outgoing = request(`${url}/api/events`, {
    agent: new Agent({ keepAlive: false }),
    headers: { authorization: `Bearer ${API_KEY}`, accept: 'text/event-stream' },
  });
  let told = '';
  let hasEnded = false;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).on('error', reject).end();
  });
  response.setEncoding('utf8').on('data', (more: string) => {
    told += more;
  });
  response
    .on('error', () => {})
    .on('close', () => {
      hasEnded = true;
    });
  const close = () => void outgoing.destroy();
  onTestFinished(close);
  return { status: response.statusCode ?? 0, told: () => told, hasEnded: () => hasEnded, close };
}
