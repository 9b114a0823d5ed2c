import type { IncomingMessage, ServerResponse } from 'node:http';

/** The way out: once draining, every answer closes its connection, so that no client sends another request on it. */
export interface Drain {
  handler(request: IncomingMessage, response: ServerResponse): void;
  begin(): void;
  hasBegun(): boolean;
}

export function createDrain(): Drain {
  let draining = false;
  const underWay = new Set<ServerResponse>();

  return {
    handler: (_request, response) => {
      if (draining) response.setHeader('Connection', 'close');
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
    },
    begin: () => {
      draining = true;
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    hasBegun: () => draining,
  };
}
