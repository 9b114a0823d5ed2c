/** A subscription of the client `graphql-sse`, event by event. */
import { createClient } from 'graphql-sse';
import type { TestGateway } from '../../support/gateway.js';

/** An event as a test selects it. Its position is a number here, to be compared with those of the journal. */
export interface StreamedEvent {
  position: number;
  notice: string | null;
  record: Record<string, unknown> | null;
  [field: string]: unknown;
}

export interface Stream {
  /** The next event, within a minute. @throws the errors of a result that has some, or that the stream has ended */
  next(): Promise<StreamedEvent>;
  stop(): void;
}

export function watch(
  { url, key }: Pick<TestGateway, 'url' | 'key'>,
  query: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Stream {
  const client = createClient({
    url: `${url}/graphql`,
    headers: { authorization: `Bearer ${key}`, ...headers },
    retryAttempts: 0,
  });
  const { after } = variables;
  const results = client.iterate<Record<string, StreamedEvent>>({
    query,
    variables: { ...variables, ...(typeof after === 'number' ? { after: String(after) } : {}) },
  });
  return {
    async next() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('No event within a minute')), 60_000);
      });
      const result = await Promise.race([results.next(), late]).finally(() => clearTimeout(timer));
      if (result.done) throw new Error('The stream has ended');
      const { data, errors } = result.value;
      const event = data && Object.values(data)[0];
      if (errors || !event) throw new Error(JSON.stringify(errors ?? data));
      return typeof event.position === 'string' ? { ...event, position: Number(event.position) } : event;
    },
    stop: () => client.dispose(),
  };
}
