/** A page that follows streams by graphql-sse, as docs/live.md shows it. */
import { createClient } from 'graphql-sse';
import { type Followed, follow } from '../recipes/follow.js';

interface Event {
  position: string;
  notice: string | null;
  recordId: string | null;
  record?: object | null;
}

interface Stream {
  events: Followed<Event>[];
  requests: number;
  /** How it ended; empty while it goes on. */
  ended: string;
}

const streams: Stream[] = [];
const controls: AbortController[] = [];

export function begin(key: string, query: string, variables: Record<string, unknown>): number {
  const control = new AbortController();
  const stream: Stream = { events: [], requests: 0, ended: '' };
  const client = createClient({
    url: '/graphql',
    headers: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
    fetchFn: (url: string, options: RequestInit) => {
      stream.requests++;
      return fetch(url, options);
    },
  });
  const run = async () => {
    for await (const event of follow<Event>(client, query, variables, control.signal)) stream.events.push(event);
    stream.ended = 'stopped';
  };
  run().catch((error: Error) => {
    stream.ended = error.message;
  });
  controls.push(control);
  return streams.push(stream) - 1;
}

export const seen = (stream: number): Stream | undefined => streams[stream];
export const stop = (stream: number): void => controls[stream]?.abort();
