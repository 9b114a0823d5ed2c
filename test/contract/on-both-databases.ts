import { afterAll, beforeAll, describe } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { databaseInTurn, providers, shareOf, waysToExecute } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

/** The similar cases that are tested on this database. */
type Share = <Case>(cases: readonly Case[]) => Case[];

interface Options {
  compiled?: boolean;
  /** Whether the tests damage the gateway, so that they need their own. */
  own?: boolean;
}

type Define = (gateway: () => TestGateway, share: Share, database: Provider, compiled: boolean) => void;

/** Defines the same tests for either database, each set with a gateway that has nothing stored. */
export function onBothDatabases(define: Define, options: Options = {}): void {
  for (const database of providers) defineOn(database, define, options);
}

/** The same for the tests of `file`, which hardly depend on the database: on one of them (`databaseInTurn`). */
export function onDatabaseInTurn(
  file: string,
  define: (gateway: () => TestGateway) => void,
  options: Options = {},
): void {
  for (const database of databaseInTurn(file)) defineOn(database, define, options);
}

/** The same for the tests of `file`, compiled and by the resolvers (`waysToExecute`). */
export function inAllWays(file: string, define: Define): void {
  for (const { database, compiled } of waysToExecute(file)) defineOn(database, define, { compiled });
}

function defineOn(database: Provider, define: Define, { compiled = true, own = false }: Options): void {
  describe(`on ${database}${compiled ? '' : ', by the resolvers'}`, () => {
    let gateway: TestGateway | undefined;

    beforeAll(async () => {
      gateway = await (own ? startGateway({ database, compiled }) : sharedGateway(database, compiled));
    });
    afterAll(() => (own ? gateway?.close() : undefined));

    const present = () => {
      if (!gateway) throw new Error('The gateway is there only while a test runs');
      return gateway;
    };
    define(present, (cases) => shareOf(database, cases), database, compiled);
  });
}
