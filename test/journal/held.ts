import { type Procedure, rows } from '../../src/common/work.js';

/** A holder, which keeps the journal from the position that `position` returns, as the database shows it. */
export const heldBy = (position: () => number) =>
  function* (): Procedure<number> {
    const [row] = yield* rows(`SELECT ${position()}`, []);
    return Number(row?.[0]);
  };
