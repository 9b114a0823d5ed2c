import { test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { type ClauseId, clauseOf, holds } from './clauses.js';
import { onBothDatabases } from './on-both-databases.js';

/** Defines the test that shows a clause. */
export type DefineClause = (id: ClauseId, show: (gateway: TestGateway) => Promise<void>) => void;

/** The tests of the clauses of one part of the document, in a file `<part>.clauses.ts`. */
export type ClauseTests = (clause: DefineClause) => void;

/**
 * Defines the tests of these parts, on either database, all with the same gateway. A test's name is its clause's id and
 * what holds by it, so the name cannot say anything else than the table. `clauses.test.ts` finds these tests by the call
 * `clause('<id>', …)`.
 */
export function showClauses(...parts: ClauseTests[]): void {
  onBothDatabases((gateway) => {
    for (const part of parts) {
      part((id, show) => test(`${id} ${holds(clauseOf(id))}`, () => show(gateway())));
    }
  });
}
