import { type Procedure, rows } from '../../src/work.js';

/** A holder of the journal at the position that `position` returns, as the database tells it. */
export const heldBy = (position: () => number) =>
  function* (): Procedure<number> {
    const [row] = yield* rows(`SELECT ${position()}`, []);
    return Number(row?.[0]);
  };
