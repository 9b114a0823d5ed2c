/**
 * Graceful shutdown: while draining, every answer closes its connection, so that no client sends another request on it.
 */
export interface Drain {
  begin(): void;
  hasBegun(): boolean;
}

export function createDrain(): Drain {
  let draining = false;
  return {
    begin: () => {
      draining = true;
    },
    hasBegun: () => draining,
  };
}
