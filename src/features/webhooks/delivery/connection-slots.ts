/** The most requests of one webhook at the same time. */
export const mostOfWebhook = 8;
/** Requests at the same time beyond the first of each webhook, for all webhooks together. */
export const mostShared = 64;

/**
 * Bounds the requests under way. Every webhook always has one of its own, so that receivers that do not answer, however
 * many, keep no other webhook waiting; more of them come from what all share.
 */
export class ConnectionSlots {
  #shared = mostShared;

  /** Whether a webhook with `underWay` requests may begin another. Each that may is given back by `leave`. */
  enter(underWay: number, most = mostOfWebhook): boolean {
    if (underWay === 0) return true;
    if (underWay >= most || this.#shared === 0) return false;
    this.#shared--;
    return true;
  }

  /** `underWay` is the number of requests that are left. */
  leave(underWay: number): void {
    if (underWay > 0) this.#shared++;
  }
}
