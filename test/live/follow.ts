/** The example of docs/live.md: a subscription that continues after each break. */
import type { GraphQLError } from 'graphql';
import { type Client, NetworkError } from 'graphql-sse';
import type { StreamedEvent as Event } from './watch.js';

export { follow };

/** What a stream sends, with what could not be read of its record. */
type Followed = Event & { errors?: readonly GraphQLError[] };

async function* follow(
  client: Client,
  query: string,
  variables: Record<string, unknown>,
  after?: number,
): AsyncGenerator<Followed, never> {
  for (;;) {
    try {
      const results = client.iterate<Record<string, Event>>({ query, variables: { ...variables, after } });
      for await (const { data, errors } of results) {
        const event = Object.values(data ?? {})[0];
        // Without an event, the operation or its key is refused.
        if (!event) throw new Error(errors?.[0]?.message);
        after = event.position;
        yield { ...event, ...(errors ? { errors } : {}) };
      }
    } catch (error) {
      if (!mayPass(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Whether to ask again: after a lost connection, and if the gateway has too much to do. A refused key stays refused. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof NetworkError)) return false;
  const { status = 503 } = error.response ?? {};
  return status === 429 || status >= 500;
}
