import { test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { type ClauseId, clauseOf, holds } from './clauses.js';
import { onBothDatabases } from './on-both-databases.js';

export type DefineClause = (id: ClauseId, show: (gateway: TestGateway) => Promise<void>) => void;

/**
 * Defines the tests of clauses, on either database. A test's name is its clause's id and what holds by it, so the name
 * cannot say anything else than the table. `clauses.test.ts` finds these tests by the call `clause('<id>', …)`.
 */
export function showClauses(define: (clause: DefineClause) => void): void {
  onBothDatabases((gateway) => define((id, show) => test(`${id} ${holds(clauseOf(id))}`, () => show(gateway()))));
}
