/** How an admitted operation would be executed, found out without a database. */

import { mayWrite, type WriteOf } from '../../change/compiled/writes.js';
import type { Identity } from '../../change/context.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { mayAsk, type ReadOf } from '../../query/compiled/reads.js';

/** The compiled form of operations, for all code that executes them or explains how they would be executed. */
export interface CompiledOperations {
  readOf: ReadOf;
  writeOf: WriteOf;
}

export interface Way {
  way: 'sql' | 'resolvers';
  /** The statements with which a read begins; undefined where what is found decides on them. */
  statements?: readonly string[];
}

/** Takes no database, and therefore reads and writes nothing. */
export type WayOf = (operation: Operation, identity: Identity) => Way;

/** Without compiled operations the resolvers execute all. */
export function createWays(operations: CompiledOperations | undefined): WayOf {
  return (operation, identity) => {
    if (!operations) return { way: 'resolvers' };
    const { kind, coerced, problems } = operation;
    if (problems.length > 0) return { way: 'resolvers' };
    if (kind === 'mutation') {
      const write = operations.writeOf(operation);
      const given = write?.given(coerced);
      const isCompiled = write && given && mayWrite(write, given, identity) && write.write(given, identity);
      return { way: isCompiled ? 'sql' : 'resolvers' };
    }
    const read = operations.readOf(operation);
    if (!read || !mayAsk(read, coerced, identity)) return { way: 'resolvers' };
    const statements: string[] = [];
    const collect = (sql: string) => {
      statements.push(sql);
      throw new StatementNotRun();
    };
    const fields = read.run(coerced, collect, 'at once');
    return fields ? { way: 'sql', statements } : { way: 'resolvers' };
  };
}

/** Thrown in place of running a statement whose text is only to be shown. */
class StatementNotRun extends Error {}
