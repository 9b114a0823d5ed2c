import type { GraphQLError } from 'graphql';
import { type Client, NetworkError } from 'graphql-sse';

/** What is selected of an event, with what could not be read of its record. */
export type Followed<Event> = Event & { errors?: readonly GraphQLError[] };

/** Follows a stream whose query declares `$after`. Where the stream ends, it continues behind the last event. */
export async function* follow<Event extends { position: string }>(
  client: Client,
  query: string,
  { after, ...variables }: Record<string, unknown> = {},
  signal?: AbortSignal,
): AsyncGenerator<Followed<Event>, void> {
  while (!signal?.aborted) {
    const results = client.iterate<Record<string, Event>>({ query, variables: { ...variables, after } });
    const stop = () => void results.return?.(undefined);
    signal?.addEventListener('abort', stop);
    try {
      for await (const { data, errors } of results) {
        const event = Object.values(data ?? {})[0];
        // Without an event, the operation or its key is refused.
        if (!event) throw new Error(errors?.[0]?.message);
        after = event.position;
        yield { ...event, ...(errors ? { errors } : {}) };
      }
    } catch (error) {
      if (!mayPass(error)) throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    // Not all at the same time: many pages may have lost the same gateway.
    await new Promise((resolve) => setTimeout(resolve, 1_000 + 1_000 * Math.random()));
  }
}

/** Whether to ask again: after a lost connection, and if the gateway has too much to do. A refused key stays refused. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof NetworkError)) return false;
  const { status = 503 } = error.response ?? {};
  return status === 429 || status >= 500;
}
