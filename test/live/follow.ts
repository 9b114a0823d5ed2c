/** The example of docs/live.md: a subscription that continues after each break. */
import { type Client, NetworkError } from 'graphql-sse';
import type { StreamedEvent as Event } from './watch.js';

export { follow };

async function* follow(client: Client, query: string, variables: Record<string, unknown>, after?: number) {
  for (;;) {
    try {
      const results = client.iterate<Record<string, Event>>({ query, variables: { ...variables, after } });
      for await (const { data, errors } of results) {
        if (errors) throw new Error(errors[0]?.message);
        const event = Object.values(data ?? {})[0];
        if (!event) continue;
        after = event.position;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
