/** Does a piece of work in its turn; `last` work is done whatever came before it. */
export type InTurn = <Result>(work: () => Promise<Result>, options?: { last: boolean }) => Promise<Result>;

/**
 * A queue for what can do one thing at a time: each piece of work begins once the one before has ended, at once where
 * none is under way. What waited behind a piece that failed fails with its error and is not begun.
 */
export function oneAtATime(): InTurn {
  let underWay: Promise<unknown> | undefined;
  return (work, { last } = { last: false }) => {
    const turn = underWay === undefined ? work() : underWay.then(work, last ? work : undefined);
    underWay = turn;
    const end = () => {
      if (underWay === turn) underWay = undefined;
    };
    turn.then(end, end);
    return turn;
  };
}
