import type { RequestHandler, Response } from 'express';

/** The way out: once draining, every answer closes its connection, so that no client sends another request on it. */
export interface Drain {
  handler: RequestHandler;
  begin(): void;
  hasBegun(): boolean;
}

export function createDrain(): Drain {
  let draining = false;
  const underWay = new Set<Response>();

  return {
    handler: (_request, response, next) => {
      if (draining) response.setHeader('Connection', 'close');
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
      next();
    },
    begin: () => {
      draining = true;
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
    },
    hasBegun: () => draining,
  };
}
