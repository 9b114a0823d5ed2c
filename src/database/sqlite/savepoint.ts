import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';

interface Connection {
  readonly inTransaction: boolean;
  control(command: string): void;
}

/** Runs `work` inside the open transaction; if it fails, what it has done is undone. */
export function inSavepoint<Result>(connection: Connection, work: () => MaybePromise<Result>): MaybePromise<Result> {
  const release = () => {
    if (connection.inTransaction) connection.control('RELEASE part');
  };
  connection.control('SAVEPOINT part');
  const done = recoverWith(work, (error) => {
    if (connection.inTransaction) connection.control('ROLLBACK TO part');
    release();
    throw error;
  });
  return whenResolved(done, (result) => {
    release();
    return result;
  });
}
