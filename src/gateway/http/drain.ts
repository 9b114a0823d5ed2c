/**
 * Graceful shutdown: while draining, every answer closes its connection, so that no client sends another request on it.
 */
export interface Drain {
  /** While `isReplaced`, other processes serve at the same address, and clients need not be sent away. */
  begin(isReplaced?: () => boolean): void;
  hasBegun(): boolean;
  /** Whether clients have to go elsewhere. */
  isOver(): boolean;
}

export function createDrain(): Drain {
  let draining = false;
  let replaced = () => false;
  return {
    begin: (isReplaced = () => false) => {
      draining = true;
      replaced = isReplaced;
    },
    hasBegun: () => draining,
    isOver: () => draining && !replaced(),
  };
}
