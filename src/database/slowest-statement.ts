import type { MaybePromise } from '../common/maybe-promise.js';
import type { Procedure } from '../common/work.js';

/** How long a statement has taken, with its wait for a connection. */
interface TimedStatement {
  /** Without values: it has placeholders. */
  sql: string;
  milliseconds: number;
}

/** Finds the statement of a request that takes longest, for the log of slow operations. */
export class SlowestStatement {
  #ended: TimedStatement | undefined;
  /** Made for the first statement: many requests have none. */
  #begun: Set<{ sql: string; since: number }> | undefined;

  /** Notes a statement that begins now. The returned function is called when it has ended. */
  begin(sql: string): () => void {
    const statement = { sql, since: performance.now() };
    this.#begun ??= new Set();
    this.#begun.add(statement);
    return () => {
      this.#begun?.delete(statement);
      this.#ended = slower(this.#ended, statement);
    };
  }

  /** A read that has just begun; one that is answered at once is never slow. */
  noted<Rows>(sql: string, rows: MaybePromise<Rows>): MaybePromise<Rows> {
    if (rows instanceof Promise) {
      const end = this.begin(sql);
      rows.then(end, end);
    }
    return rows;
  }

  /** Notes what has begun as if it had ended: a unit of work that fails does not tell. Whatever runs on is noted again. */
  settle(): void {
    this.#ended = this.found;
    this.#begun?.clear();
  }

  /** The slowest so far, which may still run; undefined if there was none. */
  get found(): TimedStatement | undefined {
    return [...(this.#begun ?? [])].reduce(slower, this.#ended);
  }
}

function slower(
  known: TimedStatement | undefined,
  { sql, since }: { sql: string; since: number },
): TimedStatement | undefined {
  const milliseconds = performance.now() - since;
  return known && known.milliseconds >= milliseconds ? known : { sql, milliseconds };
}

/** The same unit of work, whose statements are noted. It may be the repetition of one that has failed. */
export function* timed<Result>(work: Procedure<Result>, statements: SlowestStatement): Procedure<Result> {
  statements.settle();
  let step = work.next();
  while (!step.done) {
    const end = statements.begin(step.value.sql);
    const rows = yield step.value;
    end();
    step = work.next(rows);
  }
  return step.value;
}
