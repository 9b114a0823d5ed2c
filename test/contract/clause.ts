import { test } from 'vitest';
import { providers } from '../support/database.js';
import type { TestGateway } from '../support/gateway.js';
import { isChosenOrNamed } from '../support/thorough.js';
import { type ClauseId, clauseOf, holds } from './clauses.js';
import { onBothDatabases } from './on-both-databases.js';

/** Defines the test that shows a clause. */
export type DefineClause = (id: ClauseId, show: (gateway: TestGateway) => Promise<void>) => void;

/** The tests of the clauses of one part of the document, in a file `<part>.clauses.ts`. */
export type ClauseTests = (clause: DefineClause) => void;

/**
 * Defines the tests of these parts, all with the same gateway on either database. Each clause is tested on one of the
 * two, alternately; a run with named files tests both. The name of a test is the id and the text of its
 * clause, so it cannot differ from the table. `clauses.test.ts` finds these tests by the call `clause('<id>', …)`.
 */
export function showClauses(...parts: ClauseTests[]): void {
  onBothDatabases((gateway, _share, database) => {
    let number = providers.indexOf(database);
    for (const part of parts) {
      part((id, show) => {
        const isAsked = isChosenOrNamed(number++, providers.length);
        if (isAsked) test(`${id} ${holds(clauseOf(id))}`, () => show(gateway()));
      });
    }
  });
}
