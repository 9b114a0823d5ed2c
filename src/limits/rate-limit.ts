/** What a key may still do in its minute. */
export interface Allowance {
  /** Whether there was a request left for this one. */
  isAllowed: boolean;
  /** Requests per minute. */
  limit: number;
  remaining: number;
  /** Seconds until the next minute, at least 1. */
  reset: number;
}

/** Requests a process may let through on its own account. */
export interface Loan {
  granted: number;
  /** What all processes have been granted this minute, this loan included. */
  used: number;
  /** Milliseconds until the minute is over. */
  ends: number;
}

/** Grants up to `wanted` of the requests a key has in a minute; none where they are used up. */
export type Lend = (keyId: string, wanted: number) => Promise<Loan>;

/** Counts a request of a key. @throws what `lend` throws */
export type CountRequest = (keyId: string) => Promise<Allowance>;

/** A loan is this part of what is left, so that a minute that nears its end is shared request by request. */
const shareOfRest = 1 / 20;

/**
 * At most `limit` requests per key in each minute of the clock. Processes that share a key borrow from its minute ahead
 * of the requests, so that few requests wait for the database and none is let through beyond the limit.
 */
export function createRateLimit(limit: number, lend: Lend): CountRequest {
  const minutes = new Map<string, Minute>();

  const borrow = async (keyId: string): Promise<Minute> => {
    const known = minutes.get(keyId);
    const used = known && performance.now() < known.ends ? known.used : 0;
    const loan = await lend(keyId, Math.max(1, Math.floor((limit - used) * shareOfRest)));
    const minute = { left: loan.granted, used: loan.used, ends: performance.now() + loan.ends };
    minutes.set(keyId, minute);
    return minute;
  };
  const borrowing = new Map<string, Promise<Minute>>();
  /** One loan serves all who wait for one. */
  const borrowOnce = (keyId: string): Promise<Minute> => {
    const underWay = borrowing.get(keyId) ?? borrow(keyId).finally(() => borrowing.delete(keyId));
    borrowing.set(keyId, underWay);
    return underWay;
  };

  return async (keyId) => {
    for (;;) {
      let minute = minutes.get(keyId);
      const isOver = !minute || performance.now() >= minute.ends;
      if (!minute || isOver || (minute.left === 0 && minute.used < limit)) minute = await borrowOnce(keyId);
      const reset = Math.max(1, Math.ceil((minute.ends - performance.now()) / 1000));
      if (minute.left > 0) {
        minute.left--;
        return { isAllowed: true, limit, remaining: minute.left + Math.max(0, limit - minute.used), reset };
      }
      if (minute.used >= limit) return { isAllowed: false, limit, remaining: 0, reset };
    }
  };
}

interface Minute {
  /** Of the loan. */
  left: number;
  used: number;
  /** By `performance.now()`. */
  ends: number;
}
