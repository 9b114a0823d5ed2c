/**
 * Limits how much of query results the process holds while it receives them. The driver keeps all rows of a result in
 * memory, and a request can be refused for its size only after it has received more than it may load.
 */
import type pg from 'pg';
import { LoadBudget } from '../answer-limit.js';

/** Bytes from which a result waits for its turn. */
const large = 4 * 1024 * 1024;

/** One in this many connections may wait for its turn, because a connection that waits serves nobody else. */
const waitingShare = 2;

/** The message of the error for a result that would have to wait with too many others. */
export const manyLargeResults = 'Too many large results are being received';

/** The part of a client that is watched. */
type Receiver = Pick<pg.Client, 'connection'>;

/**
 * Makes connections receive large results one at a time: call the returned function with each new one. Until its turn
 * the server waits, because nothing is read. The connection whose turn it is depends on no other, so there can be no
 * deadlock. A connection is closed if too many wait already, or if it receives more for one query than a request may
 * load. `connections` is how many there may be.
 */
export function resultLimits(connections: number, answerLimit: number | undefined): (client: Receiver) => void {
  const turns = new SingleTurn(Math.floor(connections / waitingShare));
  return (client) => limitResult(client, turns, answerLimit);
}

function limitResult({ connection }: Receiver, turns: SingleTurn, answerLimit: number | undefined): void {
  const { stream } = connection;
  let load = new LoadBudget(answerLimit);
  let received = 0;
  let leave: (() => void) | undefined;
  const begin = () => {
    load = new LoadBudget(answerLimit);
    received = 0;
    if (!leave) return;
    leave();
    leave = undefined;
    // The part of the result that made it wait may have been its last one.
    stream.resume();
  };
  const take = (length: number) => {
    received += length;
    load.add(length);
    if (received < large || leave) return;
    stream.pause();
    leave = turns.take(() => stream.resume());
  };
  connection.on('readyForQuery', begin);
  stream.on('close', begin);
  // Runs before the driver's own listener, which emits `readyForQuery`. Counting rows would be too late, because one row
  // may be very large.
  stream.prependListener('data', ({ length }: Buffer) => {
    try {
      take(length);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : undefined);
    }
  });
}

/** A queue in which one has its turn and at most `most` wait. */
class SingleTurn {
  #isTaken = false;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  /**
   * Calls `enter` at once or later. The returned function gives the turn back, or leaves the queue; call it once.
   * @throws when too many wait
   */
  take(enter: () => void): () => void {
    let hasTurn = false;
    const begin = () => {
      hasTurn = true;
      this.#isTaken = true;
      enter();
    };
    if (!this.#isTaken) begin();
    else if (this.#waiting.size < this.most) this.#waiting.add(begin);
    else throw new Error(manyLargeResults);
    return () => {
      this.#waiting.delete(begin);
      if (hasTurn) this.#next();
    };
  }

  #next(): void {
    this.#isTaken = false;
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    next();
  }
}
